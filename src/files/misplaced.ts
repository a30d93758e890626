/** What stands in a place of a data folder's own files and folders and cannot be one: a link, a pipe, a folder for a file. */
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import type { Disk, FolderEntry } from '../base/disk.ts'
import { keptCopyName } from './kept-copy.ts'
import type { Layout } from './layout.ts'

/** A place in which something else stands. */
export interface Misplaced {
  /** Relative to the data folder, with `/` between the parts. */
  path: string
  /** What belongs there. */
  expected: 'file' | 'folder'
  kind: FolderEntry['kind']
  /** As long as it is there the folder is not written at all, and so not repaired either. */
  blocks: boolean
}

/** What SQLite has beside the file of the index while it writes. */
const INDEX_SUFFIXES = ['', '-journal', '-wal', '-shm']
const MONTH = /^\d{4}-\d{2}\.jsonl$/

/**
 * Every such place, apart from those that are looked at with what lies in them: record files and entries, and the files of
 * the constitution. A place that the disk tells nothing of is none. Never throws.
 */
export function misplacedIn(disk: Disk, layout: Layout): Misplaced[] {
  const { root, version, tombstones, workspaces, index, ledger, usage, pending, intent, lock } = layout
  const folders = [dirname(index), ledger, usage, pending, lock, dirname(layout.constitution)]
  const files = [
    version,
    tombstones,
    workspaces,
    intent,
    ...INDEX_SUFFIXES.map((suffix) => `${index}${suffix}`),
    ...[ledger, usage].flatMap((folder) => monthsIn(disk, folder)),
  ]
  const look = (path: string, expected: Misplaced['expected']): Misplaced[] => {
    const kind = kindOf(disk, path)
    if (kind === undefined || kind === expected) return []
    const blocks = path === version || path === lock
    return [{ path: relative(root, path).split(sep).join('/'), expected, kind, blocks }]
  }
  const wrong = folders.flatMap((path) => look(path, 'folder'))
  const inside = (path: string) => wrong.some((one) => path.startsWith(join(root, one.path, sep)))
  // What lies behind a link is not ours to judge.
  return [...wrong, ...files.filter((path) => !inside(path)).flatMap((path) => look(path, 'file'))]
}

function kindOf(disk: Disk, path: string): FolderEntry['kind'] | undefined {
  try {
    return disk.stamp(path)?.kind
  } catch {
    // Whoever needs the place says what the disk says.
    return undefined
  }
}

function entriesOf(disk: Disk, folder: string): FolderEntry[] {
  try {
    return kindOf(disk, folder) === 'folder' ? (disk.list(folder) ?? []) : []
  } catch {
    // As above.
    return []
  }
}

const monthsIn = (disk: Disk, folder: string): string[] =>
  entriesOf(disk, folder)
    .filter(({ name }) => MONTH.test(name))
    .map(({ name }) => join(folder, name))

/**
 * Renames what stands in a place of ours, so that the next write makes what belongs there. Nothing of it is opened.
 * @param at milliseconds since the epoch.
 * @returns the name that it has now, relative to the data folder. Throws what the disk throws.
 */
export function moveAside(disk: Disk, root: string, { path }: Misplaced, at: number): string {
  const from = join(root, path)
  const extension = extname(path)
  const stem = basename(path, extension)
  const name = keptCopyName(disk, dirname(from), { stem, extension, why: 'misplaced', at })
  disk.rename(from, join(dirname(from), name))
  return join(dirname(path), name)
}
