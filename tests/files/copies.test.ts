/** Two files with one id: what syncs, people and version control leave beside a record. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportedBy } from '../support/messages.ts'
import { type Folder, leavesAlone, openFolder, person } from './folder.ts'

/** A record that Mnemos wrote. */
async function withRecord() {
  const folder = await openFolder()
  const { records } = await folder.store.commit(
    [{ act: 'create', record: { summary: 'The kettle whistles at 80 degrees' } }],
    person,
  )
  const id = records[0]?.id ?? ''
  const { file } = await folder.store.get(id)
  return { folder, id, path: file.slice(folder.memories.length + 1) }
}

const NAMES: [string, (stem: string) => string][] = [
  ['Dropbox', (stem) => `${stem} (Anna's conflicted copy 2026-11-30).md`],
  ['Syncthing', (stem) => `${stem}.sync-conflict-20261130-101010-ABCDEFG.md`],
  ['OneDrive', (stem) => `${stem}-LAPTOP-7.md`],
  ['iCloud', (stem) => `${stem} 2.md`],
  ['Google Drive', (stem) => `${stem} (1).md`],
  ['Nextcloud', (stem) => `${stem} (conflicted copy 2026-11-30 101010).md`],
]

/** What is said of the copies, in the view and the tools' answers. */
const named = ({ store }: Folder) =>
  reportedBy(store).filter((problem) => problem.includes('in several files'))

describe('a conflict copy', () => {
  it.each(NAMES)('of %s with a higher revision counts, and the other is named', async (_, nameOf) => {
    const { folder, id, path } = await withRecord()
    const copy = join(dirname(path), nameOf(id))
    folder.put(copy, folder.read(path).replace('80 degrees', '96 degrees').replace('rev: 1', 'rev: 2'))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([id])
    const { record, file, ...others } = await after.store.get(id)
    const copies = others.copies.map((one) => one.file)
    expect([record.summary, file, copies]).toEqual([
      'The kettle whistles at 96 degrees',
      after.at(copy),
      [after.at(path)],
    ])
    expect(named(after)).toEqual([expect.stringContaining(`memories/${copy} counts, memories/${path} not`)])
    expect((await after.store.counts()).total).toBe(2)
  })

  it('of equal revision: the later file counts', async () => {
    const { folder, id, path } = await withRecord()
    const copy = join(dirname(path), `${id} 2.md`)
    folder.put(copy, folder.read(path).replace('80', '96'), new Date('2020-01-01'))
    expect((await folder.store.get(id)).record.summary).toContain('80')
    folder.put(copy, folder.read(copy), new Date('2099-01-01'))
    await folder.store.refresh()
    expect((await folder.store.get(id)).record.summary).toContain('96')
    expect(await folder.found('kettle')).toEqual([id])
    await leavesAlone(folder)
  })

  it('is written through the file that counts, and the other keeps its bytes', async () => {
    const { folder, id, path } = await withRecord()
    const copy = join(dirname(path), `${id} 2.md`)
    folder.put(copy, folder.read(path).replace('rev: 1', 'rev: 7'))
    await folder.store.refresh()
    const before = folder.read(path)
    await folder.store.commit(
      [{ act: 'update', id, change: (record) => ({ ...record, tags: ['new'] }) }],
      person,
    )
    expect(folder.read(copy)).toContain('rev: 8')
    expect(folder.read(path)).toBe(before)
  })

  it('that is removed leaves the record as it is, forgets nothing, and is no longer named', async () => {
    const { folder, id, path } = await withRecord()
    const copy = join(dirname(path), `${id}-PC.md`)
    folder.put(copy, folder.read(path).replace('rev: 1', 'rev: 2'))
    await folder.store.refresh()
    expect(named(folder)).toHaveLength(1)
    rmSync(folder.at(copy))
    await folder.store.refresh()
    expect(named(folder)).toEqual([])
    expect((await folder.store.get(id)).file).toBe(folder.at(path))
    expect(folder.ledger('vanish')).toBe(0)
  })

  it('of a hand-written note without front matter is a note of its own', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', 'The kettle whistles at 80 degrees\n')
    folder.put('kettle (conflicted copy).md', 'The kettle whistles at 96 degrees\n')
    folder.put('kettle-LAPTOP.md', 'The kettle whistles at 99 degrees\n')
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['kettle', 'kettle-LAPTOP', 'kettle-conflicted-copy-'])
    expect(await after.skipped()).toEqual({})
  })

  it('is gone with the record when that is deleted: both files', async () => {
    const { folder, id, path } = await withRecord()
    const copy = join(dirname(path), `${id} 2.md`)
    copyFileSync(folder.at(path), folder.at(copy))
    await folder.store.refresh()
    await folder.store.delete(id, person)
    expect([existsSync(folder.at(path)), existsSync(folder.at(copy))]).toEqual([false, false])
  })
})

describe('a file that changes its place', () => {
  it.each([
    ['renamed', (id: string, path: string) => join(dirname(path), `renamed-${id}.md`)],
    ['moved to another folder', (id: string) => `kitchen/appliances/${id}.md`],
    ['renamed in case only', (id: string, path: string) => join(dirname(path), `${id.toUpperCase()}.md`)],
    [
      'renamed so that the name is no id',
      (id: string, path: string) => join(dirname(path), `My notes, ${id}!.md`),
    ],
  ])('%s is the same record: its front matter says which', async (_, to) => {
    const { folder, id, path } = await withRecord()
    const next = to(id, path)
    mkdirSync(dirname(folder.at(next)), { recursive: true })
    renameSync(folder.at(path), folder.at(next))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([id])
    expect((await after.store.get(id)).file).toBe(after.at(next))
    expect(after.ledger('vanish')).toBe(0)
  })

  it('without front matter has its name as id: a new one after a rename, and the old one is forgotten', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', 'The kettle whistles\n')
    await folder.store.refresh()
    renameSync(folder.at('kettle.md'), folder.at('teapot.md'))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['teapot'])
    expect(after.ledger('vanish')).toBe(1)
    await expect(after.store.get('kettle')).rejects.toThrow('no record')
  })

  it('keeps its id between folders when its name stays', async () => {
    const folder = await openFolder()
    folder.put('a/kettle.md', 'The kettle whistles\n')
    await folder.store.refresh()
    mkdirSync(folder.at('b'))
    renameSync(folder.at('a/kettle.md'), folder.at('b/kettle.md'))
    const after = await leavesAlone(folder)
    expect(basename((await after.store.get('kettle')).file)).toBe('kettle.md')
    expect(after.ledger('vanish')).toBe(0)
  })

  it('is found under its id at once, before the folder is looked at again', async () => {
    const { folder, id, path } = await withRecord()
    folder.store.close()
    const lazy = await openFolder({ root: folder.root, config: { scanEveryMs: 2000 } })
    await lazy.store.refresh()
    await new Promise((resolve) => setTimeout(resolve, 30))
    renameSync(lazy.at(path), lazy.at('elsewhere.md'))
    expect((await lazy.store.get(id)).file).toBe(lazy.at('elsewhere.md'))
  })
})
