import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { MnemosError } from '../base/errors.ts'
import { type FileFault, isPassing, restoredCopy, sameFault } from '../files/file-fault.ts'
import { type BadFile, folderOf, type GoodFile, type RecordFiles, type Scan } from '../files/record-files.ts'
import { type FileStamp, matchesNoted, SETTLED_MS, sameStamp, vanishedTogether } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import { type CopiesOfRecord, FileTable } from './file-table.ts'
import type { IndexKeeper } from './index-keeper.ts'
import { KeptRecords } from './kept.ts'

/** Files parsed and indexed in one transaction while the index is filled. */
const BATCH = 250
/** The same while nobody waits for it: some ten milliseconds, so that whatever else the host does is not held up. */
const SMALL_BATCH = 20

/** Progress of a long fill: files done and files in all. */
export type Progress = (done: number, total: number) => void

/** What a scan of the folder found. */
export interface ScanResult {
  /** Files of records that are gone and forgotten. */
  gone: IndexedFile[]
  /** Whether every file was looked at. */
  whole: boolean
}

/** A file or folder that is left as it is; a folder's path may be `.`. */
export interface SkippedFile {
  /** Relative to the memories folder. */
  path: string
  fault: FileFault
}

/**
 * What is known of the record files: which record lies in which file, kept in step with the disk, and the derived index
 * kept in step with both.
 *
 * It owns the table of files, the records that are always at hand, the absent files and the life of the index. It does
 * not write record files, takes no lock, and decides nothing about what a record may say. Without an index (its driver
 * cannot load) the table alone answers, so writing and opening go on.
 */
export class Catalog {
  readonly #files: RecordFiles
  readonly #tombstones: Tombstones
  readonly #index: IndexKeeper
  readonly #table = new FileTable()
  readonly #kept = new KeptRecords()
  #closed = false
  /** Folders that could not be listed at the last scan. */
  #unlisted: SkippedFile[] = []
  /** Files that vanished together: not shown and not forgotten, until they are back or the person decides. */
  readonly #absent = new Set<string>()
  /** Files whose last reading failed: what was known of them stands, and they are read again at the next scan. */
  readonly #unread = new Map<string, FileFault>()
  #temporary: readonly string[] = []

  constructor(files: RecordFiles, tombstones: Tombstones, index: IndexKeeper) {
    this.#files = files
    this.#tombstones = tombstones
    this.#index = index
  }

  /** Opens the index and takes over what it knows of the files. Never throws. */
  open(): void {
    this.#index.open((index) => {
      this.#table.clear()
      for (const file of index.files()) if (!file.fault || !isPassing(file.fault)) this.#table.set(file)
      this.#kept.begin(index.keptPaths())
    })
  }

  /** The index was empty when it was opened. */
  get isNew(): boolean {
    return this.#index.isNew
  }

  /** Why there is no index; undefined while there is one. */
  get unavailable(): string | undefined {
    return this.#index.unavailable
  }

  /** Temporary files that the last scan saw. */
  get temporary(): readonly string[] {
    return this.#temporary
  }

  /**
   * The first scan: lists only folders that have changed since all their files were looked at, so that it takes a moment
   * however many files there are; what was written into a file without replacing it is not seen by that. Where much is
   * new (an index that was not kept takes seconds) it lets others have their turn between batches: the host must answer
   * and the lock must show signs of life. Stops when the catalog is closed.
   * @param isAwaited whether somebody waits for it; if not, half of the time is left to others.
   */
  async scanChanged(progress?: Progress, isAwaited: () => boolean = () => true): Promise<ScanResult> {
    this.#tombstones.refresh()
    const scan = this.#files.scan(this.useIfFree((index) => index.folders()))
    const changed = scan.files.filter((file) => this.#isChanged(file))
    if (changed.length <= BATCH) return this.#takeIn(scan)
    for (let at = 0; at < changed.length; ) {
      const from = performance.now()
      const batch = changed.slice(at, at + (isAwaited() ? BATCH : SMALL_BATCH))
      this.#readAll(batch)
      at += batch.length
      progress?.(at, changed.length)
      await (isAwaited() ? nextTurn() : sleep(performance.now() - from))
      if (this.#closed) return { gone: [], whole: false }
    }
    // Files may have come and gone meanwhile.
    return this.scanAll()
  }

  /** Looks at every file and brings table and index up to date. */
  scanAll(): ScanResult {
    this.#tombstones.refresh()
    if (this.#index.isDue) this.open()
    return this.#takeIn(this.#files.scan())
  }

  #takeIn(scan: Scan): ScanResult {
    this.#unlisted = scan.unread
    this.#temporary = scan.temporary
    const seen = new Set<string>()
    const changed: FileStamp[] = []
    for (const file of scan.files) {
      seen.add(file.path)
      if (this.#isChanged(file)) changed.push(file)
    }
    for (const { file } of scan.bad) seen.add(file.path)
    this.#takeBad(
      scan.bad.filter(({ file, fault }) => {
        const known = this.#table.get(file.path)
        return !known || !matchesNoted(known, file) || !sameFault(known.fault, fault)
      }),
    )
    for (let at = 0; at < changed.length; at += BATCH) {
      this.#readAll(changed.slice(at, at + BATCH))
    }
    for (const path of seen) this.#absent.delete(path)
    for (const path of this.#unread.keys())
      if (!seen.has(path) && !scan.skipped.has(folderOf(path))) this.#unread.delete(path)
    const gone = this.#goneSince(seen, scan.skipped)
    const whole = scan.skipped.size === 0
    if (whole) this.#noteFolders(scan)
    return { gone, whole }
  }

  #isChanged(file: FileStamp): boolean {
    const known = this.#table.get(file.path)
    return !known || !sameStamp(known, file)
  }

  /** Notes all folders, with the time of those that need no listing until they change: all in them was taken in. */
  #noteFolders({ folders, startedAt }: Scan): void {
    const open = new Set([...this.#unread.keys()].map(folderOf))
    for (const file of this.#table.files())
      if (this.#table.isUnread(file) || this.#absent.has(file.path)) open.add(folderOf(file.path))
    const settled = folders.map(({ path, changedMs }) => ({
      path,
      changedMs: changedMs < startedAt - SETTLED_MS && !open.has(path) ? changedMs : -1,
    }))
    this.useIfFree((index) => {
      const known = new Map(index.folders().map(({ path, changedMs }) => [path, changedMs]))
      const isNew = settled.some(({ path, changedMs }) =>
        changedMs < 0 ? !known.has(path) : known.get(path) !== changedMs,
      )
      if (isNew) index.noteFolders(settled)
    })
  }

  /** Forgets the files that are gone, unless so many are gone that no person removed them. */
  #goneSince(seen: ReadonlySet<string>, skipped: ReadonlySet<string>): IndexedFile[] {
    const gone = [...this.#table.files()].filter(
      ({ path }) =>
        !seen.has(path) && !skipped.has(folderOf(path)) && !this.#absent.has(path) && !this.#isUnlisted(path),
    )
    if (vanishedTogether(gone.length, this.#table.size)) {
      for (const { path } of gone) this.#absent.add(path)
      return []
    }
    return this.#forget(gone)
  }

  #isUnlisted(path: string): boolean {
    return this.#unlisted.some((folder) => folder.path === '.' || path.startsWith(`${folder.path}/`))
  }

  /** How many files are absent. */
  get absent(): number {
    return this.#absent.size
  }

  /** The person's word that absent files will not come back. @returns the files that are forgotten by it. */
  forgetAbsent(): IndexedFile[] {
    const files = [...this.#absent].flatMap((path) => this.#table.get(path) ?? [])
    this.#absent.clear()
    return this.#forget(files)
  }

  /** Takes files out of table and index. @returns those that no other process has forgotten before. */
  #forget(files: readonly IndexedFile[]): IndexedFile[] {
    if (files.length === 0) return []
    const paths = files.map(({ path }) => path)
    for (const path of paths) this.#drop(path)
    let removed: ReadonlySet<string> | undefined
    this.#follow([], (index) => {
      removed = new Set(index.remove(paths))
    })
    return removed ? files.filter(({ path }) => removed?.has(path)) : [...files]
  }

  /** Wipes records from table and index. Throws when there is no index that could be wiped. */
  erase(deleted: readonly { id: string; paths: readonly string[] }[]): void {
    for (const { paths } of deleted) for (const path of paths) this.#drop(path)
    // Other notes may bear the same id by their names.
    const spared = new Set(deleted.flatMap(({ id }) => this.#table.pathsOf(id)))
    const done = this.use((index) => {
      index.erase(
        deleted.map(({ id }) => id),
        deleted.flatMap(({ paths }) => paths),
        spared,
      )
      return true
    })
    if (!done)
      throw new MnemosError(
        'UNAVAILABLE',
        this.unavailable ?? 'There is no index.',
        'Run mnemos doctor to see why.',
      )
  }

  #drop(path: string): void {
    this.#kept.drop(path)
    this.#unread.delete(path)
    this.#table.delete(path)
  }

  #readAll(stamps: readonly FileStamp[]): void {
    const good: GoodFile[] = []
    const bad: BadFile[] = []
    for (const stamp of stamps) {
      const loaded = this.#load(stamp.path)
      if (loaded && 'record' in loaded) good.push(loaded)
      else if (loaded) bad.push(loaded)
    }
    if (good.length > 0) this.#takeGood(good)
    this.#takeBad(bad)
  }

  /** Reads a file; a restored copy of a deleted record counts as a bad file. */
  #load(path: string): GoodFile | BadFile | undefined {
    const loaded = this.#files.read(path)
    if (!loaded || !('record' in loaded)) return loaded
    const { id, created } = loaded.record
    if (!this.#tombstones.isDeleted(id, created)) return loaded
    return { file: loaded.file, fault: restoredCopy(this.#tombstones.deletedAt(id)) }
  }

  #takeGood(good: GoodFile[]): void {
    for (const { file, record } of good) {
      this.#unread.delete(file.path)
      this.#table.set({ ...file, id: record.id, fault: null, rev: record.rev })
      this.#kept.note(file.path, record)
    }
    this.#follow(good, (index) => index.put(good, (file) => this.#isStillSo(file)))
  }

  /** Whether a file is as it was read; one that is not is read again at the next scan. */
  #isStillSo(file: FileStamp): boolean {
    const now = this.#files.stamp(file.path)
    if (now && matchesNoted(file, now)) return true
    this.#table.markUnread(file.path)
    return false
  }

  #takeBad(all: readonly BadFile[]): void {
    const bad = all.filter(({ file, fault }) => {
      if (!isPassing(fault)) return true
      this.#unread.set(file.path, fault)
      this.#table.markUnread(file.path)
      return false
    })
    for (const { file, fault } of bad) {
      this.#unread.delete(file.path)
      this.#kept.drop(file.path)
      this.#table.set({ ...file, id: null, fault, rev: null })
    }
    if (bad.length > 0) this.#follow(bad, (index) => index.putBad(bad))
  }

  /** What a file holds at this moment; table and index follow it. Undefined where it holds no record. */
  reread(path: string): GoodFile | undefined {
    const loaded = this.#load(path)
    const known = this.#table.get(path)
    // Whether a file that is not there was removed or only vanished is decided when the whole folder is scanned.
    if (!loaded) return undefined
    const isNew = !known || !sameStamp(known, loaded.file)
    if ('record' in loaded) {
      if (isNew || known.id !== loaded.record.id) this.#takeGood([loaded])
      return loaded
    }
    if (isNew || !sameFault(known.fault, loaded.fault)) this.#takeBad([loaded])
    return undefined
  }

  /** Whether the last reading of a file failed. */
  isUnread(path: string): boolean {
    return this.#unread.has(path)
  }

  /** The id of the record in a file, as it was last read; undefined where it held none. */
  idOf(path: string): string | undefined {
    return this.#table.get(path)?.id ?? undefined
  }

  has(id: string): boolean {
    return this.#table.has(id)
  }

  /** The files that hold an id, the one that counts first. */
  pathsOf(id: string): string[] {
    return this.#table.pathsOf(id)
  }

  /** Ids that several files hold: the file that counts first, then the others. */
  copies(): CopiesOfRecord[] {
    return this.#table.copies(this.#absent)
  }

  /** The files of records, in no order. */
  records(): Iterable<IndexedFile> {
    return this.#table.records()
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  byPath(): { path: string; copy: boolean }[] {
    return this.#table.byPath()
  }

  /** The records that are always at hand, as their files stand now, in no order; reads only those that changed. */
  kept(): MemoryRecord[] {
    const unchanged = (path: string) => {
      const [known, now] = [this.#table.get(path), this.#files.stamp(path)]
      return known !== undefined && now !== undefined && sameStamp(known, now)
    }
    return this.#kept
      .list(unchanged, (path) => this.reread(path)?.record)
      .filter(({ path, record }) => this.pathsOf(record.id)[0] === path)
      .map(({ record }) => record)
  }

  /** Files that are skipped, each with its fault, and folders that could not be listed; by path. */
  bad(): SkippedFile[] {
    const files = [...this.#table.files()].flatMap(({ path, fault }) =>
      fault === null || this.#unread.has(path) ? [] : [{ path, fault }],
    )
    const unread = [...this.#unread].map(([path, fault]) => ({ path, fault }))
    return [...this.#unlisted, ...unread, ...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /**
   * Does something with the index; undefined where there is none. A damaged index is dropped, filled again from
   * the files, and asked once more.
   * @throws MnemosError LOCKED while another process keeps it.
   */
  use<T>(action: (index: RecordIndex) => T): T | undefined {
    return this.#index.use(action, () => {
      this.open()
      this.scanAll()
    })
  }

  /** As {@link use}, and undefined as well while another process keeps the index: for what a write can do without. */
  useIfFree<T>(action: (index: RecordIndex) => T): T | undefined {
    try {
      return this.use(action)
    } catch {
      // Only "busy" is thrown, and the write goes on.
      return undefined
    }
  }

  /** Drops the index and fills it from the files; nothing is lost by it. */
  async rebuild(progress?: Progress): Promise<void> {
    this.#absent.clear()
    this.#index.drop()
    this.open()
    await this.scanChanged(progress)
  }

  /** Brings the index after the files; where it is busy, the files count as unread and are read again. */
  #follow(files: readonly { file: FileStamp }[], action: (index: RecordIndex) => void): void {
    try {
      this.use(action)
    } catch {
      // Only "busy" is thrown: the next scan of the folder does it.
      for (const { file } of files) this.#table.markUnread(file.path)
    }
  }

  close(): void {
    this.#closed = true
    this.#index.close()
  }
}
