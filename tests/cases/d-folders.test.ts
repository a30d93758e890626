/** Part D of issue 11: where a data folder lies, and who may write in it. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { placeFindings } from '../../src/doctor/place.ts'
import { DataLock } from '../../src/files/lock.ts'
import { findingAdvice } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { coarseDisk } from '../support/coarse.ts'
import { reportedBy } from '../support/messages.ts'
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
