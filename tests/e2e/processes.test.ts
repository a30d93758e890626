/** Processes that share one file. What several of them do to a whole folder, killed at any time, is in `tests/crash`. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filler, folder, openIndex, record } from '../unit/memory/index/fixture.ts'

it('two processes write one index without losing either’s records', () => {
  const file = join(folder(), 'index.db')
  const index = openIndex(file)
  index.put(filler(20))
  const source = `
    import { RecordIndex } from ${JSON.stringify(new URL('../../src/memory/index/record-index.ts', import.meta.url).href)}
    const index = RecordIndex.open(${JSON.stringify(file)})
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
