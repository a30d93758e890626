/** Writing: what is acknowledged is on disk, an act of several records is whole or nothing, and an editor wins no race. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'

import { personContext } from '../../../src/store/turn-context.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { reportedBy } from '../../support/messages.ts'
import { openStore } from '../../support/store.ts'

import { tempDir } from '../../support/temp.ts'

const person = personContext()
async function withOne() {
  const opened = await openStore()
  const { records: made } = await opened.store.commit(
    [{ act: 'create', record: { summary: 'the old fact' } }],
    person,
  )
  return { ...opened, id: made[0]?.id ?? '' }
}

describe('an act of several records', () => {
  it('that a killed process left half done is finished at the next start', async () => {
    const { root, id, store } = await withOne()
    store.close()
    const old = filesBelow(join(root, 'memories'))[0]
    const before = old?.bytes.toString() ?? ''
    const after = before.replace('status: active', 'status: deprecated').replace('rev: 1', 'rev: 2')
    mkdirSync(join(root, 'pending'), { recursive: true })
    const path = (old?.path ?? '').slice(join(root, 'memories').length + 1)
    writeFileSync(
      join(root, 'pending', 'left.json'),
      JSON.stringify({
        writes: [
          { path: 'made.md', before: null, after: before.replaceAll(id, 'made') },
          { path, before, after },
        ],
        deletes: [],
        ledger: [{ at: '2026-11-30T00:00:00.000Z', act: 'correct', id, by: 'person', rev: [1, 2] }],
      }),
    )
    const { store: again } = await openStore({ root })
    expect((await again.get(id)).record.status).toBe('deprecated')
    expect((await again.get('made')).record.summary).toBe('the old fact')
    expect(filesBelow(join(root, 'pending'))).toEqual([])
    expect(holding(join(root, 'ledger'), '"act":"correct"')).toHaveLength(1)
  })

  it('whose note is torn is not carried out but kept and reported; a temporary one was never begun', async () => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'pending'))
    writeFileSync(join(root, 'pending', 'torn.json'), '{"writes":[{"path":"x.md","before":null,"aft')
    writeFileSync(
      join(root, 'pending', '.mnemos-tmp-1-1-x.json'),
      '{"writes":[{"path":"x.md","before":null,"after":"x"}],"deletes":[],"ledger":[]}',
    )
    const { store } = await openStore({ root })
    expect(reportedBy(store)).toEqual([
      expect.stringContaining('pending/torn.json is not understood and kept'),
    ])
    expect(existsSync(join(root, 'memories', 'x.md'))).toBe(false)
    expect(filesBelow(join(root, 'pending')).map(({ path }) => path)).toEqual([
      join(root, 'pending', 'torn.json'),
    ])
  })
})

describe('a write of one record', () => {
  it('starts again from what an editor saved just before the rename', async () => {
    const { root, id, store } = await withOne()
    const { file } = await store.get(id)
    store.close()
    let saves = 2
    const { store: raced } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        replace: (path, data, options) =>
          nodeDisk.replace(path, data, {
            ...options,
            beforeRename: () => {
              if (path === file && saves-- > 0) {
                writeFileSync(
                  file,
                  readFileSync(file, 'utf8').replace(/^summary: .*$/m, `summary: edited by hand ${saves}`),
                )
              }
              options?.beforeRename?.()
            },
          }),
      },
    })
    const { records: made } = await raced.commit(
      [{ act: 'update', id, change: (record) => ({ ...record, tags: ['mine'] }) }],
      person,
    )
    expect(made[0]).toMatchObject({ summary: 'edited by hand 0', tags: ['mine'] })
    expect(readFileSync(file, 'utf8')).toContain('summary: edited by hand 0')
  })

  it('keeps folders 0700 and files 0600, whatever the umask', async () => {
    const { statSync } = await import('node:fs')
    const old = process.umask(0)
    try {
      const { root } = await withOne()
      for (const { path } of filesBelow(root))
        expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600])
      for (const folder of ['memories', 'memories/2026', 'memories/2026/11', 'ledger', 'index']) {
        expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700)
      }
    } finally {
      process.umask(old)
    }
  })

  it('of external text stays external, whatever a rewrite says', async () => {
    const { store } = await openStore()
    const { records: made } = await store.commit(
      [{ act: 'create', record: { summary: 'from a page', source: 'external' } }],
      person,
    )
    const id = made[0]?.id ?? ''
    const { records: after } = await store.commit(
      [{ act: 'update', id, change: (record) => ({ ...record, source: 'internal' }) }],
      person,
    )
    expect(after[0]?.source).toBe('external')
  })
})

describe('two stores on one folder', () => {
  it('lose no change of either, and their ids differ', async () => {
    const { root, store: one, id } = await withOne()
    const { store: two } = await openStore({ root })
    const add = (tag: string) => ({
      act: 'update' as const,
      id,
      change: (record: { tags: string[] }) => ({ ...record, tags: [...record.tags, tag] }) as never,
    })
    await Promise.all(
      [...Array(10).keys()].flatMap((n) => [
        one.commit([add(`a${n}`)], person),
        two.commit([add(`b${n}`)], person),
      ]),
    )
    const { record } = await two.get(id)
    expect(new Set(record.tags).size).toBe(20)
    expect(record.rev).toBe(21)
    const made = await Promise.all(
      [...Array(10).keys()].flatMap((n) =>
        [one, two].map((store) => store.commit([{ act: 'create', record: { summary: `new ${n}` } }], person)),
      ),
    )
    expect(new Set(made.map(({ records: [record] }) => record?.id)).size).toBe(20)
    one.close()
    two.close()
  })

  it('see at once what the other wrote, and what it deleted', async () => {
    const { root, store: one, id } = await withOne()
    const { store: two } = await openStore({ root })
    const found = async () =>
      (await two.recall({ queries: ['fact'], scope: {}, limit: 5, include: [] })).hits.map(
        ({ record }) => record.id,
      )
    expect(await found()).toEqual([id])
    await one.delete(id, person)
    expect(await found()).toEqual([])
    await expect(two.get(id)).rejects.toThrow('was deleted')
    expect(holding(root, 'the old fact')).toEqual([])
    one.close()
    two.close()
  })
})

describe('ledger and journal', () => {
  it('hold who, when, which id and which rev, and no word of a record', async () => {
    const { root, store } = await openStore()
    mkdirSync(join(root, 'memories'), { recursive: true })
    writeFileSync(join(root, 'memories', 'my-private-name.md'), 'a hand-written thing')
    const { records: made } = await store.commit(
      [{ act: 'create', record: { summary: 'unspeakable', content: 'hush', why: 'because' } }],
      person,
    )
    const id = made[0]?.id ?? ''
    await store.commit(
      [{ act: 'update', id: 'my-private-name', change: (record) => ({ ...record, keep: true }) }],
      person,
    )
    store.noteOpened('my-private-name', person)
    await store.delete('my-private-name', person)
    const lines = filesBelow(join(root, 'ledger'))
      .map(({ bytes }) => bytes.toString())
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ act, rev }) => [act, rev])).toEqual([
      ['create', [null, 1]],
      ['update', [1, 2]],
      ['delete', [2, null]],
    ])
    expect(lines[0]).toEqual({ at: expect.any(String), act: 'create', id, by: 'person', rev: [null, 1] })
    for (const text of ['my-private-name', 'hand-written', 'unspeakable', 'hush', 'because']) {
      expect([text, holding(join(root, 'ledger'), text)]).toEqual([text, []])
    }
    expect(holding(root, 'my-private-name')).toEqual([])
  })
})
