/** Steps on files that one call to the system does not do: what the disk of `disk.ts` is made of. */
import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { MnemosError, systemCode } from './errors.ts'
import type { FileStats, SystemCalls } from './system-calls.ts'

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants
/** No file of ours is a link: what one leads to is never opened. Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** Opening a named pipe or a device must fail or come back, not wait for the other end. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const PRIVATE = 0o600

/** Whether a call failed because there is nothing at the path. Below a file there is nothing either. */
export const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '')

const orMissing = <T>(call: () => T): T | undefined => {
  try {
    return call()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** What opening anything else than a regular file throws. */
export class IrregularFile extends MnemosError {
  constructor(path: string, cause?: unknown) {
    super(
      'STORAGE',
      `${basename(path)} is a link, a pipe, a device or a folder, and no file of ours.`,
      'Look at what it is, and move it away.',
      { cause },
    )
  }
}

const irregular = (path: string, cause?: unknown) => new IrregularFile(path, cause)

/** What Linux and the BSDs say of a link that is not followed, of a socket, and of a pipe that nobody reads. */
const IRREGULAR = ['EISDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP', 'ENODEV']

/** The steps over the calls of one system. */
export function fileSteps(calls: SystemCalls) {
  /**
   * Opens a regular file, links not followed and without ever waiting.
   * @throws MnemosError STORAGE where anything else is at the path.
   */
  function openOwn(path: string, flags: number): number {
    let fd: number
    try {
      fd = calls.open(path, flags | NO_FOLLOW | NO_WAIT, PRIVATE)
    } catch (error) {
      throw IRREGULAR.includes(systemCode(error) ?? '') ? irregular(path, error) : error
    }
    try {
      if (calls.stats(fd).isFile()) return fd
    } catch (error) {
      closeQuietly(fd)
      throw error
    }
    closeQuietly(fd)
    throw irregular(path)
  }

  /** Closes a file of which everything that counts is done: what closing says comes too late to change that. */
  function closeQuietly(fd: number): void {
    try {
      calls.close(fd)
    } catch {
      // The system gives the number back all the same.
    }
  }

  /** Does something with an open file and closes it. */
  function using<T>(fd: number, body: (fd: number) => T): T {
    try {
      return body(fd)
    } finally {
      closeQuietly(fd)
    }
  }

  function writeAll(fd: number, data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
    let done = 0
    while (done < bytes.length) done += calls.write(fd, bytes, done, bytes.length - done)
  }

  /** Fsyncs a folder, so that a new name, a rename or a removal in it survives a power cut. Never throws. */
  function syncFolder(path: string): void {
    try {
      using(calls.open(path, O_RDONLY), (fd) => calls.fsync(fd))
    } catch {
      // Some systems (Windows, some network file systems) cannot fsync a folder; the change stands all the same.
    }
  }

  const statsOf = (path: string): FileStats | undefined => orMissing(() => calls.lstat(path))

  return {
    using,
    syncFolder,
    /** What is at a path, links not followed; undefined where there is nothing. */
    statsOf,

    /** Opens a regular file for reading; undefined where there is none. Throws on anything else. */
    openRegular: (path: string): number | undefined => orMissing(() => openOwn(path, O_RDONLY)),

    /** All bytes of an open file. */
    readWhole(fd: number): Buffer {
      const bytes = Buffer.alloc(calls.stats(fd).size)
      let done = 0
      while (done < bytes.length) {
        const n = calls.read(fd, bytes, done, bytes.length - done, done)
        if (n === 0) break
        done += n
      }
      return bytes.subarray(0, done)
    },

    /** Overwrites a file in place, or makes it with mode 0600. No fsync. */
    overwrite: (path: string, data: string): void =>
      using(openOwn(path, O_WRONLY | O_CREAT), (fd) => {
        calls.truncate(fd)
        writeAll(fd, data)
      }),

    /**
     * Makes a file that does not exist yet and fsyncs it.
     * @param mode permission bits. @param mtimeMs milliseconds since the epoch; now where it is left out.
     */
    makeFile(path: string, data: string | Uint8Array, mode: number, mtimeMs: number | undefined): void {
      const fd = calls.open(path, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, PRIVATE)
      let isDone = false
      try {
        writeAll(fd, data)
        calls.fchmod(fd, mode)
        if (mtimeMs !== undefined) calls.futimes(fd, mtimeMs / 1000)
        calls.fsync(fd)
        isDone = true
      } finally {
        // Some network file systems tell only now that there is no room.
        if (isDone) calls.close(fd)
        else closeQuietly(fd)
      }
    },

    /** Makes sure that a file exists and has mode 0600; what it holds stays. */
    touchPrivate: (path: string): void =>
      using(openOwn(path, O_RDWR | O_CREAT), (fd) => calls.fchmod(fd, PRIVATE)),

    /** Appends one line and fsyncs it, with the name of a new file; a torn last line is ended first. */
    appendLine(path: string, line: string): void {
      const isNew = using(openOwn(path, O_RDWR | O_APPEND | O_CREAT), (fd) => {
        const { size } = calls.stats(fd)
        const last = new Uint8Array(1)
        const isTorn = size > 0 && calls.read(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
        writeAll(fd, `${isTorn ? '\n' : ''}${line}\n`)
        calls.fsync(fd)
        return size === 0
      })
      if (isNew) syncFolder(dirname(path))
    },

    /** Makes a folder and those above it that are missing, each with mode 0700 and its name fsynced. */
    makeFolders(path: string): void {
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
          calls.mkdir(folder, 0o700)
        } catch (error) {
          // Another process may have made it meanwhile.
          if (systemCode(error) !== 'EEXIST') throw error
        }
        syncFolder(dirname(folder))
      }
      // Links are followed: the data folder itself may be one.
      const isFolder = orMissing(() => calls.stat(path))?.isDirectory() ?? false
      if (missing.length === 0 && !isFolder)
        throw Object.assign(new Error(`EEXIST: ${basename(path)} is no folder`), { code: 'EEXIST' })
    },

    /** Sets the permission bits of a file or folder, not of what a link leads to. */
    setMode(path: string, mode: number): void {
      if (calls.lstat(path).isSymbolicLink()) throw irregular(path)
      calls.chmod(path, mode)
    },
  }
}
