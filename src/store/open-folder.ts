/**
 * The life of one open data folder: claiming and opening it, finishing what a killed process left, looking at its
 * files, and the lock that every write takes. What is read and written in it is the store's business.
 */
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { iso } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { claimFolder, type FolderFault, readOnlyError } from '../files/claim.ts'
import { type Layout, layoutOf } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import { DataLock, type Held } from '../files/lock.ts'
import { Pending } from '../files/pending.ts'
import { RecordFiles } from '../files/record-files.ts'
import { Tombstones } from '../files/tombstones.ts'
import { RecordIndex } from '../search/index/record-index.ts'
import { Admission } from './admission.ts'
import { Catalog, type Look, type Progress } from './catalog.ts'
import { derivedPlace } from './derived.ts'
import { IndexKeeper } from './index-keeper.ts'
import type { CommitParts } from './parts.ts'
import { type Doomed, Places } from './places.ts'
import { type Problem, Problems, textProblem } from './problems.ts'
import { recover } from './recovery.ts'

export interface StoreOptions {
  root: string
  config: Config
  clock: Clock
  disk: Disk
}

/** A look at the folder that is so fresh is not repeated for an id that is missing: chains may hold many such ids. */
const LOOK_AGAIN_MS = 20

/**
 * How long opening waits for another process: it may be filling the index for all, which one that does not wait would do
 * over again. A dead one's lock is taken over long before.
 */
const OPENING_TIMEOUT_MS = 300_000

export class OpenFolder {
  readonly layout: Layout
  readonly config: Config
  readonly admission = new Admission()
  readonly places = new Places()
  readonly clock: Clock
  readonly disk: Disk
  readonly files: RecordFiles
  readonly tombstones: Tombstones
  readonly ledger: Ledger
  readonly #pending: Pending
  readonly catalog: Catalog
  readonly #lock: DataLock
  readonly problems = new Problems()
  #opened: Promise<void> | undefined
  #hadTurn = false
  #isOpen = false
  /** Whether it was opened whole. */
  isKnown = false
  #isClosed = false
  /** How many wait for the folder to be opened. */
  #waiting = 0
  /** Why nothing is written here; undefined where it is. */
  readOnly: FolderFault | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor({ root, config, clock, disk }: StoreOptions) {
    this.layout = layoutOf(root)
    this.config = config
    this.clock = clock
    this.disk = disk
    this.files = new RecordFiles(disk, this.layout.memories)
    this.tombstones = new Tombstones(disk, this.layout.tombstones)
    this.ledger = new Ledger(disk, this.layout.ledger)
    this.#pending = new Pending(disk, this.layout.pending)
    this.catalog = new Catalog(
      this.files,
      this.tombstones,
      new IndexKeeper(
        () => this.#openIndex(),
        () => this.#dropIndex(),
      ),
    )
    this.#lock = new DataLock(this.layout.lock, config.lockTimeoutMs)
    this.places.register(derivedPlace(() => this.parts()))
    this.places.register({
      name: 'record files',
      erase: (doomed) => {
        for (const one of doomed) for (const path of one.paths) this.#removeDead(one.id, path)
        this.files.sweep(this.files.walk().temporary)
      },
    })
    this.places.register({ name: 'unfinished changes', erase: (doomed) => this.#pending.erase(doomed) })
    this.places.register({ name: 'search index', erase: (doomed) => this.#eraseFromIndex(doomed) })
  }

  /** What a person wrote under that name since the deletion is a new record and none of ours to remove. */
  #removeDead(id: string, path: string): void {
    const loaded = this.files.read(path)
    if (!loaded) return
    const at = Date.parse(this.tombstones.deletedAt(id) ?? '')
    const isOld =
      'record' in loaded
        ? loaded.record.id === id && this.tombstones.isDead(id, loaded.record.created)
        : loaded.file.mtimeMs <= at
    if (!isOld) return
    this.files.remove(path)
  }

  #openIndex(): RecordIndex {
    if (this.readOnly !== undefined) return RecordIndex.open(':memory:')
    this.disk.folder(dirname(this.layout.index))
    return RecordIndex.open(this.layout.index)
  }

  /** An index that cannot be opened is removed whole: it is derived, and the text may be in it. */
  #eraseFromIndex(doomed: readonly Doomed[]): void {
    if (this.catalog.unavailable === undefined) this.catalog.erase(doomed)
    else this.#dropIndex()
  }

  #dropIndex(): void {
    for (const suffix of ['', '-journal', '-wal', '-shm']) this.disk.remove(`${this.layout.index}${suffix}`)
  }

  /**
   * Opens the folder once: version, unfinished acts, index, and those files that came or went since it was last looked
   * through. Never rejects.
   */
  opened(progress?: Progress): Promise<void> {
    this.#opened ??= this.#open(progress)
      .then(() => {
        this.isKnown = true
      })
      .catch((error) => {
        this.problems.set('open', { code: 'OPEN_FAILED', reason: reasonOf(error) })
      })
      .finally(() => {
        this.#isOpen = true
        this.problems.set('filling', undefined)
      })
    return this.#opened
  }

  /** Opens the folder, and looks at every file if that has not happened yet. Never rejects. */
  async ready(progress?: Progress): Promise<void> {
    await this.#awaited(this.opened(progress))
    if (!this.#hasLooked) this.#refresh()
  }

  async #awaited<T>(work: Promise<T>): Promise<T> {
    this.#waiting++
    try {
      return await work
    } finally {
      this.#waiting--
    }
  }

  async #open(progress?: Progress): Promise<void> {
    this.readOnly = claimFolder(this.disk, this.layout)
    this.problems.set('read-only', this.readOnly && { code: 'READ_ONLY', fault: this.readOnly })
    if (this.readOnly === undefined) {
      try {
        await this.#lock.run(async (held) => {
          this.catalog.open()
          await this.#recover(held)
          await this.#firstLook(progress)
          this.files.sweep(this.catalog.temporary)
        }, OPENING_TIMEOUT_MS)
        return
      } catch (error) {
        this.problems.set('lock', textProblem(reasonOf(error)))
      }
    }
    this.catalog.open()
    await this.#firstLook(progress)
  }

  async #firstLook(progress?: Progress): Promise<void> {
    this.#looked(await this.catalog.fill(progress, () => this.#waiting > 0))
  }

  get #hasLooked(): boolean {
    return this.#lookedAt !== Number.NEGATIVE_INFINITY
  }

  async #recover(held: Held): Promise<void> {
    held.check()
    this.files.sweep(this.catalog.temporary)
    const problems = await recover(this.parts(), held)
    this.problems.set('recovery', textProblem(problems.join(' ') || undefined))
  }

  /** What writing and deleting work with. */
  parts(): CommitParts & { places: Places } {
    return {
      clock: this.clock,
      disk: this.disk,
      files: this.files,
      catalog: this.catalog,
      tombstones: this.tombstones,
      admission: this.admission,
      ledger: this.ledger,
      pending: this.#pending,
      places: this.places,
    }
  }

  /** Opens the folder if that has not happened yet, and looks at it again where the last look is too old. */
  async freshen(): Promise<void> {
    await this.ready()
    this.#refresh()
  }

  /**
   * What a turn waits for. The first one of a process is content with the glance that opening takes; and none waits
   * longer than `turnWaitMs` for a folder whose index has to be filled, or that another process keeps.
   */
  async atTurnStart(): Promise<void> {
    const work = this.#hadTurn && this.#isOpen ? this.freshen() : this.opened()
    this.#hadTurn = true
    const inTime = new AbortController()
    const timer = sleep(this.config.turnWaitMs, undefined, { signal: inTime.signal, ref: false })
    await this.#awaited(Promise.race([work, timer.catch(() => undefined)]))
    inTime.abort()
    if (!this.#isOpen) this.problems.set('filling', { code: 'FILLING' })
  }

  #refresh(olderThanMs = this.config.scanEveryMs): void {
    if (performance.now() - this.#lookedAt < olderThanMs) return
    try {
      this.look()
      this.problems.set('look', undefined)
    } catch (error) {
      // What was seen before still serves, and each record's own file is read again before it is shown.
      this.problems.set('look', { code: 'LOOK_FAILED', reason: reasonOf(error) })
    }
  }

  /** Looks at every file now. */
  look(): void {
    this.#looked(this.catalog.refresh())
  }

  #looked({ gone, whole }: Look): void {
    if (whole) this.#lookedAt = performance.now()
    this.vanished(gone.filter(({ id }) => id !== null && !this.catalog.has(id)))
    const { absent } = this.catalog
    this.problems.set('absent', absent > 0 ? { code: 'ABSENT_FILES', count: absent } : undefined)
    const copies = this.catalog.copies()
    this.problems.set('copies', copies.length > 0 ? { code: 'COPIES', copies } : undefined)
    const bad = this.catalog.bad()
    this.problems.set('bad files', bad.length > 0 ? { code: 'BAD_FILES', files: bad } : undefined)
  }

  /** A file removed by hand is a memory forgotten by hand: it leaves a line in the ledger and no tombstone. */
  vanished(gone: { id: string | null; rev: number | null }[]): void {
    if (this.readOnly !== undefined) return
    const at = iso(this.clock.now())
    try {
      this.ledger.append(
        gone.flatMap(({ id, rev }) =>
          id === null || this.tombstones.deletedAt(id) !== undefined
            ? []
            : [{ at, act: 'vanish' as const, id, by: 'person', rev: [rev, null] as [number | null, null] }],
        ),
      )
    } catch (error) {
      this.problems.set('ledger', { code: 'LEDGER_FAILED', reason: reasonOf(error) })
    }
  }

  /**
   * Does something under the lock, after what a killed process left is finished.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  async writable<T>(body: (held: Held) => Promise<T>): Promise<T> {
    await this.ready()
    if (this.readOnly !== undefined) throw readOnlyError(this.readOnly)
    return this.#lock.run(async (held) => {
      this.problems.set('lock', undefined)
      await this.#recover(held)
      this.#refresh()
      return body(held)
    })
  }

  /**
   * What another process wrote, or a person moved, since the last look at the folder is not missing: before it is said
   * that there is no such record the folder is looked at again. Nothing was written when that is said.
   */
  async orLookAgain<T>(body: () => T | Promise<T>): Promise<T> {
    try {
      return await body()
    } catch (error) {
      if (!(error instanceof MnemosError) || error.code !== 'NOT_FOUND') throw error
      this.#refresh(Math.min(LOOK_AGAIN_MS, this.config.scanEveryMs))
      return await body()
    }
  }

  close(): void {
    this.#isClosed = true
    this.catalog.close()
  }

  /** What is wrong. */
  wrong(): Problem[] {
    if (this.#isClosed) return []
    const { unavailable } = this.catalog
    return [
      ...this.problems.list(),
      ...(this.#hasLooked && unavailable
        ? [{ code: 'RECALL_UNAVAILABLE' as const, reason: unavailable }]
        : []),
    ]
  }
}
