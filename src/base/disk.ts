/**
 * The file layer. Every read and write of the data folder, of its lock and of `profiles.json` goes through {@link Disk},
 * so that a test can make any one of them fail. Calls are synchronous: a write takes a few milliseconds, and nothing
 * must come between its steps.
 *
 * Three things cannot go through it: SQLite opens, reads and writes the file of the search index by itself (what makes,
 * looks at and removes that file does go through it); `/proc` and `statfs` tell of the system and not of the folder; and
 * git reads its own repositories.
 */
import { basename, dirname, join } from 'node:path'
import { MnemosError, reasonOf, systemCode } from './errors.ts'
import { fileSteps, isMissing } from './node-files.ts'
import { type FileStats, nodeCalls, type SystemCalls } from './system-calls.ts'

/** What a folder lists. */
export interface FolderEntry {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

/** What the disk says of a file or folder. */
export interface Stamp {
  size: number
  /** Milliseconds since the epoch, with a fraction. */
  mtimeMs: number
  /** When anything of it changed last, milliseconds: unlike `mtimeMs` nobody can set it. */
  ctimeMs: number
  ino: number
  links: number
  /** Permission bits. */
  mode: number
  kind: FolderEntry['kind']
}

/**
 * Files and folders by absolute path. Every method throws what the system says when it refuses. No file is opened through
 * a link, and a pipe or device in the place of one is refused at once; folders on the way to it may be links.
 */
export interface Disk {
  /**
   * The bytes of a regular file, links not followed; undefined where there is none. Throws on anything else, and on a
   * file of more than `limit` bytes.
   */
  read(path: string, limit?: number): Buffer | undefined
  /** What is at a path, links not followed; undefined where there is nothing. */
  stamp(path: string): Stamp | undefined
  /** The entries of a folder, by name; undefined where there is none. */
  list(path: string): FolderEntry[] | undefined
  /** The path with every link in it resolved. Throws where there is nothing. */
  real(path: string): string
  /**
   * Replaces a file as a whole: temporary file, fsync, `beforeRename`, rename, fsync of the folder. When anything
   * throws, also `beforeRename`, the file is as it was and no temporary file stays.
   */
  replace(path: string, data: string | Uint8Array, options?: ReplaceOptions): void
  /**
   * Overwrites a file in place, or makes it with mode 0600. Neither whole nor flushed: for a note that its reader can
   * find half written, and can do without.
   */
  overwrite(path: string, data: string): void
  /** Makes sure that a file exists and has mode 0600; what it holds stays. */
  touch(path: string): void
  /** Appends one line and fsyncs, a new file's name too; a torn last line of an earlier crash is ended first. */
  append(path: string, line: string): void
  /** Removes a file and fsyncs its folder; false where there was none. */
  remove(path: string): boolean
  /** Makes a folder and its parents, 0700, and fsyncs their names; one that exists is left as it is. */
  folder(path: string): void
  /** Makes one folder, 0700. Throws EEXIST where anything is there: of several processes only one makes it. */
  makeFolder(path: string): void
  /** Removes an empty folder. Throws ENOENT where there is none. */
  removeFolder(path: string): void
  /** Renames a file or folder. */
  rename(from: string, to: string): void
  /** Throws when a folder cannot be written. */
  writable(path: string): void
  /** Sets the permission bits of a file or folder. */
  chmod(path: string, mode: number): void
  /** Sets the time of the last change of a file or folder, milliseconds since the epoch, with a fraction. */
  setTime(path: string, mtimeMs: number): void
}

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Permission bits; 0600 where they are left out. */
  mode?: number
  /** The file's time, milliseconds since the epoch; now where it is left out. */
  mtimeMs?: number
  /** Called between writing and renaming; throwing here leaves the old file in place. */
  beforeRename?: () => void
  /**
   * Called after the rename with the bytes that the replaced file holds now: an editor that saves into the file itself
   * may have done so between `beforeRename` and the rename. Not called where there was no file, or it cannot be read
   * any more. Must not throw.
   */
  afterRename?: (replaced: Buffer) => void
}

/** Temporary files begin with a dot and this, so that what a crash leaves is recognised. */
export const TEMPORARY_PREFIX = '.mnemos-tmp-'

let counter = 0
const temporaryFor = (path: string) =>
  join(
    dirname(path),
    `${TEMPORARY_PREFIX}${process.pid}-${++counter}-${basename(path).slice(0, 40).toWellFormed()}`,
  )

function entryKind(stats: Pick<FileStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FolderEntry['kind'] {
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : 'other'
}

/** A disk over the calls of one system. */
export function diskOver(calls: SystemCalls): Disk {
  const steps = fileSteps(calls)
  const unlinkIfThere = (path: string): boolean => {
    try {
      calls.unlink(path)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }
  const readable = (fd: number): Buffer | undefined => {
    try {
      return steps.readWhole(fd)
    } catch {
      // Nothing can be learnt of an editor that saved into it.
      return undefined
    }
  }
  const discard = (temporary: string) => {
    try {
      unlinkIfThere(temporary)
    } catch {
      // What stopped the write is said; the file is swept at the next start.
    }
  }
  return {
    read(path, limit = Number.POSITIVE_INFINITY) {
      const opened = steps.openRegular(path)
      if (opened === undefined) return undefined
      return steps.using(opened, (fd) => {
        if (calls.stats(fd).size > limit)
          throw new MnemosError(
            'STORAGE',
            `${basename(path)} is larger than ${limit} bytes.`,
            'Shorten it, or move it away.',
          )
        return steps.readWhole(fd)
      })
    },
    stamp(path) {
      const stats = steps.statsOf(path)
      if (!stats) return undefined
      return {
        size: stats.size,
        mtimeMs: stats.mtimeMs,
        ctimeMs: stats.ctimeMs,
        ino: stats.ino,
        links: stats.nlink,
        mode: stats.mode & 0o777,
        kind: entryKind(stats),
      }
    },
    list(path) {
      try {
        const entries = calls.list(path)
        return entries
          .map((entry) => ({ name: entry.name, kind: entryKind(entry) }))
          .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    real: (path) => calls.real(path),
    replace(path, data, options = {}) {
      const temporary = temporaryFor(path)
      const write = (replaced: number | undefined) => {
        try {
          steps.makeFile(temporary, data, options.mode ?? 0o600, options.mtimeMs)
          options.beforeRename?.()
          calls.rename(temporary, path)
        } catch (error) {
          discard(temporary)
          throw error
        }
        // From here on the file is replaced, and nothing may say otherwise.
        steps.syncFolder(dirname(path))
        const bytes = replaced === undefined ? undefined : readable(replaced)
        if (bytes) options.afterRename?.(bytes)
      }
      const replaced = options.afterRename ? steps.openRegular(path) : undefined
      if (replaced === undefined) write(undefined)
      else steps.using(replaced, write)
    },
    overwrite: steps.overwrite,
    touch: steps.touchPrivate,
    append: steps.appendLine,
    remove(path) {
      if (!unlinkIfThere(path)) return false
      steps.syncFolder(dirname(path))
      return true
    },
    folder: steps.makeFolders,
    makeFolder: (path) => calls.mkdir(path, 0o700),
    removeFolder: (path) => calls.rmdir(path),
    rename: (from, to) => calls.rename(from, to),
    writable: (path) => calls.writable(path),
    chmod: steps.setMode,
    setTime: (path, mtimeMs) => calls.lutimes(path, mtimeMs / 1000),
  }
}

/** The disk of this machine. */
export const nodeDisk: Disk = diskOver(nodeCalls)

const storage = (why: string, remedy: string, code: 'STORAGE' | 'READ_ONLY' = 'STORAGE') => ({
  why,
  remedy,
  code,
})

/** What a refusal of the disk comes to, as a clause, and what to do. @param thrown what the disk threw. */
export function storageReason(thrown: unknown): ReturnType<typeof storage> {
  if (thrown instanceof MnemosError) return storage(thrown.problem.replace(/\.$/, ''), thrown.remedy)
  switch (systemCode(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return storage('the disk is full', 'Free some space and try again.')
    case 'EEXIST':
    case 'ENOTDIR':
      return storage('a file stands where a folder should be', 'Move it away.')
    case 'ENOENT':
    case 'ELOOP':
      return storage(
        'the folder that it lies in is gone, or is a link that leads nowhere',
        'Mount the disk that it leads to, or put a folder in its place.',
      )
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return storage(
        `the data folder cannot be written (${reasonOf(thrown)})`,
        'Make it writable for this user, or name another with MNEMOS_DATA.',
        'READ_ONLY',
      )
    case 'EMFILE':
    case 'ENFILE':
      return storage(
        `too many files are open (${reasonOf(thrown)})`,
        'Try again; if it stays so, close other programs.',
      )
    default:
      return storage(reasonOf(thrown), 'Try again; if it fails again, look at the disk.')
  }
}

/**
 * A failed write as a MnemosError that says that nothing was changed, and what to do.
 * @param what the beginning of the sentence: "The record could not be written".
 * @param thrown what the disk threw; a MnemosError stays as it is.
 */
export function storageError(what: string, thrown: unknown): MnemosError {
  if (thrown instanceof MnemosError) return thrown
  const { why, remedy, code } = storageReason(thrown)
  return new MnemosError(code, `${what}: ${why}; nothing was changed.`, remedy, { cause: thrown })
}

/** A failed reading as a MnemosError. As {@link storageError}, for what changes nothing anyway. */
export function readingError(what: string, thrown: unknown): MnemosError {
  if (thrown instanceof MnemosError) return thrown
  const { why, remedy } = storageReason(thrown)
  return new MnemosError('STORAGE', `${what}: ${why}.`, remedy, { cause: thrown })
}
