import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { personContext } from '../../../src/store/turn-context.ts'
import { filesBelow } from '../../support/files.ts'
import { reportedBy } from '../../support/messages.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

async function withFiles(count: number) {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'))
  for (let n = 0; n < count; n++)
    writeFileSync(join(root, 'memories', `note-${n}.md`), `The lighthouse number ${n}`)
  const { store } = await openStore({ root })
  const found = async () =>
    (await store.recall({ queries: ['lighthouse'], scope: {}, limit: 50, include: [] })).hits.length
  return { root, store, found }
}
const ledger = (root: string) =>
  filesBelow(join(root, 'ledger'))
    .map(({ bytes }) => bytes.toString())
    .join('')

describe('files that vanish', () => {
  it('one by one are forgotten, each with a line in the ledger', async () => {
    const { root, store, found } = await withFiles(30)
    for (let n = 0; n < 19; n++) rmSync(join(root, 'memories', `note-${n}.md`))
    expect(await found()).toBe(11)
    expect(reportedBy(store)).toEqual([])
    expect(ledger(root).match(/"act":"vanish"/g)).toHaveLength(19)
  })

  it('together are absent: not shown, not forgotten, reported, and known again when they are back', async () => {
    const { root, store, found } = await withFiles(30)
    renameSync(join(root, 'memories'), join(root, 'away'))
    expect(await found()).toBe(0)
    expect(reportedBy(store)).toEqual([expect.stringMatching(/^30 record files vanished at once/)])
    await expect(store.get('note-3')).rejects.toThrow('no record')
    expect(ledger(root)).toBe('')
    renameSync(join(root, 'away'), join(root, 'memories'))
    expect(await found()).toBe(30)
    expect(reportedBy(store)).toEqual([])
  })

  it('together stay absent over a restart, and a new record is still written', async () => {
    const { root, store } = await withFiles(30)
    renameSync(join(root, 'memories'), join(root, 'away'))
    store.close()
    const { store: again } = await openStore({ root })
    expect(again.absent).toBe(30)
    const { records } = await again.commit(
      [{ act: 'create', record: { summary: 'written meanwhile' } }],
      personContext(),
    )
    expect((await again.get(records[0]?.id ?? '')).record.summary).toBe('written meanwhile')
    expect(again.absent).toBe(30)
  })

  it('are forgotten when the person says so', async () => {
    const { root, store } = await withFiles(25)
    for (let n = 0; n < 22; n++) rmSync(join(root, 'memories', `note-${n}.md`))
    await store.refresh()
    expect(store.absent).toBe(22)
    expect(await store.forgetAbsent()).toBe(22)
    expect(store.absent).toBe(0)
    expect(ledger(root).match(/"act":"vanish"/g)).toHaveLength(22)
    expect(reportedBy(store)).toEqual([])
  })

  it('of which few belong to a large folder are forgotten: 20 of 500 are no unmounted disk', async () => {
    const { root, store } = await withFiles(500)
    for (let n = 0; n < 20; n++) rmSync(join(root, 'memories', `note-${n}.md`))
    await store.refresh()
    expect(store.absent).toBe(0)
    for (let n = 20; n < 60; n++) rmSync(join(root, 'memories', `note-${n}.md`))
    await store.refresh()
    expect(store.absent).toBe(40)
  })

  it('behind a folder that cannot be listed are neither forgotten nor counted as gone', async () => {
    const { root, store } = await withFiles(5)
    const { nodeDisk } = await import('../../../src/base/disk.ts')
    store.close()
    let broken = false
    const { store: shaky } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        list: (path) => {
          if (broken && path.endsWith('memories'))
            throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
          return nodeDisk.list(path)
        },
      },
    })
    broken = true
    await shaky.refresh()
    expect(shaky.bad()).toEqual([
      { path: '.', fault: { code: 'UNREADABLE', system: 'EIO', reason: 'EIO: i/o error' } },
    ])
    expect(readFileSync((await shaky.get('note-1')).file, 'utf8')).toContain('lighthouse')
    broken = false
    await shaky.refresh()
    expect((await shaky.counts()).total).toBe(5)
    expect(ledger(root)).toBe('')
  })
})
