/** Whether a data folder may be written: it must be there, be writable, and not be of a newer version. */
import { dirname } from 'node:path'
import { type Disk, storageReason } from '../base/disk.ts'
import { ReasonedError } from '../base/errors.ts'
import { DATA_VERSION, type Layout } from './layout.ts'

/** Why a data folder is only read. */
export type FolderFault =
  /** `version` is what this program would write. */
  | { code: 'VERSION_DAMAGED'; root: string; version: number }
  /** Its version, and the newest that this program knows. */
  | { code: 'VERSION_NEWER'; root: string; version: number; known: number }
  /** It held a memory, and nothing of it is there: its disk is not mounted. */
  | { code: 'NOT_MOUNTED'; root: string }
  /** What the disk's refusal comes to, as a clause, and what to do. */
  | { code: 'UNUSABLE'; root: string; why: string; remedy: string }

declare module '../base/errors.ts' {
  interface ErrorReasons {
    /** Something was to be written into a folder that is only read. */
    READ_ONLY: { fault: FolderFault }
  }
}

/** @returns the error of a write into a folder that is only read. */
export const readOnlyError = (fault: FolderFault): ReasonedError =>
  new ReasonedError('READ_ONLY', { code: 'READ_ONLY', fault })

/** What is known of the use of a data folder beyond what lies in it. */
export interface FolderUse {
  /** Whether it is known to have held a memory: where nothing of it is there then, its disk is not mounted. Never throws. */
  was(): boolean
  /** Notes that it holds one. Never rejects: who cannot note it tries again at the next occasion. */
  note(): Promise<void>
}

/** Whether anything of ours lies in a data folder. Throws what the disk throws. */
export const holdsAnything = (disk: Disk, layout: Layout): boolean =>
  [
    layout.version,
    layout.memories,
    layout.userMemory,
    dirname(layout.constitution),
    layout.ledger,
    layout.tombstones,
  ].some((path) => disk.stamp(path) !== undefined)

/** Whether nothing of a data folder is there; not where the disk does not tell. Never throws. */
export function isGone(disk: Disk, layout: Layout): boolean {
  try {
    return !holdsAnything(disk, layout)
  } catch {
    // Whoever reads there says what the disk says.
    return false
  }
}

/**
 * Makes the folder and its version file where there are none. Never throws.
 * @param wasUsed whether it is known to have held a memory: then it is made only by the person's word.
 * @returns why it is only read; undefined where it can be written.
 */
export function claimFolder(
  disk: Disk,
  layout: Layout,
  wasUsed: () => boolean = () => false,
): FolderFault | undefined {
  const { root, version } = layout
  try {
    if (!holdsAnything(disk, layout) && wasUsed()) return { code: 'NOT_MOUNTED', root }
    disk.folder(root)
    disk.writable(root)
    const text = disk.read(version, 64)?.toString('utf8').trim()
    if (text === undefined) disk.replace(version, `${DATA_VERSION}\n`)
    else return versionFault(text, root)
    return undefined
  } catch (error) {
    if (error instanceof ReasonedError && error.reason.code === 'READ_ONLY') return error.reason.fault
    const { why, remedy } = storageReason(error)
    return { code: 'UNUSABLE', root, why, remedy }
  }
}

/** What is wrong with the text of a folder's version file. */
export function versionFault(text: string, root: string): FolderFault | undefined {
  if (!/^\d+$/.test(text)) return { code: 'VERSION_DAMAGED', root, version: DATA_VERSION }
  const version = Number(text)
  return version > DATA_VERSION ? { code: 'VERSION_NEWER', root, version, known: DATA_VERSION } : undefined
}
