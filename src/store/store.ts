import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { type Disk, readingError } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { FolderFault } from '../files/claim.ts'
import type { Intents } from '../files/intent.ts'
import type { BadLine } from '../files/jsonl.ts'
import type { Layout } from '../files/layout.ts'
import type { Ledger, LedgerEntry } from '../files/ledger.ts'
import type { HeldLock } from '../files/lock.ts'
import type { GoodFile } from '../files/record-files.ts'
import { Usage } from '../files/usage.ts'
import { newId } from '../record/ids.ts'
import { isAutobiographical, isWaiting } from '../record/kinds.ts'
import type { MemoryRecord, Status } from '../record/record.ts'
import { oldestFirst } from '../record/times.ts'
import type { Counts } from '../search/index/entries.ts'
import { recall } from '../search/recall/recall.ts'
import type { RecallRequest, RecallResult } from '../search/recall/request.ts'
import type { Act } from './acts.ts'
import type { Admission } from './admission.ts'
import type { Catalog, Progress } from './catalog.ts'
import { correctorsOf } from './chain.ts'
import { bringsWorkspace, type Committed, commit } from './commit.ts'
import { type Agreed, type Deleted, erase, foreseen } from './deletion.ts'
import type { SkippedFile } from './known-files.ts'
import { current, filesByRecord, shownOf } from './lookup.ts'
import { type FolderOptions, OpenFolder } from './open-folder.ts'
import type { Pieces } from './pieces.ts'
import type { CutRecord, Places } from './places.ts'
import type { Problem } from './problems.ts'
import { newestRecords } from './recent.ts'
import type { TurnContext } from './turn-context.ts'

export interface FoundFile {
  /** Absolute. */
  file: string
  summary: string
  source: MemoryRecord['source']
  workspace?: string | undefined
}

/** A record as it stands in its file now. */
export interface FoundRecord {
  record: MemoryRecord
  text: string
  /** What a deletion is bound to: the texts of this file and of its copies. */
  shown: string
  /** Absolute. */
  file: string
  /** Other files of this record (a sync's conflict copies). */
  copies: FoundFile[]
  /** Files of other notes that bear the same id by their names; they are shown only once this record is gone. */
  namesakes: FoundFile[]
}

/** What a room that writes files of its own is handed under the lock. */
export interface LockedParts {
  held: HeldLock
  ledger: Ledger
  intents: Intents
  clock: Clock
}

/** How long a search waits for another process that keeps the index, and how often it asks again. */
const PATIENCE_MS = 5_000
const WORKSPACE_KNOWN_MS = 50

/** Waits without holding up the host. */
async function patiently<T>(body: () => T): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return body()
    } catch (error) {
      if (!(error instanceof MnemosError) || error.code !== 'LOCKED' || performance.now() > deadline)
        throw error
      await sleep(WORKSPACE_KNOWN_MS)
    }
  }
}

/**
 * The records of one data folder: every read and write of them, whoever asks.
 *
 * It owns the records, their index and the use journal; gates and places register with it. It does not own what other
 * rooms keep in the folder (they write under its lock, see {@link Store.locked}), nor who may ask for what: that is the
 * gates' business.
 */
export class Store {
  readonly #folder: OpenFolder
  readonly #usage: Usage

  constructor(options: FolderOptions) {
    this.#folder = new OpenFolder(options)
    this.#usage = new Usage(this.#folder.disk, this.#folder.layout.usage)
  }

  get #pieces(): Pieces {
    return this.#folder.pieces
  }

  /** The disk for whatever else is kept in the folder: nothing is made through it while the folder is gone. */
  get disk(): Disk {
    return this.#folder.disk
  }

  get layout(): Layout {
    return this.#folder.layout
  }

  get config(): Config {
    return this.#folder.config
  }

  /** Where gates register. */
  get admission(): Admission {
    return this.#pieces.admission
  }

  /** Where places that hold record text register. */
  get places(): Places {
    return this.#pieces.places
  }

  /** Opens the folder once: version, unfinished acts, index, changed folders. Nobody waits for it. Never rejects. */
  open(): Promise<void> {
    return this.#folder.open()
  }

  /** Opens the folder if that has not happened yet, and scans every file where the last scan is too old. Never rejects. */
  refresh(progress?: Progress): Promise<void> {
    return this.#folder.refresh(progress)
  }

  /** Waits, for a bounded time, until what is known of the folder is what lies in it. */
  atTurnStart(): Promise<void> {
    return this.#folder.atTurnStart()
  }

  /**
   * Carries out acts as one: all are on disk afterwards, or none. A record that names the workspace of the context's
   * folder puts that folder into the register of workspaces.
   * @throws MnemosError when nothing was changed.
   */
  async commit(acts: readonly Act[], context: TurnContext): Promise<Committed> {
    const { workspaces } = this.#pieces
    const folder = bringsWorkspace(acts, context) ? context.folder : undefined
    const entering = folder === undefined ? undefined : await workspaces.entering(folder)
    return this.#folder.locked((held) =>
      this.#folder.orScanAgain(() => commit(this.#pieces, acts, context, { held, entering })),
    )
  }

  /**
   * Deletes a record for good, wherever its text lies.
   * @param agreed what the person agreed to: {@link FoundRecord.shown}, and what {@link Store.foreseeDeletion} told.
   * @throws MnemosError when nothing was deleted.
   */
  delete(id: string, context: TurnContext, agreed?: Agreed): Promise<Deleted> {
    return this.#folder.locked((held) =>
      this.#folder.orScanAgain(() => erase(this.#pieces, id, context, held, agreed)),
    )
  }

  /**
   * What deleting a record would do beside removing its own files; nothing is changed.
   * @throws MnemosError where there is no such record, or a check refuses to delete it.
   */
  async foreseeDeletion(id: string, context: TurnContext): Promise<{ cut: CutRecord[] }> {
    await this.refresh()
    return this.#folder.orScanAgain(() => foreseen(this.#pieces, id, context))
  }

  /**
   * Does something under the lock, for a room that keeps files of its own beside the records.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  locked<T>(body: (parts: LockedParts) => T | Promise<T>): Promise<T> {
    const { ledger, intents, clock } = this.#pieces
    return this.#folder.locked((held) => body({ held, ledger, intents, clock }))
  }

  /**
   * Does something under the lock with what lies below the store, and scans the whole folder afterwards: for the
   * doctor, whose repairs are no changes of what a record says.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  repair<T>(
    body: (parts: Omit<Pieces, 'catalog'> & { reread: Catalog['reread'] }, held: HeldLock) => T,
  ): Promise<T> {
    return this.#folder.locked((held) => {
      const { catalog, ...parts } = this.#pieces
      const done = body({ ...parts, reread: (path) => catalog.reread(path) }, held)
      this.#folder.scan()
      return done
    })
  }

  /**
   * A record as its file stands now.
   * @throws MnemosError NOT_FOUND or DELETED, or what is wrong with its file.
   */
  async get(id: string): Promise<FoundRecord> {
    await this.refresh()
    const { files } = this.#pieces
    const { record, text, file } = await this.#folder.orScanAgain(() => current(this.#pieces, id))
    const { own, namesakes } = filesByRecord(this.#pieces, record.id)
    const brief = (others: readonly GoodFile[]) =>
      others
        .filter((other) => other.file.path !== file.path)
        .map(({ file: { path }, record: { summary, source, workspace } }) => ({
          file: files.absolute(path),
          summary,
          source,
          ...(workspace === undefined ? {} : { workspace }),
        }))
    return {
      record,
      text,
      shown: shownOf(own),
      file: files.absolute(file.path),
      copies: brief(own),
      namesakes: brief(namesakes),
    }
  }

  /** A record as its file stands now; undefined where there is none that can be read. */
  readonly find = async (id: string): Promise<MemoryRecord | undefined> => {
    try {
      return (await this.get(id)).record
    } catch (error) {
      if (error instanceof MnemosError) return undefined
      throw error
    }
  }

  /** The ids of records that say of themselves that they corrected this one, which need not be there. */
  readonly correctorsOf = async (id: string): Promise<string[]> => correctorsOf(this.#pieces, id)

  /** @throws MnemosError UNAVAILABLE when there is no index to search. */
  async recall(
    request: Omit<RecallRequest, 'now' | 'giantBytes' | 'isolate' | 'idleDaysOf'>,
  ): Promise<RecallResult> {
    await this.refresh()
    const { giantBytes, isolate } = this.config
    const { catalog } = this.#pieces
    const now = this.now()
    const idleDaysOf = this.#usage.idleDays(now)
    const whole: RecallRequest = { ...request, giantBytes, isolate, now, idleDaysOf }
    const load = (path: string) => catalog.reread(path)?.record
    const result = await patiently(() => catalog.use((index) => recall(index, load, whole)))
    if (result) return result
    throw new MnemosError(
      'UNAVAILABLE',
      `Recall does not work just now: ${catalog.unavailable ?? 'there is no index.'}`,
      'Writing and opening by id go on.',
    )
  }

  /** The newest records of these statuses, newest first, as their files stand now. */
  async recent(limit: number, statuses: readonly Status[]): Promise<MemoryRecord[]> {
    await this.refresh()
    return newestRecords(this.#pieces.catalog, limit, statuses, this.now())
  }

  /** The id of the workspace that a folder belongs to; undefined where there is no folder. Never rejects. */
  workspaceOf(folder: string | undefined): Promise<string | undefined> {
    return this.#pieces.workspaces.of(folder)
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
    return this.#pieces.catalog.kept().filter(wanted).sort(oldestFirst(this.now()))
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  entries(): { path: string; copy: boolean }[] {
    return this.#pieces.catalog.byPath()
  }

  /** Of every record that is there. */
  ids(): string[] {
    return [...this.#pieces.catalog.records()].flatMap(({ id }) => id ?? [])
  }

  /** A record file as it stands now; undefined where there is none any more. */
  readFile(path: string): GoodFile | undefined {
    return this.#pieces.catalog.reread(path)
  }

  /** What the ledger says, oldest first. @throws MnemosError where it cannot be read. */
  ledger(since?: string, until?: string): { entries: LedgerEntry[]; bad: BadLine[] } {
    try {
      return this.#pieces.ledger.read(since, until)
    } catch (error) {
      throw readingError('The ledger cannot be read', error)
    }
  }

  /**
   * Drops the index and fills it from the files.
   * @throws MnemosError UNAVAILABLE where there can be none.
   */
  rebuildIndex(progress?: Progress): Promise<void> {
    const { catalog } = this.#pieces
    return this.#folder.locked(async () => {
      await catalog.rebuild(progress)
      this.#folder.scan()
      if (catalog.unavailable)
        throw new MnemosError('UNAVAILABLE', catalog.unavailable, 'See what is wrong with: mnemos doctor')
    })
  }

  /** Whether the index was made when the folder was opened, and is as good as rebuilt. */
  get indexIsNew(): boolean {
    return this.#pieces.catalog.isNew
  }

  /** An id that no record has or had. */
  newId(): string {
    const { catalog, tombstones } = this.#pieces
    return newId((id) => catalog.has(id) || tombstones.deletedAt(id) !== undefined)
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#pieces.clock.now()
  }

  /** Notes that a record was opened (not merely found). The journal is a convenience: a failure is not reported. */
  noteOpened(id: string, context: TurnContext): void {
    if (this.readOnly !== undefined) return
    try {
      this.#usage.note(id, context.session?.id, this.now())
    } catch {
      // A use that is not counted costs a little ranking; a failed open would cost the answer.
    }
  }

  /** How many records there are, by status and kind. */
  async counts(): Promise<Counts> {
    await this.refresh()
    const { catalog } = this.#pieces
    return (
      catalog.use((index) => index.counts()) ?? {
        total: [...catalog.records()].length,
        bad: catalog.bad().length,
        byStatus: {},
        byKind: {},
      }
    )
  }

  /** Why recall does not work; undefined while it does. */
  get recallUnavailable(): string | undefined {
    return this.#pieces.catalog.unavailable
  }

  /** Why nothing is written; undefined while it is. */
  get readOnly(): FolderFault | undefined {
    return this.#folder.readOnly
  }

  /** Adds or withdraws something that is to be reported. */
  report(key: string, problem: Problem | undefined): void {
    this.#folder.problems.set(key, problem)
  }

  /** What is wrong, for the view, the tools' answers and the command line. */
  problems(): Problem[] {
    return this.#folder.reported()
  }

  /** How many files vanished together and are neither shown nor forgotten. */
  get absent(): number {
    return this.#pieces.catalog.absent
  }

  /** The person's word that they will not come back. @returns how many records are forgotten. */
  forgetAbsent(): Promise<number> {
    return this.#folder.locked(() => {
      const gone = this.#folder.noteVanished(this.#pieces.catalog.forgetAbsent())
      this.#folder.scan()
      return gone
    })
  }

  /** Files that are skipped, each with its fault. */
  bad(): SkippedFile[] {
    return this.#pieces.catalog.bad()
  }

  close(): void {
    this.#folder.close()
  }
}
