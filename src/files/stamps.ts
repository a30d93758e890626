/** How files and folders looked when they were read, and what two looks tell. */

/** How a file looked when it was read: a file that still looks so need not be read again. */
export interface FileStamp {
  /** Relative to `<data>/memories`, with `/` between the parts. */
  path: string
  size: number
  /** Milliseconds since the epoch. */
  mtimeMs: number
  ino: number
}

/** How a folder looked before it was listed. */
export interface FolderStamp {
  /** Relative to `<data>/memories`; empty for that folder itself. */
  path: string
  /** When it changed last: a time that nobody can set back, as a restored copy sets that of its files. */
  changedMs: number
}

export const sameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino

/** Of several files with one id the one that counts stands first: the higher revision, with equal ones the later file. */
export const countsFirst = (
  a: Pick<FileStamp, 'path' | 'mtimeMs'> & { rev: number | null },
  b: Pick<FileStamp, 'path' | 'mtimeMs'> & { rev: number | null },
): number => (b.rev ?? 0) - (a.rev ?? 0) || b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1)

/** At least so many files, and more than this share of them, gone at once: an unmounted disk, not a person's hand. */
const VANISHED_FILES = 20
const VANISHED_SHARE = 0.05

/** Whether so many files are gone at once that no person removed them. */
export const vanishedTogether = (gone: number, known: number): boolean =>
  gone >= VANISHED_FILES && gone > VANISHED_SHARE * known
