/**
 * What the doctor finds: one thing that is wrong, or worth knowing, as a code with details. What a person reads of it,
 * and what to do about it, is made by `messages/`.
 */
import type { FolderFault } from '../files/claim.ts'
import type { FileFault } from '../files/file-fault.ts'
import type { BadLine } from '../files/jsonl.ts'
import type { Misplaced } from '../files/misplaced.ts'
import type { RegisterFault } from '../files/workspace-register.ts'
import type { ForeignValue } from '../record/values.ts'

/** error: records are not found or not safe. warning: something is to be repaired. notice: nothing is wrong. */
export type Severity = 'error' | 'warning' | 'notice'

export const FINDINGS = {
  NO_FOLDER: 'error',
  NOT_MOUNTED: 'error',
  NOT_WRITABLE: 'error',
  VERSION_NEWER: 'error',
  VERSION_DAMAGED: 'error',
  VERSION_MISSING: 'warning',
  MISPLACED: 'error',
  UNREAD_FOLDER: 'error',
  ABSENT_FILES: 'error',
  BAD_FILE: 'warning',
  FOREIGN_VALUES: 'notice',
  RESTORED_COPY: 'warning',
  TWO_FILES: 'warning',
  PERMISSIONS: 'warning',
  TEMPORARY_FILES: 'warning',
  UNFINISHED_ACT: 'warning',
  INDEX_DAMAGED: 'warning',
  INDEX_WRONG: 'warning',
  INDEX_VERSION: 'warning',
  NO_DRIVER: 'error',
  INDEX_IN_USE: 'notice',
  INDEX_MISSING: 'notice',
  INDEX_BEHIND: 'notice',
  WORKSPACES_UNREAD: 'warning',
  PROFILES_DAMAGED: 'warning',
  CONSTITUTION_LOST: 'error',
  CONSTITUTION_CHANGED: 'warning',
  CONSTITUTION_MISSING: 'warning',
  CONSTITUTION_AUDIT: 'warning',
  CONSTITUTION_KEY: 'warning',
  CONSTITUTION_WAITING: 'warning',
  CONSTITUTION_LONG: 'warning',
  CONSTITUTION_UNFINISHED: 'warning',
  CONSTITUTION_WRITABLE: 'notice',
  CONSTITUTION_FOUND: 'notice',
  CONSTITUTION_REPLACED: 'notice',
  BAD_USER_MEMORY: 'warning',
  USER_MEMORY_FULL: 'warning',
  USER_MEMORY_UNREADABLE: 'warning',
  SYNCED_PLACE: 'notice',
  NETWORK_PLACE: 'notice',
  COARSE_PLACE: 'notice',
  FUSE_PLACE: 'notice',
  LEDGER_LINES: 'notice',
  TOMBSTONE_LINES: 'warning',
  TOMBSTONES_UNREADABLE: 'error',
  TOMBSTONES_MISSING: 'warning',
  EMPTY_PROFILE: 'notice',
} as const satisfies Record<string, Severity>
export type FindingCode = keyof typeof FINDINGS

/** What belongs to each code. A room above the doctor adds its own to this interface. */
export interface FindingDetails {
  /** `folder` is the one that was asked for; where none was, no profile of `dshHome` has started yet. */
  NO_FOLDER: { folder: string | undefined; dshHome: string }
  NOT_MOUNTED: { fault: FolderFault }
  NOT_WRITABLE: object
  VERSION_NEWER: { fault: FolderFault }
  VERSION_DAMAGED: { fault: FolderFault }
  VERSION_MISSING: object
  /** Something else stands in a place of ours. */
  MISPLACED: { place: Misplaced }
  UNREAD_FOLDER: { fault: FileFault }
  ABSENT_FILES: object
  BAD_FILE: { fault: FileFault }
  /** Values of other programs in a record file: kept and not used. */
  FOREIGN_VALUES: { values: readonly ForeignValue[] }
  RESTORED_COPY: { fault: FileFault }
  /** Several files with one id; of the paths the first counts. */
  TWO_FILES: { id: string }
  PERMISSIONS: object
  TEMPORARY_FILES: object
  UNFINISHED_ACT: object
  INDEX_DAMAGED: { reason: string }
  INDEX_WRONG: object
  /** The version that it has, and the one that this program writes. */
  INDEX_VERSION: { version: number; known: number }
  /** `reason` is a sentence of the index. */
  NO_DRIVER: { reason: string }
  INDEX_IN_USE: object
  INDEX_MISSING: object
  /** Files that have changed since. */
  INDEX_BEHIND: { count: number }
  WORKSPACES_UNREAD: { fault: RegisterFault }
  PROFILES_DAMAGED: object
  /** Folders that hold record files, and the profiles that use them. */
  EMPTY_PROFILE: { others: readonly RecordFolder[] }
  SYNCED_PLACE: { service: SyncService }
  NETWORK_PLACE: { kind: NetworkKind }
  COARSE_PLACE: { kind: CoarseKind }
  FUSE_PLACE: object
  LEDGER_LINES: { lines: readonly BadLine[] }
  TOMBSTONE_LINES: { lines: readonly BadLine[] }
  /** A file that tells of deletions. */
  TOMBSTONES_UNREADABLE: { fault: FileFault }
  /** How many names are deleted by what the ledger says alone. */
  TOMBSTONES_MISSING: { count: number }
}

/** What keeps a folder in step with other machines. */
export type SyncService =
  | 'Dropbox'
  | 'OneDrive'
  | 'iCloud'
  | 'Google Drive'
  | 'Nextcloud'
  | 'ownCloud'
  | 'pCloud'
  | 'Syncthing'
  /** One of those that the system keeps in one place. */
  | 'CLOUD_STORAGE'
/** The network file system that a folder lies on. */
export type NetworkKind = 'NFS' | 'SMB' | 'CIFS' | 'AFS' | 'Ceph' | 'NETWORK_SHARE'
/** A file system with coarse times and without permissions. */
export type CoarseKind = 'FAT' | 'exFAT'

export interface RecordFolder {
  folder: string
  files: number
  profiles: readonly string[]
}

interface FindingBase<Code> {
  code: Code
  severity: Severity
  /** What it is about, relative to the data folder where it lies in it. */
  paths: string[]
  /** Whether `doctor --fix` repairs it. */
  fixable: boolean
}

export interface TypedFinding<C extends keyof FindingDetails> extends FindingBase<C> {
  details: FindingDetails[C]
}

/** A finding of a room that makes the sentences itself. */
export interface ReadyFinding extends FindingBase<Exclude<FindingCode, keyof FindingDetails>> {
  sentence: string
  remedy: string
}

export type Finding = { [C in keyof FindingDetails]: TypedFinding<C> }[keyof FindingDetails] | ReadyFinding

interface More {
  paths?: string[]
  fixable?: boolean
}

const found = <C extends FindingCode>(code: C, { paths = [], fixable = false }: More): FindingBase<C> => ({
  code,
  severity: FINDINGS[code],
  paths,
  fixable,
})

export const finding = <C extends keyof FindingDetails>(
  code: C,
  details: FindingDetails[C],
  more: More = {},
): TypedFinding<C> => ({ ...found(code, more), details })

export const readyFinding = (
  code: ReadyFinding['code'],
  sentence: string,
  remedy: string,
  more: More = {},
): ReadyFinding => ({ ...found(code, more), sentence, remedy })

/** Whether nothing has to be repaired; a notice is nothing to repair. */
export const isHealthy = (findings: readonly Finding[]): boolean =>
  findings.every(({ severity }) => severity === 'notice')
