/** What can be wrong with entries, their files and their folder, as codes with details. */
import { ReasonedError } from '../base/errors.ts'
import { type FileFault, faultOf } from '../files/file-fault.ts'
import type { FullWidth } from '../record/fault.ts'

/** Why something is no entry. Sizes are bytes. */
export type EntryFault = { fullWidth?: FullWidth | undefined } & (
  | { code: 'NO_FRONT' }
  | { code: 'FRONT_TOO_LONG'; bytes: number; limit: number }
  | { code: 'MISSING_KEY'; key: string }
  | { code: 'NOT_TEXT'; key: string }
  | { code: 'UNKNOWN_KEY'; key: string }
  /** Its name is not that of the file. */
  | { code: 'OTHER_NAME'; name: string }
  | { code: 'BAD_TYPE'; type: string; types: readonly string[] }
  /** `limit` is a number of characters. */
  | { code: 'BAD_NAME'; limit: number }
  | { code: 'EMPTY_SUMMARY' }
  | { code: 'SUMMARY_LINES' }
  /** NUL, or half a surrogate pair. */
  | { code: 'BROKEN_CHARACTERS' }
  | { code: 'UNSEEN_SUMMARY' }
  | { code: 'SUMMARY_TOO_LONG'; bytes: number; limit: number }
  | { code: 'DETAILS_TOO_LONG'; bytes: number; limit: number }
)

/** Why a file is no entry. */
export type EntryFileFault = EntryFault | FileFault

/** Something else stands where the folder should be. */
export interface InPlaceOfFolder {
  code: 'IN_PLACE_OF_FOLDER'
  kind: 'file' | 'link' | 'other'
}

/** Why the folder cannot be looked at. */
export type EntryFolderFault = InPlaceOfFolder | FileFault

/** A file that is skipped; its path is relative to the data folder. */
export interface SkippedEntry {
  path: string
  fault: EntryFileFault
}

declare module '../base/errors.ts' {
  interface ErrorReasons {
    /** The file of an entry, relative to the data folder; undefined where a text was read that lies in none. */
    ENTRY_UNREADABLE: { file: string | undefined; fault: EntryFileFault }
    /** An entry that was to be saved. */
    ENTRY_INVALID: { name: string; fault: EntryFault }
    /** `noun` is what the kind is called, `root` absolute; `name` is the entry that was to be saved, if one was. */
    NO_ENTRY_FOLDER: { noun: string; root: string; fault: InPlaceOfFolder; name: string | undefined }
  }
}

declare module '../store/problems.ts' {
  interface ProblemDetails {
    BAD_ENTRIES: { files: readonly SkippedEntry[] }
    /** Files that a look had no time for. */
    ENTRIES_NOT_LOOKED_AT: { noun: string; count: number }
    ENTRY_FOLDER: { noun: string; root: string; fault: EntryFolderFault }
  }
}

/** What reading an entry throws. */
export class UnreadableEntry extends ReasonedError {
  readonly fault: EntryFileFault

  constructor(fault: EntryFileFault, file?: string) {
    super(file === undefined ? 'INVALID_INPUT' : 'STORAGE', { code: 'ENTRY_UNREADABLE', file, fault })
    this.fault = fault
  }
}

/** What looking at the folder throws where it is none. */
export class NoEntryFolder extends ReasonedError {
  readonly fault: InPlaceOfFolder

  constructor(
    of: { noun: string; root: string },
    fault: InPlaceOfFolder,
    name?: string,
    options?: ErrorOptions,
  ) {
    super('STORAGE', { code: 'NO_ENTRY_FOLDER', ...of, fault, name }, options)
    this.fault = fault
  }
}

/** The fault behind whatever reading an entry has thrown. */
export const entryFaultOf = (thrown: unknown): EntryFileFault =>
  thrown instanceof UnreadableEntry ? thrown.fault : faultOf(thrown)

/** The fault behind whatever looking at the folder has thrown. */
export const entryFolderFaultOf = (thrown: unknown): EntryFolderFault =>
  thrown instanceof NoEntryFolder ? thrown.fault : faultOf(thrown)
