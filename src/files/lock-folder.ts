/**
 * The folder that a lock is, as proper-lockfile works with it. Its calls go through the {@link Disk} and are done when they
 * return: one that was still under way when a lock is released would land on the next.
 *
 * A lock belongs to whoever's mark lies in the folder: an empty folder with a name that no other lock has. The library tells
 * a lock by its time, which the disk may round to two seconds, and looks at it only by a timer, which does not run while
 * files are written. So the library is told of our lock what it gave it, as long as the mark is there.
 */
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf, systemCode } from '../base/errors.ts'
import { hasOwnerEnded, isMark, newMark } from './lock-owner.ts'

type Callback<T = void> = (error: Error | null, result?: T) => void

/** The calls of Node's `fs` that proper-lockfile makes, of those with a callback and of the one at exit. */
export interface LockCalls {
  mkdir(path: string, done: Callback): void
  stat(path: string, done: Callback<{ mtime: Date }>): void
  utimes(path: string, accessTime: Date, changeTime: Date, done: Callback): void
  rmdir(path: string, done: Callback): void
  rmdirSync(path: string): void
}

/** What a lock is at one moment: whose, and when it last gave a sign of life. */
interface LockState {
  marks: readonly string[]
  /** Milliseconds since the epoch. */
  mtimeMs: number
}

/** The locks of one disk. */
export interface LockFolders {
  calls: LockCalls
  /** Whether the lock at a path is one that this process took and nobody took over. Throws when the disk refuses. */
  isOurs(lock: string): boolean
  /** The state of a lock, as text that can be compared; undefined where there is none or it cannot be told. */
  stateOf(lock: string): string | undefined
  /** Removes a lock if it is still in this state: any other is another lock. Never throws. */
  removeAbandoned(lock: string, state: string): void
  /** Makes the lock's folder with a mark of this process. Throws EEXIST where another one has it, and what the disk throws. */
  take(lock: string): void
  /** Gives a sign of life of a lock of this process. Never throws. */
  refresh(lock: string): void
  /** Removes a lock of this process; what cannot be removed is taken over after a while. Never throws. */
  release(lock: string): void
  /** Removes the lock if no process that holds it runs any more. Never throws. */
  removeIfOwnerEnded(lock: string): void
}

const perDisk = new WeakMap<Disk, LockFolders>()

/** The locks of a disk. The same object for the same disk: the library keeps on it what it measured of the disk. */
export function lockFoldersOn(disk: Disk): LockFolders {
  const known = perDisk.get(disk) ?? makeLockFolders(disk)
  perDisk.set(disk, known)
  return known
}

const withCode = (code: string, what: string) => Object.assign(new Error(`${code}: ${what}`), { code })

function makeLockFolders(disk: Disk): LockFolders {
  /** The locks of this process, with the times that the library gave them. */
  const ours = new Map<string, { mark: string; time: Date }>()
  /** Marks of locks that were released and could not be removed: nobody holds them. */
  const released = new Set<string>()
  /** Locks of ours that the library could not take, and of which it now asks whether they are abandoned. */
  const asked = new Set<string>()
  /** The state in which the library last saw a lock of another process. */
  const seen = new Map<string, string>()

  const read = (lock: string): LockState | undefined => {
    const stamp = disk.stamp(lock)
    if (!stamp) return undefined
    const marks = (disk.list(lock) ?? []).flatMap(({ name }) => (isMark(name) ? [name] : []))
    return { marks, mtimeMs: stamp.mtimeMs }
  }
  const stateOf = (lock: string): string | undefined => {
    try {
      const state = read(lock)
      return state && JSON.stringify(state)
    } catch {
      // Nothing follows from a lock that cannot be looked at.
      return undefined
    }
  }
  const isOurs = (lock: string): boolean => {
    const mark = ours.get(lock)?.mark
    return mark !== undefined && disk.stamp(join(lock, mark)) !== undefined
  }

  const take = (lock: string) => {
    try {
      disk.makeFolder(lock)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      refuseOther(disk, lock)
      if (isOurs(lock)) asked.add(lock)
      throw error
    }
    const mark = newMark()
    try {
      disk.makeFolder(join(lock, mark))
      // Another process may have taken the folder for abandoned before the mark was in it.
      if (read(lock)?.marks.join() !== mark) throw withCode('EEXIST', 'another process took the lock over')
    } catch (error) {
      drop(lock, mark)
      throw systemCode(error) === 'ENOENT' ? withCode('EEXIST', reasonOf(error)) : error
    }
    ours.set(lock, { mark, time: new Date() })
  }

  /** Removes a mark, and the folder where nothing else is in it. What cannot be removed is taken over after a while. */
  const drop = (lock: string, mark: string) => {
    for (const folder of [join(lock, mark), lock]) {
      try {
        disk.removeFolder(folder)
      } catch {
        released.add(mark)
      }
    }
  }

  const release = (lock: string) => {
    const mark = ours.get(lock)?.mark ?? ''
    ours.delete(lock)
    try {
      disk.removeFolder(join(lock, mark))
      removeEmptied(lock)
    } catch (error) {
      released.add(mark)
      throw error
    }
  }

  /** Something that is not ours may lie in the folder: it keeps what it is in, under another name. */
  const removeEmptied = (lock: string) => {
    try {
      disk.removeFolder(lock)
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '') || read(lock)?.marks.length !== 0)
        throw error
      disk.rename(lock, `${lock}-dead-${nanoid()}`)
    }
  }

  const removeAbandoned = (lock: string, state: string) => {
    if (stateOf(lock) !== state) return
    const moved = `${lock}-dead-${nanoid()}`
    try {
      disk.rename(lock, moved)
      if (stateOf(moved) === state) {
        for (const mark of read(moved)?.marks ?? []) disk.removeFolder(join(moved, mark))
        disk.removeFolder(moved)
      }
      // Another process was faster, and this is its lock. Until it is back, that process's own check stops it.
      else disk.rename(moved, lock)
    } catch {
      // Another process removed it first, or the disk refuses: the lock is waited for.
    }
  }

  const removeIfOwnerEnded = (lock: string) => {
    const state = stateOf(lock)
    if (state === undefined) return
    const { marks } = JSON.parse(state) as LockState
    if (marks.length > 0 && marks.every((mark) => released.has(mark) || hasOwnerEnded(mark)))
      removeAbandoned(lock, state)
  }

  const timeOf = (lock: string): Date => {
    const own = ours.get(lock)
    // What this process holds is not abandoned while it runs, however long it was held up.
    if (own && isOurs(lock)) return asked.delete(lock) ? new Date() : own.time
    if (own) {
      ours.delete(lock)
      throw withCode('ENOENT', `another process took over ${lock}`)
    }
    const state = read(lock)
    if (!state) throw withCode('ENOENT', `there is no ${lock}`)
    seen.set(lock, JSON.stringify(state))
    return new Date(Math.round(state.mtimeMs))
  }

  const giveTime = (lock: string, time: Date) => {
    const own = ours.get(lock)
    if (!own || !isOurs(lock)) throw withCode('ENOENT', `another process took over ${lock}`)
    disk.setTime(lock, time.getTime())
    own.time = time
  }

  const remove = (lock: string) => {
    if (ours.has(lock)) release(lock)
    // The library saw it without a sign of life for too long. Where it changed since, it is waited for.
    else removeAbandoned(lock, seen.get(lock) ?? '')
  }

  return {
    isOurs,
    stateOf,
    removeAbandoned,
    removeIfOwnerEnded,
    take,
    refresh: (lock) => quietly(() => giveTime(lock, new Date())),
    release: (lock) => quietly(() => release(lock)),
    calls: {
      mkdir: (path, done) => respond(done, () => take(path)),
      stat: (path, done) => respond(done, () => ({ mtime: timeOf(path) })),
      utimes: (path, _, changeTime, done) => respond(done, () => giveTime(path, changeTime)),
      rmdir: (path, done) => respond(done, () => remove(path)),
      rmdirSync: (path) => {
        if (isOurs(path)) release(path)
      },
    },
  }
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // A reservation that cannot be kept or removed is no longer ours, or is taken for abandoned after a while.
  }
}

/** @throws MnemosError where something else than a folder stands in the lock's place: it would be waited for in vain. */
function refuseOther(disk: Disk, lock: string): void {
  const kind = disk.stamp(lock)?.kind ?? 'folder'
  if (kind === 'folder') return
  throw new MnemosError(
    'STORAGE',
    `Something that is no folder stands where the lock of the data folder should be (.lock); nothing was changed.`,
    'Look at what it is, and move it away.',
  )
}

/** Does something and tells `done`, as Node does, of the outcome; once, also where `done` itself throws. */
function respond<T>(done: Callback<T>, work: () => T): void {
  let result: T
  try {
    result = work()
  } catch (error) {
    done(error instanceof Error ? error : new Error(reasonOf(error)))
    return
  }
  done(null, result)
}
