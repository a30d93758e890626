/** Part D of issue 11: where a data folder lies, and who may write in it. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { initialise } from '../../src/constitution/approve.ts'
import { placeFindings } from '../../src/doctor/place.ts'
import { dataFolder } from '../../src/files/data-folder.ts'
import { Ledger } from '../../src/files/ledger.ts'
import { DataLock } from '../../src/files/lock.ts'
import { noteProfile, readProfiles } from '../../src/files/profiles.ts'
import type { Memory } from '../../src/memory/open.ts'
import { findingAdvice } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { coarseDisk } from '../support/coarse.ts'
import { CHEAP, PASSPHRASE } from '../support/constitution.ts'
import { explainingLater, reportedBy } from '../support/messages.ts'
import { openStore, type TestStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const found = async ({ store }: Pick<TestStore, 'store'>, words: string) =>
  (await store.recall({ queries: [words], scope: {}, limit: 20, include: [] })).hits.map(
    ({ record }) => record.id,
  )

/** exFAT, ext3 and HFS+, FAT. */
describe.each([10, 1_000, 2_000])('D16 where times are multiples of %d ms', (tickMs) => {
  it('every operation works', async () => {
    const disk = coarseDisk(tickMs)
    const first = await openStore({ disk, now: Date.now })
    const { store, root } = first
    const create = async (summary: string) =>
      (await store.commit([{ act: 'create', record: { summary } }], person)).records[0]?.id ?? ''
    const [kettle, lamp, chair] = [await create('A kettle'), await create('A lamp'), await create('A chair')]
    await store.commit(
      [lamp, chair].map((id) => ({
        act: 'update' as const,
        id,
        change: (record) => ({ ...record, tags: ['house'] }),
      })),
      person,
    )
    expect((await store.delete(kettle, person)).left).toEqual([])
    expect((await found(first, 'lamp chair kettle')).sort()).toEqual([lamp, chair].sort())
    store.close()
    const second = await openStore({ root, disk, now: Date.now })
    await second.store.commit([{ act: 'create', record: { summary: 'A table' } }], person)
    expect(reportedBy(second.store)).toEqual([])
    second.store.close()
  })

  it('a lock is kept over signs of life, and one that was taken over is seen to be lost', async () => {
    const path = join(await tempDir('lock'), '.lock')
    const lock = new DataLock(coarseDisk(tickMs), path, 1_000, 10_000, 1_000)
    await lock.run(async (held) => {
      await sleep(2_300)
      held.check()
      const other = new DataLock(coarseDisk(tickMs), path, 300)
      await expect(other.run(() => 'taken')).rejects.toMatchObject({ code: 'LOCKED' })
      held.check()
      // Another process took it over within the same tick.
      const [mark = ''] = readdirSync(path)
      nodeDisk.rename(join(path, mark), join(path, `${mark.slice(0, -1)}${mark.endsWith('a') ? 'b' : 'a'}`))
      expect(() => held.check()).toThrow('took over the lock')
    })
  })

  it('a file that is written twice within a tick, with as many bytes, is read again', async () => {
    const root = await tempDir('coarse')
    mkdirSync(join(root, 'memories'), { recursive: true })
    const file = join(root, 'memories', 'kettle.md')
    const tick = Math.floor(Date.now() / tickMs) * tickMs
    const write = (text: string) => {
      writeFileSync(file, text)
      utimesSync(file, tick / 1000, tick / 1000)
    }
    write('The kettle is blue')
    const first = await openStore({ root, disk: coarseDisk(tickMs) })
    expect(await found(first, 'blue')).toEqual(['kettle'])
    write('The kettle is pink')
    expect(await found(first, 'pink')).toEqual(['kettle'])
    write('The kettle is grey')
    first.store.close()
    const second = await openStore({ root, disk: coarseDisk(tickMs) })
    expect(await found(second, 'grey')).toEqual(['kettle'])
    second.store.close()
  })
})

it('D16 the doctor names the file system', () => {
  const on = (type: number) =>
    placeFindings('/media/stick/memory', {
      writable: () => true,
      real: (path) => path,
      fileSystem: () => type,
      exists: () => false,
    }).map((finding) => findingAdvice(finding).sentence)
  expect(on(0x4d44)).toEqual([expect.stringContaining('a FAT file system')])
  expect(on(0x2011bab0)).toEqual([expect.stringContaining('an exFAT file system')])
  expect(on(0x65735546)).toEqual([expect.stringContaining('FUSE')])
  expect(on(0xef53)).toEqual([])
})

describe('D19 the lock', () => {
  it('is not lost where it is held over a sign of life and taken again at once, many times', async () => {
    const path = join(await tempDir('lock'), '.lock')
    const lock = new DataLock(nodeDisk, path, 1_000, 10_000, 1_000)
    // Each sign of life comes just when the lock is released.
    const work = [...Array(8)].map((_, n) =>
      lock.run(async (held) => {
        await sleep(990 + 3 * n)
        held.check()
      }),
    )
    await Promise.all(work)
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  it('that this process holds is never abandoned, however long the process was held up', async () => {
    const path = join(await tempDir('lock'), '.lock')
    await new DataLock(nodeDisk, path, 1_000).run(async (held) => {
      utimesSync(path, 1, 1)
      const second = new DataLock(nodeDisk, path, 200, 10_000)
      await expect(second.run(() => 'taken')).rejects.toMatchObject({ code: 'LOCKED' })
      held.check()
    })
  })

  it.each(['a dangling link', 'a file'])(
    'with %s in its folder is released and taken again',
    async (what) => {
      const folder = await tempDir('lock')
      const path = join(folder, '.lock')
      const plant = () =>
        what === 'a file' ? writeFileSync(join(path, 'x'), 'kept') : symlinkSync('/nowhere', join(path, 'x'))
      const lock = new DataLock(nodeDisk, path, 1_000)
      await lock.run((held) => {
        plant()
        held.check()
      })
      expect(await lock.run(() => 'again')).toBe('again')
      // What is not ours is kept.
      const kept = readdirSync(folder)
      expect(kept).toEqual([expect.stringMatching(/^\.lock-dead-/)])
      expect(readdirSync(join(folder, kept[0] ?? ''))).toEqual(['x'])
    },
  )

  it.each(['a dangling link', 'a link to a folder', 'a file'])(
    'with %s in its place is refused at once, in one sentence',
    async (what) => {
      const folder = await tempDir('lock')
      const path = join(folder, '.lock')
      const outside = await tempDir('outside')
      if (what === 'a file') writeFileSync(path, 'kept')
      else symlinkSync(what === 'a dangling link' ? '/nowhere' : outside, path)
      const from = performance.now()
      await expect(new DataLock(nodeDisk, path, 5_000).run(() => 'taken')).rejects.toMatchObject({
        code: 'STORAGE',
        problem: expect.stringMatching(/no folder stands where the lock .*; nothing was changed\.$/),
      })
      expect(performance.now() - from).toBeLessThan(1_000)
      expect(readdirSync(outside)).toEqual([])
      if (what === 'a file') expect(readFileSync(path, 'utf8')).toBe('kept')
    },
  )
})

describe('D19 what a newer version left', () => {
  const newer = (text: string) => ({
    writes: [{ path: 'lamp.md', before: null, after: 'A lamp' }],
    deletes: [],
    moves: [{ from: 'lamp.md', to: text }],
    ledger: [],
  })

  it('an unfinished act that is not understood is kept as it is and reported, through writes and deletions', async () => {
    const root = await tempDir('newer')
    mkdirSync(join(root, 'pending'))
    const file = join(root, 'pending', 'abc.json')
    const text = JSON.stringify(newer('other.md'))
    writeFileSync(file, text)
    const { store } = await openStore({ root })
    await store.commit([{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }], person)
    expect((await store.delete('kettle', person)).left).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(join(root, 'memories', '2026', '11'))).toEqual([])
    expect(reportedBy(store)).toEqual([
      expect.stringContaining('pending/abc.json is not understood and kept'),
    ])
    store.close()
  })

  it('a deletion says where such an act holds the text, since it is kept', async () => {
    const root = await tempDir('newer')
    mkdirSync(join(root, 'pending'))
    const { store } = await openStore({ root })
    await store.commit([{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }], person)
    writeFileSync(join(root, 'pending', 'abc.json'), JSON.stringify(newer('The kettle is blue')))
    const { left } = await store.delete('kettle', person)
    expect(left).toEqual([expect.objectContaining({ reason: expect.stringContaining('pending/abc.json') })])
    store.close()
  })

  it('acts and fields of the ledger that are not known are read and kept', async () => {
    const folder = join(await tempDir('newer'), 'ledger')
    mkdirSync(folder)
    const line = {
      at: '2026-11-01T00:00:00.000Z',
      act: 'destroyed',
      id: 'hvmmft4gks',
      by: 'heartbeat',
      rev: [3, null],
      tokens: 12,
    }
    writeFileSync(join(folder, '2026-11.jsonl'), `${JSON.stringify(line)}\n`)
    expect(new Ledger(nodeDisk, folder).read()).toEqual({ entries: [line], bad: [] })
  })
})

describe('D17 a folder that was in use and is empty now', () => {
  async function used() {
    const root = await tempDir('stick')
    const dshHome = `${root}-home`
    await noteProfile(nodeDisk, dshHome, 'web', { dataDir: root })
    const { memory, store } = await openStore({ root })
    await store.commit([{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }], person)
    await memory.atTurnStart()
    await vi.waitFor(() => expect(readProfiles(nodeDisk, dshHome).profiles.web?.used).toBe(true))
    store.close()
    return { root, dshHome }
  }
  const unmount = (root: string) => {
    renameSync(root, `${root}-stick`)
    mkdirSync(root)
  }
  const mount = (root: string) => {
    rmdirSync(root)
    renameSync(`${root}-stick`, root)
  }
  const diagnosed = (memory: Memory, dshHome: string, forgetAbsent = false) =>
    answerDoctor({
      memory,
      machine: { disk: nodeDisk, dshHome },
      profiles: ['web'],
      looksAtProfiles: true,
      forgetAbsent,
    })

  it('is reported with the remedy and not written to, and is the old memory when it is there again', async () => {
    const { root, dshHome } = await used()
    unmount(root)
    const { memory, store } = await openStore({ root })
    await memory.settle()
    const remedy = 'Mount it and start again; to begin anew there: mnemos doctor --forget-absent'
    expect(reportedBy(store).join(' ')).toContain(remedy)
    const write = store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person)
    await expect(explainingLater(write)).rejects.toMatchObject({
      code: 'READ_ONLY',
      message: expect.stringContaining('nothing is made in it'),
    })
    const draft = { text: 'Be kind.', language: 'en' as const }
    await expect(initialise(memory.home, draft, PASSPHRASE, { cost: CHEAP })).rejects.toMatchObject({
      code: 'READ_ONLY',
    })
    const { healthy, findings } = await diagnosed(memory, dshHome)
    expect([healthy, findings[0]]).toEqual([false, expect.objectContaining({ code: 'NOT_MOUNTED', remedy })])
    expect(readdirSync(root)).toEqual([])
    store.close()
    mount(root)
    const again = await openStore({ root })
    expect(await found(again, 'kettle')).toEqual(['kettle'])
    expect(reportedBy(again.store)).toEqual([])
    again.store.close()
  })

  it('while a host runs: nothing is forgotten, made or lost, and it goes on when it is there again', async () => {
    const { root } = await used()
    const { store } = await openStore({ root })
    unmount(root)
    await store.refresh()
    expect(reportedBy(store).join(' ')).toContain('Mount it')
    await expect(
      store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person),
    ).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(readdirSync(root)).toEqual([])
    mount(root)
    await store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person)
    expect((await store.get('kettle')).record.summary).toBe('The kettle is blue')
    expect(reportedBy(store)).toEqual([])
    expect(store.ledger().entries.map(({ act }) => act)).toEqual(['create', 'create'])
    store.close()
  })

  it('is a new memory by the word of the person', async () => {
    const { root, dshHome } = await used()
    unmount(root)
    const { memory } = await openStore({ root })
    expect((await diagnosed(memory, dshHome, true)).findings.map(({ code }) => code)).not.toContain(
      'NOT_MOUNTED',
    )
    const { store } = await openStore({ root })
    await store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person)
    expect(reportedBy(store)).toEqual([])
    store.close()
  })
})

it("D19 dataDir through a link into the host's profiles is not taken", async () => {
  const home = await tempDir('home')
  mkdirSync(join(home, 'profiles', 'web'), { recursive: true })
  symlinkSync(join(home, 'profiles', 'web'), join(home, 'link'))
  const { folder, problem } = dataFolder({
    disk: nodeDisk,
    environment: {},
    dshHome: home,
    profile: 'web',
    configured: join(home, 'link', 'memory'),
  })
  expect(folder).toBe(join(home, 'mnemos', 'web'))
  expect(problem).toContain("inside the host's profiles")
})
