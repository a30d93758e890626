/** The derived index kept in step with what is known of the files. */
import { MnemosError } from '../base/errors.ts'
import type { BadFile, GoodFile } from '../files/record-files.ts'
import type { FileStamp } from '../files/stamps.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import type { IndexKeeper } from './index-keeper.ts'
import type { KnownFiles } from './known-files.ts'

/** Without an index (its driver cannot load) nothing is followed, and what is known of the files alone answers. */
export class IndexFollower {
  readonly #keeper: IndexKeeper
  readonly #known: KnownFiles
  readonly #refill: () => void

  /** @param refill brings table and index after the files, once a damaged index was dropped and opened anew. */
  constructor(keeper: IndexKeeper, known: KnownFiles, refill: () => void) {
    this.#keeper = keeper
    this.#known = known
    this.#refill = refill
  }

  /** Opens the index and takes over what it knows of the files. Never throws. */
  open(): void {
    this.#keeper.open((index) => this.#known.begin(index.files(), index.keptPaths()))
  }

  /**
   * Does something with the index; undefined where there is none. A damaged index is dropped, filled again from
   * the files, and asked once more.
   * @throws MnemosError LOCKED while another process keeps it.
   */
  use<T>(action: (index: RecordIndex) => T): T | undefined {
    return this.#keeper.use(action, () => {
      this.open()
      this.#refill()
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

  takeGood(good: GoodFile[]): void {
    if (good.length === 0) return
    this.#known.noteGood(good)
    this.#follow(good, (index) => index.put(good, (file) => this.#known.isStillSo(file)))
  }

  takeBad(all: readonly BadFile[]): void {
    const bad = this.#known.noteBad(all)
    if (bad.length > 0) this.#follow(bad, (index) => index.putBad(bad))
  }

  /** Takes files out of table and index. @returns those that no other process has forgotten before. */
  forget(files: readonly IndexedFile[]): IndexedFile[] {
    if (files.length === 0) return []
    const paths = files.map(({ path }) => path)
    for (const path of paths) this.#known.drop(path)
    let removed: ReadonlySet<string> | undefined
    this.#follow([], (index) => {
      removed = new Set(index.remove(paths))
    })
    return removed ? files.filter(({ path }) => removed?.has(path)) : [...files]
  }

  /** Wipes records from table and index. Throws when there is no index that could be wiped. */
  erase(deleted: readonly { id: string; paths: readonly string[] }[]): void {
    for (const { paths } of deleted) for (const path of paths) this.#known.drop(path)
    // Other notes may bear the same id by their names.
    const spared = new Set(deleted.flatMap(({ id }) => this.#known.table.pathsOf(id)))
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
        this.#keeper.unavailable ?? 'There is no index.',
        'Run mnemos doctor to see why.',
      )
  }

  /** Brings the index after the files; where it is busy, the files count as unread and are read again. */
  #follow(files: readonly { file: FileStamp }[], action: (index: RecordIndex) => void): void {
    try {
      this.use(action)
    } catch {
      // Only "busy" is thrown: the next scan of the folder does it.
      for (const { file } of files) this.#known.table.markUnread(file.path)
    }
  }
}
