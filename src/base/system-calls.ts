/** The calls to the system that a disk is made of: one method a call, so that a test can count, fail or replay each. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'

/** What a call tells of a file. */
export type FileStats = Pick<
  Stats,
  'size' | 'mtimeMs' | 'ctimeMs' | 'ino' | 'nlink' | 'mode' | 'isFile' | 'isDirectory' | 'isSymbolicLink'
>
/** An entry of a folder. */
export type FolderItem = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>

/** Each throws what the system says when it refuses. Times are seconds since the epoch. */
export interface SystemCalls {
  open(path: string, flags: number, mode?: number): number
  close(fd: number): void
  read(fd: number, into: Uint8Array, offset: number, length: number, position: number): number
  write(fd: number, bytes: Uint8Array, offset: number, length: number): number
  fsync(fd: number): void
  truncate(fd: number): void
  stats(fd: number): FileStats
  /** Links not followed. */
  lstat(path: string): FileStats
  stat(path: string): FileStats
  fchmod(fd: number, mode: number): void
  chmod(path: string, mode: number): void
  futimes(fd: number, seconds: number): void
  /** Links not followed. */
  lutimes(path: string, seconds: number): void
  mkdir(path: string, mode: number): void
  rmdir(path: string): void
  unlink(path: string): void
  rename(from: string, to: string): void
  list(path: string): FolderItem[]
  real(path: string): string
  /** Throws where a folder cannot be written. */
  writable(path: string): void
}

/** The calls of this machine. */
export const nodeCalls: SystemCalls = {
  open: (path, flags, mode) => openSync(path, flags, mode),
  close: (fd) => closeSync(fd),
  read: (fd, into, offset, length, position) => readSync(fd, into, offset, length, position),
  write: (fd, bytes, offset, length) => writeSync(fd, bytes, offset, length),
  fsync: (fd) => fsyncSync(fd),
  truncate: (fd) => ftruncateSync(fd),
  stats: (fd) => fstatSync(fd),
  lstat: (path) => lstatSync(path),
  stat: (path) => statSync(path),
  fchmod: (fd, mode) => fchmodSync(fd, mode),
  chmod: (path, mode) => chmodSync(path, mode),
  futimes: (fd, seconds) => futimesSync(fd, seconds, seconds),
  lutimes: (path, seconds) => lutimesSync(path, seconds, seconds),
  mkdir: (path, mode) => mkdirSync(path, { mode }),
  rmdir: (path) => rmdirSync(path),
  unlink: (path) => unlinkSync(path),
  rename: (from, to) => renameSync(from, to),
  list: (path) => readdirSync(path, { withFileTypes: true }),
  real: (path) => realpathSync(path),
  writable: (path) => accessSync(path, constants.W_OK),
}
