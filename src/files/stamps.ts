/** What the disk said of files and folders when they were read, and what a comparison of two such stamps tells. */

/** What the disk said of a file when it was read: while it says the same, the file need not be read again. */
export interface FileStamp {
  /** Relative to `<data>/memories`, with `/` between the parts. */
  path: string
  size: number
  /** Milliseconds since the epoch. */
  mtimeMs: number
  ino: number
}

/** What the disk said of a folder before it was listed. */
export interface FolderStamp {
  /** Relative to `<data>/memories`; empty for that folder itself. */
  path: string
  /** When it changed last: a time that nobody can set back, as a restored copy sets that of its files. */
  changedMs: number
}

/** Whether a file is as it was. */
export const sameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino

/**
 * What was changed less than this before it was looked at may have been changed again since, within the same tick of the
 * file system's clock: two seconds on FAT, the coarsest of them.
 */
export const SETTLED_MS = 2_500
/** Milliseconds that the times of coarse file systems are multiples of (exFAT, FAT, ext3, HFS+); others hardly ever are. */
const COARSE_MS = 10
/** Added to a time that may not be the last word: the file is no more as it was noted, so it is read again. */
const UNSETTLED_MS = 0.5

/**
 * A stamp as it is to be noted of a file that was read.
 * @param at when the disk was asked; milliseconds since the epoch.
 */
export function stampToNote<S extends { mtimeMs: number }>(file: S, at: number): S {
  const isCoarse = file.mtimeMs % COARSE_MS === 0
  if (!isCoarse || Math.abs(at - file.mtimeMs) > SETTLED_MS) return file
  return { ...file, mtimeMs: file.mtimeMs + UNSETTLED_MS }
}

/** Whether a file is what was noted of it, whether or not its time had settled then. */
export const matchesNoted = (noted: FileStamp, now: FileStamp): boolean =>
  sameStamp(noted, now) || sameStamp(noted, { ...now, mtimeMs: now.mtimeMs + UNSETTLED_MS })

/**
 * An order for `sort` of several files with one id, the one that counts first: the higher revision, then the later file,
 * then the path. Every place that chooses between copies uses it.
 */
export const countsFirst = (
  a: Pick<FileStamp, 'path' | 'mtimeMs'> & { rev: number | null },
  b: Pick<FileStamp, 'path' | 'mtimeMs'> & { rev: number | null },
): number => (b.rev ?? 0) - (a.rev ?? 0) || b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1)

/** At least so many files, and more than this share of them, gone at once: no person removed them; a disk is unmounted. */
const VANISHED_FILES = 20
const VANISHED_SHARE = 0.05

/** Whether so many files are gone at once that no person removed them. */
export const vanishedTogether = (gone: number, known: number): boolean =>
  gone >= VANISHED_FILES && gone > VANISHED_SHARE * known
