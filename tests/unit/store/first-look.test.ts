/** What a start sees: folders that changed, not every file; and how long a turn waits for it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { defaultConfig } from '../../../src/base/config.ts'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { Store } from '../../../src/store/store.ts'
import { filesBelow } from '../../support/files.ts'
import { reportedBy } from '../../support/messages.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'
import { countingDisk } from '../../support/work.ts'

/** Files in two folders that nobody has touched for a minute, looked through once. */
async function settled(count = 30): Promise<string> {
  const root = await tempDir('store')
  for (const folder of ['old', 'other']) {
    mkdirSync(join(root, 'memories', folder), { recursive: true })
    for (let n = 0; n < count; n++) {
      writeFileSync(
        join(root, 'memories', folder, `${folder}-${n}.md`),
        `The lighthouse number ${n} of ${folder}`,
      )
    }
  }
  for (const folder of ['memories/old', 'memories/other', 'memories']) age(join(root, folder))
  const { store } = await openStore({ root, disk: settable })
  store.close()
  return root
}

/** Nobody can set the time at which a folder changed, so here the one that can be set counts. */
const settable: Disk = {
  ...nodeDisk,
  stamp: (path) => {
    const stamp = nodeDisk.stamp(path)
    return stamp && { ...stamp, ctimeMs: stamp.mtimeMs }
  },
}

const age = (folder: string) => utimesSync(folder, new Date(), new Date(Date.now() - 60_000))

/** A store at the start of its first turn, and how many record files it has asked the disk about and read. */
async function firstTurn(root: string, config: { turnWaitMs?: number } = {}, disk: Disk = settable) {
  const counting = countingDisk(disk, (path) => path.endsWith('.md'))
  const store = new Store({
    root,
    config: { ...defaultConfig(), ...config },
    clock: { now: Date.now },
    disk: counting.disk,
  })
  await store.atTurnStart()
  return { store, stamped: counting.stamped, opened: counting.opened }
}

const found = async (store: Store, word: string) =>
  (await store.recall({ queries: [word], scope: {}, limit: 50, include: [] })).hits.map(
    ({ record }) => record.id,
  )

describe('the first turn of a process', () => {
  it('asks for no file where nothing has changed, and knows them all', async () => {
    const { store, stamped } = await firstTurn(await settled())
    expect(stamped()).toBe(0)
    expect(store.entries()).toHaveLength(60)
    store.close()
  })

  it('sees files that came, went or were replaced, and lists their folder alone', async () => {
    const root = await settled()
    writeFileSync(join(root, 'memories', 'old', 'broken.md'), '')
    rmSync(join(root, 'memories', 'old', 'old-3.md'))
    const { store, stamped } = await firstTurn(root)
    expect(stamped()).toBeLessThan(35)
    expect(reportedBy(store)).toEqual([expect.stringMatching(/broken\.md/)])
    expect(store.entries().map(({ path }) => path)).not.toContain('old/old-3.md')
    store.close()
  })

  it('sees a new folder and a folder that is gone', async () => {
    const root = await settled()
    mkdirSync(join(root, 'memories', 'new'))
    writeFileSync(join(root, 'memories', 'new', 'fresh.md'), 'A fresh fact')
    rmSync(join(root, 'memories', 'other'), { recursive: true })
    const { store } = await firstTurn(root)
    expect(store.entries().map(({ path }) => path)).toContain('new/fresh.md')
    expect(store.absent).toBe(30)
    store.close()
    // What is absent stays so for the next process, though its folder has not changed since.
    age(join(root, 'memories'))
    const { store: again } = await firstTurn(root)
    expect(again.absent).toBe(30)
    again.close()
  })

  it('files that vanished out of a folder that is still there stay absent for the next process', async () => {
    const root = await settled()
    for (let n = 0; n < 29; n++) rmSync(join(root, 'memories', 'old', `old-${n}.md`))
    age(join(root, 'memories', 'old'))
    for (const _ of [1, 2]) {
      const { store } = await openStore({ root, disk: settable })
      expect(store.absent).toBe(29)
      store.close()
    }
    const { store } = await firstTurn(root)
    expect(store.absent).toBe(29)
    store.close()
  })

  it('leaves what was written into a file to the first question, which finds it at once', async () => {
    const root = await settled()
    writeFileSync(join(root, 'memories', 'old', 'old-3.md'), 'The windmill')
    writeFileSync(join(root, 'memories', 'old', 'old-4.md'), '')
    const { store } = await firstTurn(root)
    expect(reportedBy(store)).toEqual([])
    expect(await found(store, 'windmill')).toEqual(['old-3'])
    expect(reportedBy(store)).toEqual([expect.stringMatching(/old-4\.md/)])
    store.close()
  })

  it('is followed by turns that look at every file', async () => {
    const root = await settled()
    writeFileSync(join(root, 'memories', 'old', 'old-4.md'), '')
    const { store } = await firstTurn(root)
    await store.atTurnStart()
    expect(reportedBy(store)).toEqual([expect.stringMatching(/old-4\.md/)])
    store.close()
  })

  it('lists a folder that had only just been made in one that has not changed since', async () => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'memories', '2026', '11'), { recursive: true })
    for (let n = 0; n < 30; n++) writeFileSync(join(root, 'memories', '2026', '11', `n${n}.md`), `Fact ${n}`)
    age(join(root, 'memories'))
    const { store } = await openStore({ root, disk: settable })
    store.close()
    const { store: again } = await firstTurn(root)
    expect([again.entries().length, again.absent, reportedBy(again)]).toEqual([30, 0, []])
    again.close()
  })

  it('lists a folder that had only just changed when it was looked through', async () => {
    const root = await settled()
    writeFileSync(join(root, 'memories', 'old', 'later.md'), 'Written later')
    const { store } = await openStore({ root, disk: settable })
    store.close()
    const { store: again, stamped } = await firstTurn(root)
    expect(stamped()).toBe(31)
    again.close()
  })
})

describe('a folder', () => {
  it('whose time was set back after a file came is listed all the same', async () => {
    const root = await settled(3)
    const folder = join(root, 'memories', 'old')
    const { atime, mtime } = statSync(folder)
    // The index knows the folder as it stands on the real disk.
    const { store } = await openStore({ root })
    store.close()
    writeFileSync(join(folder, 'later.md'), 'Came later')
    utimesSync(folder, atime, mtime)
    const { store: again } = await firstTurn(root, {}, nodeDisk)
    expect(again.entries().map(({ path }) => path)).toContain('old/later.md')
    again.close()
  })

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'x')],
    ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ])('of records that is %s is reported, and no record is forgotten', async (_, make) => {
    const root = await settled(3)
    rmSync(join(root, 'memories'), { recursive: true })
    make(join(root, 'memories'))
    const { store } = await openStore({ root })
    expect(reportedBy(store)).toEqual([expect.stringMatching(/memories \(it is no folder/)])
    expect(filesBelow(join(root, 'ledger'))).toEqual([])
    store.close()
    const { store: first } = await firstTurn(root)
    expect(reportedBy(first)).toEqual([expect.stringMatching(/memories \(it is no folder/)])
    first.close()
  })
})

describe('an index that has to be filled', () => {
  /** Files in all: more than twice what is read before others have their turn. */
  const FILES = 600

  it('holds up a turn no longer than configured, says so, and recall waits for the whole', async () => {
    const root = await settled(FILES / 2)
    rmSync(join(root, 'index'), { recursive: true })
    const { store, opened } = await firstTurn(root, { turnWaitMs: 0 })
    expect(opened()).toBeLessThan(FILES)
    expect(reportedBy(store)).toEqual([expect.stringMatching(/still being read in/)])
    expect(await found(store, 'lighthouse 299 other')).toContain('other-299')
    expect(reportedBy(store)).toEqual([])
    store.close()
  })

  it('is left where it is when the host ends, and the lock with it', async () => {
    const root = await settled(FILES / 2)
    rmSync(join(root, 'index'), { recursive: true })
    const { store, opened } = await firstTurn(root, { turnWaitMs: 0 })
    await vi.waitFor(() => expect(opened()).toBeGreaterThan(0), { interval: 1, timeout: 10_000 })
    store.close()
    const read = opened()
    expect(read).toBeLessThan(FILES)
    // Filling holds the lock until it ends.
    await vi.waitFor(() => expect(existsSync(join(root, '.lock'))).toBe(false), 10_000)
    expect(opened()).toBe(read)
    expect(readdirSync(join(root, 'index'))).toEqual(['index.sqlite'])
    const { store: again } = await openStore({ root, disk: settable })
    expect(await found(again, 'lighthouse 299 other')).toContain('other-299')
    again.close()
  })
})
