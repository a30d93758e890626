/**
 * Which record lies in which file, kept in step with the disk, and the derived index kept in step with both.
 * Without an index (its driver cannot load) the catalog alone answers, so writing and opening go on.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { MnemosError } from '../base/errors.ts'
import { type FileFault, sameFault } from '../files/file-fault.ts'
import { type BadFile, folderOf, type GoodFile, type RecordFiles, type Walk } from '../files/record-files.ts'
import { countsFirst, type FileStamp, sameStamp, vanishedTogether } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import type { IndexKeeper } from './index-keeper.ts'
import { KeptRecords } from './kept.ts'

/** Files parsed and indexed in one transaction while the index is filled. */
const BATCH = 250
/** The same while nobody waits for it: some ten milliseconds, so that whatever else the host does is not held up. */
const SMALL_BATCH = 20
/**
 * A folder that was changed less than this before it was listed may have been changed again since, within the same tick
 * of its clock (two seconds on the coarsest file systems).
 */
const SETTLED_MS = 2_500

/** Progress of a long fill: files done and files in all. */
export type Progress = (done: number, total: number) => void

/** What a look at the folder found. */
export interface Look {
  /** Records whose files are gone. */
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

export class Catalog {
  readonly #files: RecordFiles
  readonly #tombstones: Tombstones
  readonly #index: IndexKeeper
  #closed = false
  #entries = new Map<string, IndexedFile>()
  #paths = new Map<string, Set<string>>()
  readonly #kept = new KeptRecords()
  #unread: { path: string; fault: FileFault }[] = []
  /** Files that vanished together: not shown and not forgotten, until they are back or the person decides. */
  readonly #absent = new Set<string>()

  constructor(files: RecordFiles, tombstones: Tombstones, index: IndexKeeper) {
    this.#files = files
    this.#tombstones = tombstones
    this.#index = index
  }

  /** Opens the index and takes over what it knows of the files. Never throws. */
  open(): void {
    this.#index.open((index) => {
      this.#entries.clear()
      this.#paths.clear()
      for (const file of index.files()) this.#remember(file)
      this.#kept.begin(index.keptPaths())
    })
  }

  /** The index was empty when it was opened. */
  get isNew(): boolean {
    return this.#index.isNew
  }

  get unavailable(): string | undefined {
    return this.#index.unavailable
  }

  /**
   * The first look: lists only folders that have changed since all their files were looked at, so that it takes a moment
   * however many files there are; what was written into a file without replacing it is not seen by that. Where much is
   * new (an index that was not kept takes seconds) it lets others have their turn between batches: the host must answer
   * and the lock must show signs of life. Stops when the catalog is closed.
   * @param isAwaited whether somebody waits for it; if not, half of the time is left to others.
   */
  async fill(progress?: Progress, isAwaited: () => boolean = () => true): Promise<Look> {
    this.#tombstones.refresh()
    const walk = this.#files.walk(this.useIfFree((index) => index.folders()))
    const changed = walk.files.filter((file) => this.#isChanged(file))
    if (changed.length <= BATCH) return this.#takeIn(walk)
    for (let at = 0; at < changed.length; ) {
      const from = performance.now()
      const batch = changed.slice(at, at + (isAwaited() ? BATCH : SMALL_BATCH))
      this.#take(batch)
      at += batch.length
      progress?.(at, changed.length)
      await (isAwaited() ? nextTurn() : sleep(performance.now() - from))
      if (this.#closed) return { gone: [], whole: false }
    }
    // Files may have come and gone meanwhile.
    return this.refresh()
  }

  /** Temporary files that the last look saw. */
  temporary: readonly string[] = []

  #isChanged(file: FileStamp): boolean {
    const known = this.#entries.get(file.path)
    return !known || !sameStamp(known, file)
  }

  /** Looks at every file and brings catalog and index up to date. */
  refresh(): Look {
    this.#tombstones.refresh()
    if (this.#index.isDue) this.open()
    return this.#takeIn(this.#files.walk())
  }

  #takeIn(walk: Walk): Look {
    this.#unread = walk.unread
    this.temporary = walk.temporary
    const seen = new Set<string>()
    const changed: FileStamp[] = []
    for (const file of walk.files) {
      seen.add(file.path)
      if (this.#isChanged(file)) changed.push(file)
    }
    for (const { file, fault } of walk.bad) {
      seen.add(file.path)
      const known = this.#entries.get(file.path)
      if (!known || !sameStamp(known, file) || !sameFault(known.fault, fault))
        this.#takeBad({ file, fault })
    }
    for (let at = 0; at < changed.length; at += BATCH) {
      this.#take(changed.slice(at, at + BATCH))
    }
    for (const path of seen) this.#absent.delete(path)
    const gone = this.#gone(seen, walk.skipped)
    const whole = walk.skipped.size === 0
    if (whole) this.#settle(walk)
    return { gone, whole }
  }

  /** Notes all folders, with the time of those that need no listing until they change: all in them was taken in. */
  #settle({ folders, startedAt }: Walk): void {
    const open = new Set<string>()
    for (const { path, mtimeMs } of this.#entries.values())
      if (mtimeMs < 0 || this.#absent.has(path)) open.add(folderOf(path))
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
  #gone(seen: ReadonlySet<string>, skipped: ReadonlySet<string>): IndexedFile[] {
    const gone = [...this.#entries.values()].filter(
      ({ path }) =>
        !seen.has(path) && !skipped.has(folderOf(path)) && !this.#absent.has(path) && !this.#isUnread(path),
    )
    if (vanishedTogether(gone.length, this.#entries.size)) {
      for (const { path } of gone) this.#absent.add(path)
      return []
    }
    return this.#forgetKnown(gone)
  }

  /** @returns those that no other process has forgotten before. */
  #forgetKnown(files: readonly IndexedFile[]): IndexedFile[] {
    if (files.length === 0) return []
    const removed = this.forget(files.map(({ path }) => path))
    return removed ? files.filter(({ path }) => removed.has(path)) : [...files]
  }

  /** How many files are absent. */
  get absent(): number {
    return this.#absent.size
  }

  /** The person's word that absent files will not come back. Returns the records that are forgotten by it. */
  forgetAbsent(): IndexedFile[] {
    const files = [...this.#absent].flatMap((path) => this.#entries.get(path) ?? [])
    this.#absent.clear()
    return this.#forgetKnown(files)
  }

  #isUnread(path: string): boolean {
    return this.#unread.some((folder) => folder.path === '.' || path.startsWith(`${folder.path}/`))
  }

  #take(stamps: FileStamp[]): void {
    const good: GoodFile[] = []
    for (const stamp of stamps) {
      const loaded = this.#load(stamp.path)
      if (loaded && 'record' in loaded) good.push(loaded)
      else if (loaded) this.#takeBad(loaded)
    }
    if (good.length > 0) this.#takeGood(good)
  }

  /** Reads a file; a restored copy of a deleted record counts as a bad file. */
  #load(path: string): GoodFile | BadFile | undefined {
    const loaded = this.#files.read(path)
    if (!loaded || !('record' in loaded)) return loaded
    const { id, created } = loaded.record
    if (!this.#tombstones.isDead(id, created)) return loaded
    const deletedAt = this.#tombstones.deletedAt(id)
    return { file: loaded.file, fault: { code: 'RESTORED_COPY', ...(deletedAt === undefined ? {} : { deletedAt }) } }
  }

  #takeGood(good: GoodFile[]): void {
    for (const { file, record } of good) {
      this.#remember({ ...file, id: record.id, fault: null, rev: record.rev })
      this.#kept.note(file.path, record)
    }
    this.#follow(good, (index) => index.put(good, (file) => this.#stillSo(file)))
  }

  /** Whether a file is as it was read; one that is not is looked at again the next time. */
  #stillSo(file: FileStamp): boolean {
    const now = this.#files.stamp(file.path)
    if (now && sameStamp(now, file)) return true
    const entry = this.#entries.get(file.path)
    if (entry) this.#entries.set(file.path, { ...entry, mtimeMs: -1 })
    return false
  }

  #takeBad({ file, fault }: BadFile): void {
    this.#remember({ ...file, id: null, fault, rev: null })
    this.#follow([{ file }], (index) => index.putBad(file, fault))
  }

  #remember(entry: IndexedFile): void {
    this.#unlink(entry.path)
    this.#entries.set(entry.path, entry)
    if (entry.id === null) return
    const paths = this.#paths.get(entry.id)
    if (paths) paths.add(entry.path)
    else this.#paths.set(entry.id, new Set([entry.path]))
  }

  #unlink(path: string): void {
    this.#kept.drop(path)
    const old = this.#entries.get(path)
    if (old?.id == null) return
    const paths = this.#paths.get(old.id)
    paths?.delete(path)
    if (paths?.size === 0) this.#paths.delete(old.id)
  }

  /** Takes files out of catalog and index. Returns those that the index still had; undefined where it cannot tell. */
  forget(paths: readonly string[]): ReadonlySet<string> | undefined {
    for (const path of paths) {
      this.#unlink(path)
      this.#entries.delete(path)
    }
    let removed: ReadonlySet<string> | undefined
    this.#follow([], (index) => {
      removed = new Set(index.remove(paths))
    })
    return removed
  }

  /** Wipes records from the index. Throws when there is no index that could be wiped. */
  erase(doomed: readonly { id: string; paths: readonly string[] }[]): void {
    for (const { paths } of doomed) {
      for (const path of paths) {
        this.#unlink(path)
        this.#entries.delete(path)
      }
    }
    const done = this.use((index) => {
      index.erase(doomed.map(({ id }) => id))
      return true
    })
    if (!done) throw new MnemosError('UNAVAILABLE', this.unavailable ?? 'there is no index')
  }

  /** What a file holds at this moment; catalog and index follow it. */
  reread(path: string): GoodFile | undefined {
    const loaded = this.#load(path)
    const known = this.#entries.get(path)
    // Whether a file that is not there was removed or only vanished is decided when the whole folder is looked at.
    if (!loaded) return undefined
    const isNew = !known || !sameStamp(known, loaded.file)
    if ('record' in loaded) {
      if (isNew || known.id !== loaded.record.id) this.#takeGood([loaded])
      return loaded
    }
    if (isNew || !sameFault(known.fault, loaded.fault)) this.#takeBad(loaded)
    return undefined
  }

  /** The files that hold an id, the one that counts first. */
  pathsOf(id: string): string[] {
    const entries = [...(this.#paths.get(id) ?? [])].flatMap((path) => this.#entries.get(path) ?? [])
    return entries.sort(countsFirst).map(({ path }) => path)
  }

  /** Ids that several files hold (a sync's conflict copies): the file that counts first, then the others. */
  copies(): { id: string; paths: string[] }[] {
    return [...this.#paths]
      .filter(([, paths]) => paths.size > 1)
      .map(([id]) => ({ id, paths: this.pathsOf(id).filter((path) => !this.#absent.has(path)) }))
      .filter(({ paths }) => paths.length > 1)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** The records that are always at hand, as their files stand now, in no order; reads only those that changed. */
  kept(): MemoryRecord[] {
    const unchanged = (path: string) => {
      const [known, now] = [this.#entries.get(path), this.#files.stamp(path)]
      return known !== undefined && now !== undefined && sameStamp(known, now)
    }
    return this.#kept
      .list(unchanged, (path) => this.reread(path)?.record)
      .filter(({ path, record }) => this.pathsOf(record.id)[0] === path)
      .map(({ record }) => record)
  }

  has(id: string): boolean {
    return this.#paths.has(id)
  }

  /** Files that are skipped, each with its fault, and folders that could not be read. */
  bad(): SkippedFile[] {
    const files = [...this.#entries.values()].flatMap(({ path, fault }) =>
      fault === null ? [] : [{ path, fault }],
    )
    return [...this.#unread, ...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  byPath(): { path: string; copy: boolean }[] {
    return [...this.records()]
      .map(({ path, id }) => ({ path, copy: id !== null && this.pathsOf(id)[0] !== path }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The files of records, in no order. */
  *records(): Iterable<IndexedFile> {
    for (const entry of this.#entries.values()) if (entry.id !== null) yield entry
  }

  /**
   * Does something with the index; undefined where there is none. A damaged index is dropped, filled again from
   * the files, and asked once more.
   * @throws MnemosError LOCKED while another process keeps it.
   */
  use<T>(action: (index: RecordIndex) => T): T | undefined {
    return this.#index.use(action, () => {
      this.open()
      this.refresh()
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
    await this.fill(progress)
  }

  /** Brings the index after the files; where it is busy, the files count as unseen and are looked at again. */
  #follow(files: readonly { file: FileStamp }[], action: (index: RecordIndex) => void): void {
    try {
      this.use(action)
    } catch {
      // Only "busy" is thrown: the next look at the folder does it.
      for (const { file } of files) {
        const entry = this.#entries.get(file.path)
        if (entry) this.#entries.set(file.path, { ...entry, mtimeMs: -1 })
      }
    }
  }

  close(): void {
    this.#closed = true
    this.#index.close()
  }
}
