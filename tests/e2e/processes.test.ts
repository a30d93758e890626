/** Processes that share one index. What several do to a whole folder, killed at any time, is in `tests/crash`. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { openStore } from '../support/store.ts'
import { filler, folder, openIndex, record } from '../unit/search/index/fixture.ts'

const remember = async (store: Store, record: { summary: string }) =>
  (await store.commit([{ act: 'create', record }], personContext())).records[0]?.id ?? ''
const find = async (store: Store, text: string) =>
  (await store.recall({ queries: [text], scope: {}, limit: 20, include: [] })).hits.map(
    ({ record }) => record.id,
  )

describe('the index', () => {
  it('that another process keeps makes no write fail, and what was written is found afterwards', async () => {
    const { store, root } = await openStore()
    await remember(store, { summary: 'before the lock' })
    const { default: Database } = await import('better-sqlite3')
    const other = new Database(join(root, 'index', 'index.sqlite'))
    other.exec('BEGIN EXCLUSIVE')
    const id = await remember(store, { summary: 'written while it was kept' })
    expect((await store.get(id)).record.summary).toBe('written while it was kept')
    other.exec('ROLLBACK')
    other.close()
    expect(await find(store, 'written')).toEqual([id])
  })
})

it('two processes write one index without losing either’s records', () => {
  const file = join(folder(), 'index.db')
  const index = openIndex(file)
  index.put(filler(20))
  const source = `
    import { nodeDisk } from ${JSON.stringify(new URL('../../src/base/disk.ts', import.meta.url).href)}
    import { RecordIndex } from ${JSON.stringify(new URL('../../src/search/index/record-index.ts', import.meta.url).href)}
    const index = RecordIndex.open(nodeDisk, ${JSON.stringify(file)})
    const base = ${JSON.stringify(record({ id: 'x' }))}
    for (let i = 0; i < 30; i++)
      index.put([{ file: { path: 'other/' + i + '.md', size: 1, mtimeMs: 1, ino: 1 }, record: { ...base, id: 'other' + i } }])
    console.log(index.fresh)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  expect(run.stdout.trim(), run.stderr).toBe('false')
  index.put(filler(1))
  expect(index.counts().total).toBe(50)
  expect(readFileSync(file).length).toBeGreaterThan(0)
})
