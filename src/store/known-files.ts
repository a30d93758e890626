/** What is known of the record files: what each one held when it was last read. It knows nothing of the index. */
import { type FileFault, isPassing, restoredCopy, sameFault } from '../files/file-fault.ts'
import { type BadFile, folderOf, type GoodFile, type RecordFiles } from '../files/record-files.ts'
import { type FileStamp, matchesNoted, sameStamp } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import { FileTable } from './file-table.ts'
import { KeptRecords } from './kept.ts'

/** A file or folder that is left as it is; a folder's path may be `.`. */
export interface SkippedFile {
  /** Relative to the memories folder. */
  path: string
  fault: FileFault
}

export class KnownFiles {
  readonly table = new FileTable()
  readonly #files: RecordFiles
  readonly #tombstones: Tombstones
  readonly #kept = new KeptRecords()
  /** Files whose last reading failed: what was known of them stands, and they are read again at the next scan. */
  readonly #unread = new Map<string, FileFault>()

  constructor(files: RecordFiles, tombstones: Tombstones) {
    this.#files = files
    this.#tombstones = tombstones
  }

  /** Starts anew with what the index knows. @param kept paths of records that are always at hand. */
  begin(files: Iterable<IndexedFile>, kept: readonly string[]): void {
    this.table.clear()
    for (const file of files) if (!file.fault || !isPassing(file.fault)) this.table.set(file)
    this.#kept.begin(kept)
  }

  /** Reads a file; a restored copy of a deleted record counts as a bad file. */
  load(path: string): GoodFile | BadFile | undefined {
    const loaded = this.#files.read(path)
    if (!loaded || !('record' in loaded)) return loaded
    const { id, created } = loaded.record
    if (!this.#tombstones.isDeleted(id, created)) return loaded
    return { file: loaded.file, fault: restoredCopy(this.#tombstones.deletedAt(id)) }
  }

  noteGood(good: readonly GoodFile[]): void {
    for (const { file, record } of good) {
      this.#unread.delete(file.path)
      this.table.set({ ...file, id: record.id, fault: null, rev: record.rev })
      this.#kept.note(file.path, record)
    }
  }

  /** @returns those of which the fault is one of the file, and not of the reading. */
  noteBad(all: readonly BadFile[]): BadFile[] {
    const bad = all.filter(({ file, fault }) => {
      if (!isPassing(fault)) return true
      this.#unread.set(file.path, fault)
      this.table.markUnread(file.path)
      return false
    })
    for (const { file, fault } of bad) {
      this.#unread.delete(file.path)
      this.#kept.drop(file.path)
      this.table.set({ ...file, id: null, fault, rev: null })
    }
    return bad
  }

  drop(path: string): void {
    this.#kept.drop(path)
    this.#unread.delete(path)
    this.table.delete(path)
  }

  /** Whether a file is not as it was when it was read. */
  isChanged(file: FileStamp): boolean {
    const known = this.table.get(file.path)
    return !known || !sameStamp(known, file)
  }

  /** Whether a bad file is another, or bad in another way, than when it was noted. */
  isOtherFault({ file, fault }: BadFile): boolean {
    const known = this.table.get(file.path)
    return !known || !matchesNoted(known, file) || !sameFault(known.fault, fault)
  }

  /** Whether a file is as it was read; one that is not is read again at the next scan. */
  isStillSo(file: FileStamp): boolean {
    const now = this.#files.stamp(file.path)
    if (now && matchesNoted(file, now)) return true
    this.table.markUnread(file.path)
    return false
  }

  /** Forgets that the reading of files failed which are not there any more. @param isGone by path. */
  forgetUnread(isGone: (path: string) => boolean): void {
    for (const path of this.#unread.keys()) if (isGone(path)) this.#unread.delete(path)
  }

  /** Folders of files that have to be read again. */
  foldersToRead(): Set<string> {
    const folders = new Set([...this.#unread.keys()].map(folderOf))
    for (const file of this.table.files()) if (this.table.isUnread(file)) folders.add(folderOf(file.path))
    return folders
  }

  /** Whether the last reading of a file failed. */
  isUnread(path: string): boolean {
    return this.#unread.has(path)
  }

  /** Files that are skipped, each with its fault, in no order. */
  bad(): SkippedFile[] {
    const files = [...this.table.files()].flatMap(({ path, fault }) =>
      fault === null || this.#unread.has(path) ? [] : [{ path, fault }],
    )
    return [...[...this.#unread].map(([path, fault]) => ({ path, fault })), ...files]
  }

  /**
   * The records that are always at hand, as their files stand now, in no order.
   * @param reread reads a file that changed.
   */
  kept(reread: (path: string) => GoodFile | undefined): MemoryRecord[] {
    const unchanged = (path: string) => {
      const now = this.#files.stamp(path)
      return now !== undefined && !this.isChanged(now)
    }
    return this.#kept
      .list(unchanged, (path) => reread(path)?.record)
      .filter(({ path, record }) => this.table.pathsOf(record.id)[0] === path)
      .map(({ record }) => record)
  }
}
