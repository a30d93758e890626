/** The lock between processes: a lost one is noticed before anything becomes visible, and that of a process which ended is not waited for. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { DataLock } from '../../../src/files/lock.ts'
import type { Act } from '../../../src/store/acts.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { steppingClock } from '../../support/clock.ts'
import { filesBelow } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()

afterEach(() => vi.restoreAllMocks())

/** Another process takes the lock over, as it may after this one was held up. */
function takeOver(lock: string): void {
  rmSync(lock, { recursive: true })
  mkdirSync(lock)
}

describe('a lock that another process took over', () => {
  it('is seen to be lost at once, and is left to its new owner', async () => {
    const path = join(await tempDir('lock'), '.lock')
    await new DataLock(nodeDisk, path, 1000).run((held) => {
      held.check()
      takeOver(path)
      expect(() => held.check()).toThrow('took over the lock')
    })
    expect(existsSync(path)).toBe(true)
  })

  it('keeps a write of one record from becoming visible', async () => {
    const { store, root } = await openStore()
    const change = () => {
      takeOver(store.layout.lock)
      return { summary: 'never seen' }
    }
    const { records } = await store.commit([{ act: 'create', record: { summary: 'first' } }], person)
    const id = records[0]?.id ?? ''
    await expect(
      store.commit([{ act: 'update', id, change: (record) => ({ ...record, ...change() }) }], person),
    ).rejects.toThrow('took over the lock')
    expect(filesBelow(join(root, 'memories')).map(({ bytes }) => bytes.includes('never seen'))).toEqual([
      false,
    ])
  })

  it('in the middle of an act leaves its note, from which the new owner finishes the whole act', async () => {
    const { store, root } = await openStore()
    const make = (n: number): Act => ({ act: 'create', record: { summary: `fact ${n}` } })
    const { records } = await store.commit([make(1), make(2)], person)
    store.close()
    const last = join(root, 'memories', '2026', '11', `${records[1]?.id}.md`)
    const { store: paused } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        replace: (path, data, options) => {
          if (path === last) takeOver(join(root, '.lock'))
          nodeDisk.replace(path, data, options)
        },
      },
    })
    const change = (record: { tags: string[] }) => ({ ...record, tags: ['changed'] }) as never
    const acts = records.map(({ id }): Act => ({ act: 'update', id, change }))
    await expect(paused.commit(acts, person)).rejects.toThrow('will be finished as soon as the disk allows')
    paused.close()
    rmdirSync(join(root, '.lock'))
    const { store: again } = await openStore({ root })
    for (const { id } of records) expect((await again.get(id)).record.tags).toEqual(['changed'])
    again.close()
  })
})

describe('a lock whose time lies in the future', () => {
  it('is taken over once it has shown no sign of life while it was waited for, and not before', async () => {
    const path = join(await tempDir('lock'), '.lock')
    mkdirSync(path)
    const tomorrow = Date.now() / 1000 + 86_400
    utimesSync(path, tomorrow, tomorrow)
    const clock = steppingClock()
    expect(await new DataLock(nodeDisk, path, 2_000, 400).run(() => 'got it')).toBe('got it')
    expect(clock.at()).toBeGreaterThan(400)
    expect(clock.at()).toBeLessThan(2_000)
  })

  it('is left to a process that gives signs of life', async () => {
    const path = join(await tempDir('lock'), '.lock')
    mkdirSync(path)
    let at = Date.now() / 1000 + 86_400
    steppingClock(60, () => utimesSync(path, ++at, at))
    await expect(new DataLock(nodeDisk, path, 1_000, 150).run(() => 'got it')).rejects.toThrow(
      'Another process has held',
    )
  })
})

describe.runIf(process.platform === 'linux')('a lock whose mark names', () => {
  const here = () =>
    `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  async function locked(owner: { pid: number; where?: string; started?: string }) {
    const path = join(await tempDir('lock'), '.lock')
    const where = createHash('sha256').update(owner.where ?? here())
    const mark = [
      owner.pid,
      owner.started ?? startOf(owner.pid),
      where.digest('hex').slice(0, 16),
      'abcdefghijklmnopqrstu',
    ].join('-')
    mkdirSync(join(path, mark), { recursive: true })
    steppingClock()
    return new DataLock(nodeDisk, path, 300).run(() => 'got it')
  }
  const ended = () => spawnSync('true').pid
  const startOf = (pid: number) => {
    if (!existsSync(`/proc/${pid}/stat`)) return '1'
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
  }

  it('a process that ended is taken over at once', async () => {
    expect(await locked({ pid: ended() })).toBe('got it')
  })

  it('a process id that another process has now is taken over at once', async () => {
    expect(await locked({ pid: process.ppid, started: '1' })).toBe('got it')
  })

  it.each([
    ['a living process', () => ({ pid: process.ppid })],
    ['an ended process of another machine or container', () => ({ pid: ended(), where: 'elsewhere' })],
  ])('%s is waited for', async (_, owner) => {
    await expect(locked(owner())).rejects.toThrow('Another process has held the data folder')
  })
})

describe('an editor that saves between the last look and the rename', () => {
  /** A store whose n-th rename of the record's file is preceded by the editor's save. */
  async function raced(save: (file: string) => void) {
    const { store, root } = await openStore()
    const { records } = await store.commit(
      [{ act: 'create', record: { summary: 'the fact', content: 'first line' } }],
      person,
    )
    const id = records[0]?.id ?? ''
    const { file } = await store.get(id)
    store.close()
    let saves = 1
    const disk = {
      ...nodeDisk,
      replace: (path: string, data: string | Uint8Array, options: Parameters<typeof nodeDisk.replace>[2]) =>
        nodeDisk.replace(path, data, {
          ...options,
          beforeRename: () => {
            options?.beforeRename?.()
            if (path === file && saves-- > 0) save(file)
          },
        }),
    }
    const opened = await openStore({ root, disk })
    return { ...opened, id, file }
  }
  const tag: (id: string) => Act = (id) => ({
    act: 'update',
    id,
    change: (record) => ({ ...record, tags: ['mine'] }),
  })

  it('into the file has its words merged into ours, and the answer is what came of it', async () => {
    const { store, id, file } = await raced((path) => appendFileSync(path, 'theirs\n'))
    const { records, warnings } = await store.commit([tag(id)], person)
    expect(records[0]).toMatchObject({ tags: ['mine'], content: 'first line\ntheirs' })
    expect(readFileSync(file, 'utf8')).toContain('first line\ntheirs\n')
    expect(warnings).toEqual([])
  })

  it('the same line as we: both texts are kept in the file, and that is reported', async () => {
    const { store, id, file } = await raced((path) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace('first line', 'their line')),
    )
    const change: Act = { act: 'update', id, change: (record) => ({ ...record, content: 'our line' }) }
    const { warnings } = await store.commit([change], person)
    const text = readFileSync(file, 'utf8')
    expect([text.includes('our line'), text.includes('their line')]).toEqual([true, true])
    expect(warnings).toEqual([expect.stringContaining('both versions are kept in it (content)')])
  })

  it('into both files of an act that has begun: the act goes on, whole, with both edits in it', async () => {
    const { store, root } = await openStore()
    const make = (n: number): Act => ({
      act: 'create',
      record: { summary: `fact ${n}`, content: 'first line' },
    })
    const ids = (await store.commit([make(1), make(2)], person)).records.map(({ id }) => id)
    const [first = '', second = ''] = await Promise.all(ids.map(async (id) => (await store.get(id)).file))
    store.close()
    let saves = 1
    const { store: raced } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        replace: (path, data, options) => {
          if (path === second && saves-- > 0)
            for (const file of [first, second]) appendFileSync(file, 'theirs\n')
          nodeDisk.replace(path, data, options)
        },
      },
    })
    const { warnings } = await raced.commit(ids.map(tag), person)
    expect(warnings).toEqual([])
    for (const id of ids)
      expect((await raced.get(id)).record).toMatchObject({ tags: ['mine'], content: 'first line\ntheirs' })
  })

  it('LIMIT: by a rename in those microseconds is lost: what was replaced cannot be seen any more', async () => {
    const { store, id, file } = await raced((path) => {
      writeFileSync(`${path}.swp`, `${readFileSync(path, 'utf8')}theirs\n`)
      renameSync(`${path}.swp`, path)
    })
    await store.commit([tag(id)], person)
    expect(readFileSync(file, 'utf8')).not.toContain('theirs')
  })

  it('while an interrupted act is finished is merged too', async () => {
    const { store, id, file, root } = await raced((path) => appendFileSync(path, 'theirs\n'))
    const before = readFileSync(file, 'utf8')
    const after = before.replace('status: active', 'status: deprecated').replace('rev: 1', 'rev: 2')
    mkdirSync(join(root, 'pending'), { recursive: true })
    const note = {
      writes: [{ path: file.slice(join(root, 'memories').length + 1), before, after }],
      deletes: [],
      ledger: [],
    }
    writeFileSync(join(root, 'pending', 'left.json'), JSON.stringify(note))
    await store.commit([{ act: 'create', record: { summary: 'another' } }], person)
    expect((await store.get(id)).record).toMatchObject({
      status: 'deprecated',
      content: 'first line\ntheirs',
    })
  })
})
