/** Steps on files that one call of Node does not do: what {@link nodeDisk} of `disk.ts` is made of. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { MnemosError, systemCode } from './errors.ts'

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** Opening a named pipe must fail, not wait for the other end. */
const NO_WAIT = constants.O_NONBLOCK ?? 0

/** Whether a call failed because there is nothing at the path. Below a file there is nothing either. */
export const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '')

/** What is at a path, links not followed; undefined where there is nothing. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Opens a regular file for reading, links not followed; undefined where there is none. Throws on anything else. */
export function openRegular(path: string): number | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new MnemosError('STORAGE', `${path} is not a regular file.`, 'Move it away.')
}

/** All bytes of an open file. */
export function readWhole(fd: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(fd).size)
  let done = 0
  while (done < bytes.length) {
    const n = readSync(fd, bytes, done, bytes.length - done, done)
    if (n === 0) break
    done += n
  }
  return bytes.subarray(0, done)
}

/** Writes all of `data`, however many calls that takes. */
export function writeAll(fd: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done)
}

/** Overwrites a file in place, links not followed, or makes it with mode 0600. No fsync. */
export function overwrite(path: string, data: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants
  const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | NO_FOLLOW | NO_WAIT, 0o600)
  try {
    writeAll(fd, data)
  } finally {
    closeSync(fd)
  }
}

/**
 * Makes a file that does not exist yet and fsyncs it.
 * @param mode permission bits. @param mtimeMs milliseconds since the epoch; now where it is left out.
 */
export function makeFile(
  path: string,
  data: string | Uint8Array,
  mode: number,
  mtimeMs: number | undefined,
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

/** Makes sure that a file exists and has mode 0600; what it holds stays. */
export function touchPrivate(path: string): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    fchmodSync(fd, 0o600)
  } finally {
    closeSync(fd)
  }
}

/** Appends one line and fsyncs; a torn last line is ended first. */
export function appendLine(path: string, line: string): void {
  const fd = openSync(path, 'a+', 0o600)
  try {
    const { size } = fstatSync(fd)
    const last = Buffer.alloc(1)
    const isTorn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
    writeAll(fd, `${isTorn ? '\n' : ''}${line}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Fsyncs a folder, so that a rename or a removal in it survives a power cut. Never throws. */
export function syncFolder(path: string): void {
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

/** Makes a folder and those above it that are missing, each with mode 0700. */
export function makeFolders(path: string): void {
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
  // Links are followed: the data folder itself may be one.
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (missing.length === 0 && !isFolder)
    throw Object.assign(new Error(`EEXIST: ${path} is no folder`), { code: 'EEXIST' })
}
