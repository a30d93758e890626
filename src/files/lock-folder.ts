/**
 * The folder that a lock is, as proper-lockfile works with it: its calls go through the {@link Disk}, and what it does to
 * the folder is noted here, so that a holder can see on disk whether the lock is still its own. The library looks at that
 * only by a timer, and while files are written no timer runs.
 */
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { lockTime, noteOwner, roundedTime, uniqueTime } from './lock-owner.ts'

type Callback<T = void> = (error: Error | null, result?: T) => void

/** The calls of Node's `fs` that proper-lockfile makes, of those with a callback and of the one at exit. */
export interface LockCalls {
  mkdir(path: string, done: Callback): void
  stat(path: string, done: Callback<{ mtime: Date }>): void
  utimes(path: string, accessTime: Date, changeTime: Date, done: Callback): void
  rmdir(path: string, done: Callback): void
  rmdirSync(path: string): void
}

/** The locks of one disk. */
export interface LockFolders {
  calls: LockCalls
  /** Whether the lock at a path is one that this process took and nobody took over. Throws when the disk refuses. */
  isOurs(lock: string): boolean
}

const perDisk = new WeakMap<Disk, LockFolders>()

/** The locks of a disk. The same object for the same disk: the library keeps on it what it measured of the disk. */
export function lockFoldersOn(disk: Disk): LockFolders {
  const known = perDisk.get(disk) ?? makeLockFolders(disk)
  perDisk.set(disk, known)
  return known
}

function makeLockFolders(disk: Disk): LockFolders {
  /** The times that this process gave to the folders of its locks: a lock is ours as long as it has one of them. */
  const given = new Map<string, ReadonlySet<number>>()
  const isOurs = (lock: string) => given.get(lock)?.has(lockTime(disk, lock) ?? Number.NaN) ?? false
  const give = (lock: string, times: number[]) => {
    given.set(lock, new Set(times))
    noteOwner(disk, lock, times)
  }
  const make = (path: string) => {
    disk.makeFolder(path)
    try {
      const time = uniqueTime(Date.now())
      disk.setTime(path, time)
      give(path, [roundedTime(time)])
    } catch (error) {
      removeOwn(disk, path)
      throw error
    }
  }
  const setTime = (path: string, changeTime: Date) => {
    const time = uniqueTime(changeTime.getTime())
    // Both count where the disk refuses: it may have been done all the same.
    give(path, [...(given.get(path) ?? []), roundedTime(time)])
    disk.setTime(path, time)
    given.set(path, new Set([roundedTime(time)]))
  }
  return {
    isOurs,
    calls: {
      mkdir: (path, done) => respond(done, () => make(path)),
      stat: (path, done) => respond(done, () => ({ mtime: changeTimeOf(disk, path) })),
      utimes: (path, _, changeTime, done) => respond(done, () => setTime(path, changeTime)),
      rmdir: (path, done) => respond(done, () => disk.removeFolder(path)),
      rmdirSync: (path) => {
        if (isOurs(path)) disk.removeFolder(path)
      },
    },
  }
}

/** A lock that cannot be marked as ours must not stay: others would wait for it. */
function removeOwn(disk: Disk, path: string): void {
  try {
    disk.removeFolder(path)
  } catch {
    // It shows no sign of life and is taken over after a while.
  }
}

function changeTimeOf(disk: Disk, path: string): Date {
  const stamp = disk.stamp(path)
  if (!stamp) throw Object.assign(new Error(`ENOENT: there is no ${path}`), { code: 'ENOENT' })
  return new Date(Math.round(stamp.mtimeMs))
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
