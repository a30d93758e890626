/**
 * The file layer: every read and write of the data folder goes through {@link Disk}, so a test can make any one
 * of them fail. Calls are synchronous: a write is a few milliseconds and must not interleave with another.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemosError, reasonOf, systemCode } from './errors.ts'

export interface Entry {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

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
  kind: Entry['kind']
}

export interface Disk {
  /** The bytes of a regular file, links not followed; undefined where there is none. Throws on anything else. */
  read(path: string, limit?: number): Buffer | undefined
  /** What stands at a path, links not followed; undefined where there is nothing. */
  stamp(path: string): Stamp | undefined
  /** The entries of a folder, by name; undefined where there is none. */
  list(path: string): Entry[] | undefined
  /**
   * Replaces a file as a whole: temporary file, fsync, `beforeRename`, rename, fsync of the folder. When anything
   * throws, also `beforeRename`, the file is as it was and no temporary file stays.
   */
  replace(path: string, data: string | Uint8Array, options?: ReplaceOptions): void
  /** Appends one line and fsyncs; a torn last line of an earlier crash is closed first. */
  append(path: string, line: string): void
  /** Removes a file and fsyncs its folder; false where there was none. */
  remove(path: string): boolean
  /** Makes a folder and its parents, 0700. */
  folder(path: string): void
  /** Throws when a folder cannot be written. */
  writable(path: string): void
  /** Sets the permission bits of a file or folder. */
  chmod(path: string, mode: number): void
}

export interface ReplaceOptions {
  mode?: number
  /** The file's time, milliseconds since the epoch; now where it is left out. */
  mtimeMs?: number
  /** Called between writing and renaming; throwing here leaves the old file in place. */
  beforeRename?: () => void
  /**
   * Called after the rename with the bytes that the replaced file holds now: an editor that saves into the file itself
   * may have done so between `beforeRename` and the rename. Not called where there was no file. Must not throw.
   */
  afterRename?: (replaced: Buffer) => void
}

/** Temporary files begin with a dot and this, so that a crash leaves something recognisable. */
export const TEMPORARY_PREFIX = '.mnemos-tmp-'

let counter = 0
const temporaryFor = (path: string) =>
  join(dirname(path), `${TEMPORARY_PREFIX}${process.pid}-${++counter}-${basename(path).slice(0, 40)}`)

function kindOf(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['kind'] {
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : 'other'
}

const isMissing = (thrown: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '')

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Below a file there is nothing either.
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Whether a folder stands at a path, links followed: the data folder itself may be one. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function syncFolder(path: string): void {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    fsyncSync(fd)
  } catch {
    // Some systems (Windows, some network file systems) cannot fsync a folder; the rename stands all the same.
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function writeAll(fd: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done)
}

/** Opens a regular file for reading, links not followed; undefined where there is none. Throws on anything else. */
function openRegular(path: string): number | undefined {
  let fd: number
  try {
    // NONBLOCK: opening a named pipe must fail below, not wait for a writer.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new MnemosError('STORAGE', `${path} is not a regular file.`)
}

/** All that an open file holds. */
function bytesOf(fd: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size)
  let done = 0
  while (done < bytes.length) {
    const n = readSync(fd, bytes, done, bytes.length - done, done)
    if (n === 0) break
    done += n
  }
  return bytes.subarray(0, done)
}

function makeTemporary(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, mtimeMs }: ReplaceOptions,
): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeAll(fd, data)
    fchmodSync(fd, mode)
    if (mtimeMs !== undefined) futimesSync(fd, mtimeMs / 1000, mtimeMs / 1000)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

export const nodeDisk: Disk = {
  read(path, limit = Number.POSITIVE_INFINITY) {
    const fd = openRegular(path)
    if (fd === undefined) return undefined
    try {
      const { size } = fstatSync(fd)
      if (size > limit) throw new MnemosError('STORAGE', `${path} is larger than ${limit} bytes.`)
      return bytesOf(fd)
    } finally {
      closeSync(fd)
    }
  },
  stamp(path) {
    const stats = statsOf(path)
    if (!stats) return undefined
    return {
      size: stats.size,
      mtimeMs: stats.mtimeMs,
      ctimeMs: stats.ctimeMs,
      ino: stats.ino,
      links: stats.nlink,
      mode: stats.mode & 0o777,
      kind: kindOf(stats),
    }
  },
  list(path) {
    try {
      const entries = readdirSync(path, { withFileTypes: true })
      return entries
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
  replace(path, data, options = {}) {
    const temporary = temporaryFor(path)
    const replaced = options.afterRename ? openRegular(path) : undefined
    try {
      try {
        makeTemporary(temporary, data, options)
        options.beforeRename?.()
        renameSync(temporary, path)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
      syncFolder(dirname(path))
      if (replaced !== undefined) options.afterRename?.(bytesOf(replaced))
    } finally {
      if (replaced !== undefined) closeSync(replaced)
    }
  },
  append(path, line) {
    const fd = openSync(path, 'a+', 0o600)
    try {
      const { size } = fstatSync(fd)
      const last = Buffer.alloc(1)
      const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
      writeAll(fd, `${torn ? '\n' : ''}${line}\n`)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  remove(path) {
    try {
      rmSync(path)
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
    syncFolder(dirname(path))
    return true
  },
  folder(path) {
    // Not `recursive`: Node tries for ever where a file system answers that a parent it just made is not there.
    const missing: string[] = []
    for (
      let folder = path;
      statsOf(folder) === undefined && dirname(folder) !== folder;
      folder = dirname(folder)
    )
      missing.push(folder)
    for (const folder of missing.reverse()) {
      try {
        mkdirSync(folder, { mode: 0o700 })
      } catch (error) {
        // Another process may have made it meanwhile.
        if (systemCode(error) !== 'EEXIST') throw error
      }
    }
    if (missing.length === 0 && !isFolder(path))
      throw Object.assign(new Error(`EEXIST: ${path} is no folder`), { code: 'EEXIST' })
  },
  writable(path) {
    accessSync(path, constants.W_OK)
  },
  chmod(path, mode) {
    chmodSync(path, mode)
  },
}

/** A failed write as one sentence that says whether anything was lost. */
export function storageError(what: string, thrown: unknown): MnemosError {
  if (thrown instanceof MnemosError) return thrown
  const options = { cause: thrown }
  switch (systemCode(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new MnemosError(
        'STORAGE',
        `${what}: the disk is full; nothing was changed.`,
        'Free some space and try again.',
        options,
      )
    case 'EEXIST':
    case 'ENOTDIR':
      return new MnemosError(
        'STORAGE',
        `${what}: a file stands where a folder should be; nothing was changed.`,
        'Move it away.',
        options,
      )
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new MnemosError(
        'READ_ONLY',
        `${what}: the data folder cannot be written (${reasonOf(thrown)}); nothing was changed.`,
        'Make it writable for this user, or name another with MNEMOS_DATA.',
        options,
      )
    default:
      return new MnemosError('STORAGE', `${what}: ${reasonOf(thrown)}; nothing was changed.`, '', options)
  }
}
