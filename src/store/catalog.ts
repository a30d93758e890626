/** The record files as a scan of the folder finds them, against what is known of them. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { sameFault } from '../files/file-fault.ts'
import { type BadFile, folderOf, type GoodFile, type RecordFiles, type Scan } from '../files/record-files.ts'
import { type FileStamp, SETTLED_MS, sameStamp, vanishedTogether } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import type { CopiesOfRecord } from './file-table.ts'
import { IndexFollower } from './index-follower.ts'
import type { IndexKeeper } from './index-keeper.ts'
import { KnownFiles, type SkippedFile } from './known-files.ts'

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

/**
 * The record files of a folder, kept in step with the disk, and the derived index kept in step with them.
 *
 * It owns the scans, the absent files and the life of the index; what is known of each file is in {@link KnownFiles}. It
 * does not write record files, takes no lock, and decides nothing about what a record may say. Without an index (its
 * driver cannot load) what is known of the files alone answers, so writing and opening go on.
 */
export class Catalog {
  readonly #files: RecordFiles
  readonly #tombstones: Tombstones
  readonly #keeper: IndexKeeper
  readonly #known: KnownFiles
  readonly #index: IndexFollower
  #closed = false
  /** Folders that could not be listed at the last scan. */
  #unlisted: SkippedFile[] = []
  /** Files that vanished together: not shown and not forgotten, until they are back or the person decides. */
  readonly #absent = new Set<string>()
  #temporary: readonly string[] = []

  constructor(files: RecordFiles, tombstones: Tombstones, index: IndexKeeper) {
    this.#files = files
    this.#tombstones = tombstones
    this.#keeper = index
    this.#known = new KnownFiles(files, tombstones)
    this.#index = new IndexFollower(index, this.#known, () => this.scanAll())
  }

  /** Opens the index and takes over what it knows of the files. Never throws. */
  open(): void {
    this.#index.open()
  }

  /** The index was empty when it was opened. */
  get isNew(): boolean {
    return this.#keeper.isNew
  }

  /** Why there is no index; undefined while there is one. */
  get unavailable(): string | undefined {
    return this.#keeper.unavailable
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
    const changed = scan.files.filter((file) => this.#known.isChanged(file))
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
    if (this.#keeper.isDue) this.open()
    return this.#takeIn(this.#files.scan())
  }

  #takeIn(scan: Scan): ScanResult {
    this.#unlisted = scan.unread
    this.#temporary = scan.temporary
    const seen = new Set<string>()
    const changed: FileStamp[] = []
    for (const file of scan.files) {
      seen.add(file.path)
      if (this.#known.isChanged(file)) changed.push(file)
    }
    for (const { file } of scan.bad) seen.add(file.path)
    this.#index.takeBad(scan.bad.filter((one) => this.#known.isOtherFault(one)))
    for (let at = 0; at < changed.length; at += BATCH) {
      this.#readAll(changed.slice(at, at + BATCH))
    }
    for (const path of seen) this.#absent.delete(path)
    this.#known.forgetUnread((path) => !seen.has(path) && !scan.skipped.has(folderOf(path)))
    const gone = this.#goneSince(seen, scan.skipped)
    const whole = scan.skipped.size === 0
    if (whole) this.#noteFolders(scan)
    return { gone, whole }
  }

  /** Notes all folders, with the time of those that need no listing until they change: all in them was taken in. */
  #noteFolders({ folders, startedAt }: Scan): void {
    const open = new Set([...this.#known.foldersToRead(), ...[...this.#absent].map(folderOf)])
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
    const gone = [...this.#known.table.files()].filter(
      ({ path }) =>
        !seen.has(path) && !skipped.has(folderOf(path)) && !this.#absent.has(path) && !this.#isUnlisted(path),
    )
    if (vanishedTogether(gone.length, this.#known.table.size)) {
      for (const { path } of gone) this.#absent.add(path)
      return []
    }
    return this.#index.forget(gone)
  }

  #isUnlisted(path: string): boolean {
    return this.#unlisted.some((folder) => folder.path === '.' || path.startsWith(`${folder.path}/`))
  }

  /** How many files are known, skipped and absent ones among them. */
  get size(): number {
    return this.#known.table.size
  }

  /** How many files are absent. */
  get absent(): number {
    return this.#absent.size
  }

  /** The person's word that absent files will not come back. @returns the files that are forgotten by it. */
  forgetAbsent(): IndexedFile[] {
    const files = [...this.#absent].flatMap((path) => this.#known.table.get(path) ?? [])
    this.#absent.clear()
    return this.#index.forget(files)
  }

  #readAll(stamps: readonly FileStamp[]): void {
    const good: GoodFile[] = []
    const bad: BadFile[] = []
    for (const stamp of stamps) {
      const loaded = this.#known.load(stamp.path)
      if (loaded && 'record' in loaded) good.push(loaded)
      else if (loaded) bad.push(loaded)
    }
    this.#index.takeGood(good)
    this.#index.takeBad(bad)
  }

  /** What a file holds at this moment; table and index follow it. Undefined where it holds no record. */
  reread(path: string): GoodFile | undefined {
    const loaded = this.#known.load(path)
    const known = this.#known.table.get(path)
    // Whether a file that is not there was removed or only vanished is decided when the whole folder is scanned.
    if (!loaded) return undefined
    const isNew = !known || !sameStamp(known, loaded.file)
    if ('record' in loaded) {
      if (isNew || known.id !== loaded.record.id) this.#index.takeGood([loaded])
      return loaded
    }
    if (isNew || !sameFault(known.fault, loaded.fault)) this.#index.takeBad([loaded])
    return undefined
  }

  /** Whether the last reading of a file failed. */
  isUnread(path: string): boolean {
    return this.#known.isUnread(path)
  }

  /** The id of the record in a file, as it was last read; undefined where it held none. */
  idOf(path: string): string | undefined {
    return this.#known.table.get(path)?.id ?? undefined
  }

  has(id: string): boolean {
    return this.#known.table.has(id)
  }

  /** The files that hold an id, the one that counts first. */
  pathsOf(id: string): string[] {
    return this.#known.table.pathsOf(id)
  }

  /** Ids that several files hold: the file that counts first, then the others. */
  copies(): CopiesOfRecord[] {
    return this.#known.table.copies(this.#absent)
  }

  /** The files of records, in no order. */
  records(): Iterable<IndexedFile> {
    return this.#known.table.records()
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  byPath(): { path: string; copy: boolean }[] {
    return this.#known.table.byPath()
  }

  /** The records that are always at hand, as their files stand now, in no order; reads only those that changed. */
  kept(): MemoryRecord[] {
    return this.#known.kept((path) => this.reread(path))
  }

  /** Files that are skipped, each with its fault, and folders that could not be listed; by path. */
  bad(): SkippedFile[] {
    return [...this.#unlisted, ...this.#known.bad()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /**
   * Does something with the index; undefined where there is none ({@link IndexFollower.use}).
   * @throws MnemosError LOCKED while another process keeps it.
   */
  use<T>(action: (index: RecordIndex) => T): T | undefined {
    return this.#index.use(action)
  }

  /** As {@link use}, and undefined as well while another process keeps the index. */
  useIfFree<T>(action: (index: RecordIndex) => T): T | undefined {
    return this.#index.useIfFree(action)
  }

  /** Wipes records from table and index. Throws when there is no index that could be wiped. */
  erase(deleted: readonly { id: string; paths: readonly string[] }[]): void {
    this.#index.erase(deleted)
  }

  /** Drops the index and fills it from the files; nothing is lost by it. */
  async rebuild(progress?: Progress): Promise<void> {
    this.#absent.clear()
    this.#keeper.drop()
    this.open()
    await this.scanChanged(progress)
  }

  close(): void {
    this.#closed = true
    this.#keeper.close()
  }
}
