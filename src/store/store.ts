import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { MnemosError } from '../base/errors.ts'
import type { FolderFault } from '../files/claim.ts'
import type { BadLine } from '../files/jsonl.ts'
import type { Layout } from '../files/layout.ts'
import type { Ledger, LedgerEntry } from '../files/ledger.ts'
import type { Held } from '../files/lock.ts'
import type { GoodFile } from '../files/record-files.ts'
import { Usage } from '../files/usage.ts'
import { newId } from '../record/ids.ts'
import { isAutobiographical, isWaiting } from '../record/kinds.ts'
import type { MemoryRecord, Status } from '../record/record.ts'
import { recall } from '../search/recall/recall.ts'
import type { RecallRequest, RecallResult } from '../search/recall/request.ts'
import type { Act } from './acts.ts'
import type { Admission } from './admission.ts'
import type { Catalog, Progress, SkippedFile } from './catalog.ts'
import { type Committed, commit } from './commit.ts'
import { type Deleted, erase } from './deletion.ts'
import { current, filesOf, shownOf } from './lookup.ts'
import { OpenFolder, type StoreOptions } from './open-folder.ts'
import type { CommitParts } from './parts.ts'
import type { Places } from './places.ts'
import type { Problem } from './problems.ts'
import { newest } from './recent.ts'
import type { TurnContext } from './turn-context.ts'

/** A record as it stands in its file now. */
export interface Found {
  record: MemoryRecord
  text: string
  /** What a deletion is bound to: the texts of this file and of its copies. */
  shown: string
  /** Absolute. */
  file: string
  /** Other files with the same id (a sync's conflict copies). */
  copies: { file: string; summary: string }[]
}

/** What a room that writes files of its own is handed under the lock. */
export interface LockedParts {
  held: Held
  ledger: Ledger
  clock: Clock
}

/** How long a search waits for another process that keeps the index, and how often it asks again. */
const PATIENCE_MS = 5_000
const ASK_AGAIN_MS = 50

/** Waits without holding up the host. */
async function patiently<T>(body: () => T): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return body()
    } catch (error) {
      if (!(error instanceof MnemosError) || error.code !== 'LOCKED' || performance.now() > deadline)
        throw error
      await sleep(ASK_AGAIN_MS)
    }
  }
}

export class Store {
  readonly #folder: OpenFolder
  readonly #usage: Usage

  constructor(options: StoreOptions) {
    this.#folder = new OpenFolder(options)
    this.#usage = new Usage(options.disk, this.#folder.layout.usage)
  }

  get layout(): Layout {
    return this.#folder.layout
  }

  get config(): Config {
    return this.#folder.config
  }

  /** Where gates register. */
  get admission(): Admission {
    return this.#folder.admission
  }

  /** Where places that hold record text register. */
  get places(): Places {
    return this.#folder.places
  }

  /** Opens the folder once: version, unfinished acts, files, index. Never rejects. */
  ready(progress?: Progress): Promise<void> {
    return this.#folder.ready(progress)
  }

  /** Opens the folder if that has not happened yet, and looks at it again where the last look is too old. */
  freshen(): Promise<void> {
    return this.#folder.freshen()
  }

  /** Waits, for a bounded time, until what is known of the folder is what lies in it. */
  atTurnStart(): Promise<void> {
    return this.#folder.atTurnStart()
  }

  /** Opens the folder, without looking into every file. Never rejects. */
  open(): Promise<void> {
    return this.#folder.opened()
  }

  /**
   * Carries out acts as one: all are on disk afterwards, or none.
   * @throws MnemosError when nothing was changed.
   */
  commit(acts: Act[], context: TurnContext): Promise<Committed> {
    return this.#folder.writable((held) =>
      this.#folder.orLookAgain(() => commit(this.#folder.parts(), acts, context, held)),
    )
  }

  /**
   * Deletes a record for good, wherever its text lies.
   * @param shown what the person agreed to delete ({@link Found.shown}).
   * @throws MnemosError when nothing was deleted.
   */
  delete(id: string, context: TurnContext, shown?: string): Promise<Deleted> {
    return this.#folder.writable((held) =>
      this.#folder.orLookAgain(() => erase(this.#folder.parts(), id, context, held, shown)),
    )
  }

  /**
   * Does something under the lock, for a room that keeps files of its own beside the records.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  locked<T>(body: (parts: LockedParts) => T | Promise<T>): Promise<T> {
    const { ledger, clock } = this.#folder
    return this.#folder.writable(async (held) => body({ held, ledger, clock }))
  }

  /**
   * A record as its file stands now.
   * @throws MnemosError NOT_FOUND or DELETED, or what is wrong with its file.
   */
  async get(id: string): Promise<Found> {
    await this.freshen()
    const { record, text, file } = await this.#folder.orLookAgain(() => current(this.#folder.parts(), id))
    const files = filesOf(this.#folder.parts(), id)
    return {
      record,
      text,
      shown: shownOf(files),
      file: this.#folder.files.absolute(file.path),
      copies: files
        .filter((copy) => copy.file.path !== file.path)
        .map((copy) => ({ file: this.#folder.files.absolute(copy.file.path), summary: copy.record.summary })),
    }
  }

  /** @throws MnemosError UNAVAILABLE when there is no index to search. */
  async recall(
    request: Omit<RecallRequest, 'now' | 'giantBytes' | 'isolate' | 'idleDaysOf'>,
  ): Promise<RecallResult> {
    await this.freshen()
    const { giantBytes, isolate } = this.config
    const now = this.#folder.clock.now()
    const idleDaysOf = this.#usage.idleDays(now)
    const whole: RecallRequest = { ...request, giantBytes, isolate, now, idleDaysOf }
    const load = (path: string) => this.#folder.catalog.reread(path)?.record
    const result = await patiently(() => this.#folder.catalog.use((index) => recall(index, load, whole)))
    if (result) return result
    throw new MnemosError(
      'UNAVAILABLE',
      `Recall does not work just now: ${this.#folder.catalog.unavailable ?? 'there is no index.'}`,
      'Writing and opening by id go on.',
    )
  }

  /** The newest records of these statuses, newest first, as their files stand now. */
  async recent(limit: number, statuses: readonly Status[]): Promise<MemoryRecord[]> {
    await this.freshen()
    return newest(this.#folder.catalog, limit, statuses)
  }

  /** Whether the folder was opened and read in, so that what is not known of is not there. */
  get isKnown(): boolean {
    return this.#folder.isKnown
  }

  /**
   * Identity, decisions and experience of every status, oldest first, as their files stand now. At once: it waits for
   * nothing and looks at no other file.
   */
  selfHistory(): MemoryRecord[] {
    return this.#kept(isAutobiographical)
  }

  /** Candidates and unconfirmed records of every kind, oldest first; at once, as {@link selfHistory}. */
  waiting(): MemoryRecord[] {
    return this.#kept(isWaiting)
  }

  #kept(wanted: (record: MemoryRecord) => boolean): MemoryRecord[] {
    const order = (a: MemoryRecord, b: MemoryRecord) =>
      Date.parse(a.created) - Date.parse(b.created) ||
      (a.order ?? 0) - (b.order ?? 0) ||
      (a.id < b.id ? -1 : 1)
    return this.#folder.catalog.kept().filter(wanted).sort(order)
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  entries(): { path: string; copy: boolean }[] {
    return this.#folder.catalog.byPath()
  }

  /** Of every record that is there. */
  ids(): string[] {
    return [...this.#folder.catalog.records()].flatMap(({ id }) => id ?? [])
  }

  /** A record file as it stands now; undefined where there is none any more. */
  readFile(path: string): GoodFile | undefined {
    return this.#folder.catalog.reread(path)
  }

  /** What the ledger says, oldest first. */
  ledger(since?: string, until?: string): { entries: LedgerEntry[]; bad: BadLine[] } {
    return this.#folder.ledger.read(since, until)
  }

  /**
   * Drops the index and fills it from the files.
   * @throws MnemosError UNAVAILABLE where there can be none.
   */
  rebuildIndex(progress?: Progress): Promise<void> {
    return this.#folder.writable(async () => {
      await this.#folder.catalog.rebuild(progress)
      this.#folder.look()
      const { unavailable } = this.#folder.catalog
      if (unavailable) throw new MnemosError('UNAVAILABLE', unavailable)
    })
  }

  /** Whether the index was made when the folder was opened, and is as good as rebuilt. */
  get indexIsNew(): boolean {
    return this.#folder.catalog.isNew
  }

  /**
   * Does something under the lock with what lies below the store, and looks at the whole folder afterwards: for the
   * doctor, whose repairs are no changes of what a record says.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  repair<T>(
    body: (parts: Omit<CommitParts, 'catalog'> & { reread: Catalog['reread'] }, held: Held) => T,
  ): Promise<T> {
    return this.#folder.writable(async (held) => {
      const { catalog, ...parts } = this.#folder.parts()
      const done = body({ ...parts, reread: (path) => catalog.reread(path) }, held)
      this.#folder.look()
      return done
    })
  }

  /** An id that no record has or had. */
  newId(): string {
    return newId((id) => this.#folder.catalog.has(id) || this.#folder.tombstones.deletedAt(id) !== undefined)
  }

  now(): number {
    return this.#folder.clock.now()
  }

  /** Notes that a record was opened (not merely found). The journal is a convenience: a failure is not told. */
  noteOpened(id: string, context: TurnContext): void {
    if (this.#folder.readOnly !== undefined) return
    try {
      this.#usage.note(id, context.session?.id, this.#folder.clock.now())
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
    const counts = this.#folder.catalog.use((index) => index.counts())
    if (counts) return counts
    return {
      total: [...this.#folder.catalog.records()].length,
      bad: this.#folder.catalog.bad().length,
      byStatus: {},
      byKind: {},
    }
  }

  /** Why recall does not work; undefined while it does. */
  get recallUnavailable(): string | undefined {
    return this.#folder.catalog.unavailable
  }

  /** Why nothing is written into the folder; undefined where it is. */
  get readOnly(): FolderFault | undefined {
    return this.#folder.readOnly
  }

  /** Adds or withdraws something that is to be reported. */
  report(key: string, problem: Problem | undefined): void {
    this.#folder.problems.set(key, problem)
  }

  /** What is wrong, for the view, the tools' answers and the command line. */
  problems(): Problem[] {
    return this.#folder.wrong()
  }

  /** How many files vanished together and are neither shown nor forgotten. */
  get absent(): number {
    return this.#folder.catalog.absent
  }

  /** The person's word that they will not come back. @returns how many records are forgotten. */
  forgetAbsent(): Promise<number> {
    return this.#folder.writable(async () => {
      const gone = this.#folder.catalog
        .forgetAbsent()
        .filter(({ id }) => id !== null && !this.#folder.catalog.has(id))
      this.#folder.vanished(gone)
      this.#folder.look()
      return gone.length
    })
  }

  /** Files that are skipped, each with its fault. */
  bad(): SkippedFile[] {
    return this.#folder.catalog.bad()
  }

  close(): void {
    this.#folder.close()
  }
}
