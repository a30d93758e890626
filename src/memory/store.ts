/**
 * The store: one data folder. Everything that reads or writes records goes through it.
 *
 * Files are the truth; the catalog and the index follow them. A store opens whatever state its folder is in: what
 * is wrong is among {@link Store.problems}, and only what it makes impossible is refused.
 */
import { dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { iso } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { Admission } from './admit.ts'
import { Catalog, type Progress } from './catalog.ts'
import { claimFolder } from './claim.ts'
import { type Act, type CommitParts, type Committed, commit, current } from './commit.ts'
import { type Deleted, erase } from './deletion.ts'
import { derivedPlace } from './derived.ts'
import { newId } from './ids.ts'
import { RecordIndex } from './index/record-index.ts'
import { type Layout, layoutOf, monthOf } from './layout.ts'
import { Ledger, ledgerId } from './ledger.ts'
import { limitsGate } from './limits.ts'
import { DataLock, type Held } from './lock.ts'
import { Pending } from './pending.ts'
import { type Doomed, Places } from './places.ts'
import { absentSentence, badFilesSentence, copiesSentence, Problems } from './problems.ts'
import { type RecallRequest, type RecallResult, recall } from './recall/recall.ts'
import type { MemoryRecord } from './record.ts'
import { RecordFiles } from './record-files.ts'
import { recover } from './recovery.ts'
import { Tombstones } from './tombstones.ts'
import type { TurnContext } from './turn-context.ts'

export interface StoreOptions {
  root: string
  config: Config
  clock: Clock
  disk: Disk
}

/** A record as it stands in its file now. */
export interface Found {
  record: MemoryRecord
  /** The file's text: what a deletion is bound to. */
  text: string
  /** Absolute. */
  file: string
  /** Other files with the same id (a sync's conflict copies), absolute. */
  copies: string[]
}

/** A look at the folder that is so fresh is not repeated for an id that is missing: chains may hold many such ids. */
const LOOK_AGAIN_MS = 20

export class Store {
  readonly layout: Layout
  readonly config: Config
  readonly admission = new Admission(limitsGate)
  readonly places = new Places()
  readonly #clock: Clock
  readonly #disk: Disk
  readonly #files: RecordFiles
  readonly #tombstones: Tombstones
  readonly #ledger: Ledger
  readonly #pending: Pending
  readonly #catalog: Catalog
  readonly #lock: DataLock
  readonly #problems = new Problems()
  #ready: Promise<void> | undefined
  #readOnly: string | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor({ root, config, clock, disk }: StoreOptions) {
    this.layout = layoutOf(root)
    this.config = config
    this.#clock = clock
    this.#disk = disk
    this.#files = new RecordFiles(disk, this.layout.memories)
    this.#tombstones = new Tombstones(disk, this.layout.tombstones)
    this.#ledger = new Ledger(disk, this.layout.ledger)
    this.#pending = new Pending(disk, this.layout.pending)
    this.#catalog = new Catalog(this.#files, this.#tombstones, () => this.#openIndex())
    this.#lock = new DataLock(this.layout.lock, config.lockTimeoutMs)
    this.places.register(derivedPlace(() => this.#parts()))
    this.places.register({
      name: 'record files',
      erase: (doomed) => {
        for (const { paths } of doomed) for (const path of paths) this.#files.remove(path)
        this.#files.sweep(this.#files.walk().temporary)
      },
    })
    this.places.register({ name: 'search index', erase: (doomed) => this.#eraseFromIndex(doomed) })
  }

  #openIndex(): RecordIndex {
    if (this.#readOnly !== undefined) return RecordIndex.open(':memory:')
    this.#disk.folder(dirname(this.layout.index))
    return RecordIndex.open(this.layout.index)
  }

  /** An index that cannot be opened is removed whole: it is derived, and the text may be in it. */
  #eraseFromIndex(doomed: readonly Doomed[]): void {
    if (this.#catalog.unavailable === undefined) this.#catalog.erase(doomed)
    else
      for (const suffix of ['', '-journal', '-wal', '-shm'])
        this.#disk.remove(`${this.layout.index}${suffix}`)
  }

  /** Opens the folder once: version, unfinished acts, files, index. Never rejects. */
  ready(progress?: Progress): Promise<void> {
    this.#ready ??= this.#open(progress).catch((error) => {
      this.#problems.set('open', `The data folder could not be opened whole (${reasonOf(error)}).`)
    })
    return this.#ready
  }

  async #open(progress?: Progress): Promise<void> {
    this.#readOnly = claimFolder(this.#disk, this.layout)
    this.#problems.set('read-only', this.#readOnly)
    if (this.#readOnly === undefined) {
      try {
        await this.#lock.run(async (held) => {
          this.#catalog.open()
          await this.#recover(held)
          this.#looked(await this.#catalog.fill(progress))
          this.#files.sweep(this.#catalog.temporary)
        })
        return
      } catch (error) {
        this.#problems.set('lock', reasonOf(error))
      }
    }
    this.#catalog.open()
    this.#looked(await this.#catalog.fill(progress))
  }

  async #recover(held: Held): Promise<void> {
    held.check()
    this.#files.sweep(this.#catalog.temporary)
    const problems = await recover(this.#parts(), held)
    this.#problems.set('recovery', problems.length > 0 ? problems.join(' ') : undefined)
  }

  #parts(): CommitParts & { places: Places } {
    return {
      clock: this.#clock,
      disk: this.#disk,
      files: this.#files,
      catalog: this.#catalog,
      tombstones: this.#tombstones,
      admission: this.admission,
      ledger: this.#ledger,
      pending: this.#pending,
      places: this.places,
    }
  }

  /** Opens the folder if that has not happened yet, and looks at it again where the last look is too old. */
  async freshen(): Promise<void> {
    await this.ready()
    this.#refresh()
  }

  #refresh(olderThanMs = this.config.scanEveryMs): void {
    if (performance.now() - this.#lookedAt < olderThanMs) return
    try {
      this.#look()
      this.#problems.set('look', undefined)
    } catch (error) {
      // What was seen before still serves, and each record's own file is read again before it is shown.
      this.#problems.set('look', `The data folder could not be looked through (${reasonOf(error)}).`)
    }
  }

  #look(): void {
    this.#looked(this.#catalog.refresh())
  }

  #looked({ gone }: ReturnType<Catalog['refresh']>): void {
    this.#lookedAt = performance.now()
    this.#vanished(gone.filter(({ id }) => id !== null && !this.#catalog.has(id)))
    const { absent } = this.#catalog
    this.#problems.set('absent', absent > 0 ? absentSentence(absent) : undefined)
    const copies = this.#catalog.copies()
    this.#problems.set('copies', copies.length > 0 ? copiesSentence(copies) : undefined)
    const bad = this.#catalog.bad()
    this.#problems.set('bad files', bad.length > 0 ? badFilesSentence(bad) : undefined)
  }

  /** A file removed by hand is a memory forgotten by hand: it leaves a line in the ledger and no tombstone. */
  #vanished(gone: { id: string | null; rev: number | null }[]): void {
    if (this.#readOnly !== undefined) return
    const at = iso(this.#clock.now())
    try {
      this.#ledger.append(
        gone.flatMap(({ id, rev }) =>
          id === null || this.#tombstones.deletedAt(id) !== undefined
            ? []
            : [{ at, act: 'vanish' as const, id, by: 'person', rev: [rev, null] as [number | null, null] }],
        ),
      )
    } catch (error) {
      this.#problems.set('ledger', `The ledger cannot be written (${reasonOf(error)}).`)
    }
  }

  async #writable<T>(body: (held: Held) => Promise<T>): Promise<T> {
    await this.ready()
    if (this.#readOnly !== undefined)
      throw new MnemosError('READ_ONLY', `${this.#readOnly} Nothing was changed.`)
    return this.#lock.run(async (held) => {
      await this.#recover(held)
      this.#refresh()
      return body(held)
    })
  }

  /**
   * What another process wrote, or a person moved, since the last look at the folder is not missing: before it is said
   * that there is no such record the folder is looked at again. Nothing was written when that is said.
   */
  async #orLookAgain<T>(body: () => T | Promise<T>): Promise<T> {
    try {
      return await body()
    } catch (error) {
      if (!(error instanceof MnemosError) || error.code !== 'NOT_FOUND') throw error
      this.#refresh(Math.min(LOOK_AGAIN_MS, this.config.scanEveryMs))
      return await body()
    }
  }

  /**
   * Carries out acts as one: all are on disk afterwards, or none.
   * @throws MnemosError when nothing was changed.
   */
  commit(acts: Act[], context: TurnContext): Promise<Committed> {
    return this.#writable((held) => this.#orLookAgain(() => commit(this.#parts(), acts, context, held)))
  }

  /**
   * Deletes a record for good, wherever its text lies.
   * @param shown the file's text that the person agreed to delete.
   * @throws MnemosError when nothing was deleted.
   */
  delete(id: string, context: TurnContext, shown?: string): Promise<Deleted> {
    return this.#writable((held) => this.#orLookAgain(() => erase(this.#parts(), id, context, held, shown)))
  }

  /**
   * A record as its file stands now.
   * @throws MnemosError NOT_FOUND or DELETED, or what is wrong with its file.
   */
  async get(id: string): Promise<Found> {
    await this.freshen()
    const { record, text, file } = await this.#orLookAgain(() => current(this.#parts(), id))
    const copies = this.#catalog.pathsOf(id).filter((path) => path !== file.path)
    return {
      record,
      text,
      file: this.#files.absolute(file.path),
      copies: copies.map((path) => this.#files.absolute(path)),
    }
  }

  /** @throws MnemosError UNAVAILABLE when there is no index to search. */
  async recall(request: Omit<RecallRequest, 'now' | 'giantBytes' | 'isolate'>): Promise<RecallResult> {
    await this.freshen()
    const { giantBytes, isolate } = this.config
    const whole: RecallRequest = { ...request, giantBytes, isolate, now: this.#clock.now() }
    const load = (path: string) => this.#catalog.reread(path)?.record
    const result = this.#catalog.use((index) => recall(index, load, whole))
    if (result) return result
    throw new MnemosError(
      'UNAVAILABLE',
      `Recall does not work just now: ${this.#catalog.unavailable ?? 'there is no index.'}`,
      'Writing and opening by id go on.',
    )
  }

  /** An id that no record has or had. */
  newId(): string {
    return newId((id) => this.#catalog.has(id) || this.#tombstones.deletedAt(id) !== undefined)
  }

  now(): number {
    return this.#clock.now()
  }

  /** Notes that a record was opened (not merely found). The journal is a convenience: a failure is not told. */
  opened(id: string, context: TurnContext): void {
    if (this.#readOnly !== undefined) return
    const at = iso(this.#clock.now())
    try {
      this.#disk.folder(this.layout.usage)
      const line = JSON.stringify({
        at,
        id: ledgerId(id),
        ...(context.session ? { session: context.session.id } : {}),
      })
      this.#disk.append(join(this.layout.usage, `${monthOf(at)}.jsonl`), line)
    } catch {
      // A use that is not counted costs a little ranking; a failed open would cost the answer.
    }
  }

  /** How many records there are, by status and kind. */
  async counts(): Promise<{
    total: number
    bad: number
    byStatus: Record<string, number>
    byKind: Record<string, number>
  }> {
    await this.freshen()
    const counts = this.#catalog.use((index) => index.counts())
    if (counts) return counts
    return {
      total: [...this.#catalog.records()].length,
      bad: this.#catalog.bad().length,
      byStatus: {},
      byKind: {},
    }
  }

  /** Why recall does not work; undefined while it does. */
  get recallUnavailable(): string | undefined {
    return this.#catalog.unavailable
  }

  get readOnly(): string | undefined {
    return this.#readOnly
  }

  /** Adds or withdraws something that is to be said aloud. */
  say(key: string, sentence: string | undefined): void {
    this.#problems.set(key, sentence)
  }

  /** What is wrong, one sentence each, for the view, the tools' answers and the command line. */
  problems(): string[] {
    const { unavailable } = this.#catalog
    const opened = this.#lookedAt !== Number.NEGATIVE_INFINITY
    return [
      ...this.#problems.list(),
      ...(opened && unavailable ? [`Recall does not work just now: ${unavailable}`] : []),
    ]
  }

  /** How many files vanished together and are neither shown nor forgotten. */
  get absent(): number {
    return this.#catalog.absent
  }

  /** The person's word that they will not come back. @returns how many records are forgotten. */
  forgetAbsent(): Promise<number> {
    return this.#writable(async () => {
      const gone = this.#catalog.forgetAbsent().filter(({ id }) => id !== null && !this.#catalog.has(id))
      this.#vanished(gone)
      this.#look()
      return gone.length
    })
  }

  /** Files that are skipped, each with the reason. */
  bad(): { path: string; reason: string }[] {
    return this.#catalog.bad()
  }

  close(): void {
    this.#catalog.close()
  }
}
