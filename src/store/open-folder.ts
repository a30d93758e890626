import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, iso } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Disk } from '../base/disk.ts'
import { clauseOf, MnemosError, reasonOf } from '../base/errors.ts'
import {
  claimFolder,
  type FolderFault,
  type FolderUse,
  holdsAnything,
  readOnlyError,
} from '../files/claim.ts'
import { withClaimedLock } from '../files/claimed-lock.ts'
import { type GuardedDisk, guardedDisk } from '../files/guarded-disk.ts'
import { type Layout, layoutOf } from '../files/layout.ts'
import { DataLock, type HeldLock } from '../files/lock.ts'
import { misplacedIn } from '../files/misplaced.ts'
import { sweepTemporary } from '../files/sweep.ts'
import { piecesOf } from './assemble.ts'
import type { Progress, ScanResult } from './catalog.ts'
import type { Pieces } from './pieces.ts'
import { type Problem, Problems, textProblem } from './problems.ts'
import { recover } from './recovery.ts'

export interface FolderOptions {
  /** The data folder, absolute. */
  root: string
  config: Config
  clock: Clock
  disk: Disk
  /** What is known of its use from elsewhere. */
  use?: FolderUse
}

/** Places that nothing needs until something is written. */
const JOURNALS = /^(?:ledger|usage|pending)\b/

/** A scan of the folder that is so fresh is not repeated for an id that is missing: chains may hold many such ids. */
const SCAN_AGAIN_MS = 20

/**
 * How long opening waits for another process: it may be filling the index for all, which one that does not wait would do
 * over again. A dead one's lock is taken over long before.
 */
const OPENING_TIMEOUT_MS = 300_000

/**
 * The life of one open data folder: claiming and opening it, finishing what a killed process left, scanning its files
 * when the last scan is too old, and the lock that every write takes.
 *
 * It owns the lock, the time of the last scan and what is reported of the folder. What is read and written in it is the
 * store's business.
 */
export class OpenFolder {
  readonly layout: Layout
  readonly config: Config
  readonly pieces: Pieces
  readonly problems = new Problems()
  readonly #lock: DataLock
  /** The disk, which makes nothing in the folder while that is gone. */
  readonly disk: GuardedDisk
  readonly #use: FolderUse
  #opening: Promise<void> | undefined
  #isOpen = false
  #isKnown = false
  #isClosed = false
  #hadTurn = false
  /** At the last scan nothing of the folder was there. */
  #wasAway = false
  /** How many wait for the folder to be opened. */
  #waiting = 0
  #readOnly: FolderFault | undefined
  /** Of the last scan of every file, by `performance.now()`. */
  #scannedAt = Number.NEGATIVE_INFINITY

  constructor({ root, config, clock, disk, use }: FolderOptions) {
    this.layout = layoutOf(root)
    this.disk = guardedDisk(disk, this.layout)
    this.config = config
    this.pieces = piecesOf(this.layout, clock, this.disk, () => this.#readOnly !== undefined)
    this.#lock = new DataLock(this.disk, this.layout.lock, config.lockTimeoutMs)
    this.#use = {
      // As noted by an earlier process, as it was when it was last looked through, or by what this one has written.
      was: () => use?.was() === true || this.disk.hasStored() || this.pieces.catalog.size > 0,
      note: async () => {
        if (this.disk.hasStored()) await use?.note()
      },
    }
  }

  /** Why nothing is written here; undefined where it is. */
  get readOnly(): FolderFault | undefined {
    return this.#readOnly
  }

  /** Whether it was opened and read in whole, so that what is not known of is not there. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /**
   * Opens the folder once: version, unfinished acts, index, and those files that came or went since it was last scanned.
   * Never rejects.
   */
  open(progress?: Progress): Promise<void> {
    this.#opening ??= this.#open(progress)
      .then(() => this.#setKnown())
      .catch((error) => {
        this.problems.set('open', { code: 'OPEN_FAILED', reason: clauseOf(error) })
      })
      .finally(() => {
        this.#isOpen = true
        this.problems.set('filling', undefined)
      })
    return this.#opening
  }

  /** Opens the folder if that has not happened yet, and scans every file where the last scan is too old. Never rejects. */
  async refresh(progress?: Progress): Promise<void> {
    await this.#awaited(this.open(progress))
    this.#scanIfOlder(this.config.scanEveryMs)
  }

  /**
   * What a turn waits for. The first one of a process is content with the glance that opening takes; and none waits
   * longer than `turnWaitMs` for a folder whose index has to be filled, or that another process keeps.
   */
  async atTurnStart(): Promise<void> {
    const work = this.#hadTurn && this.#isOpen ? this.refresh() : this.open()
    this.#hadTurn = true
    const inTime = new AbortController()
    const timer = sleep(this.config.turnWaitMs, undefined, { signal: inTime.signal, ref: false })
    await this.#awaited(Promise.race([work, timer.catch(() => undefined)]))
    inTime.abort()
    if (!this.#isOpen) this.problems.set('filling', { code: 'FILLING' })
  }

  async #awaited<T>(work: Promise<T>): Promise<T> {
    this.#waiting++
    try {
      return await work
    } finally {
      this.#waiting--
    }
  }

  /** Everything in it was looked at: what was wrong when it was opened is over. */
  #setKnown(): void {
    this.#isKnown = true
    this.problems.set('open', undefined)
  }

  #claim(): void {
    this.#readOnly = claimFolder(this.disk, this.layout, this.#use.was)
    this.problems.set('read-only', this.#readOnly && { code: 'READ_ONLY', fault: this.#readOnly })
  }

  async #open(progress?: Progress): Promise<void> {
    const { disk, catalog, files } = this.pieces
    this.#claim()
    if (this.#readOnly === undefined) {
      try {
        await this.#lock.run(async (held) => {
          catalog.open()
          await this.#recover(held)
          await this.#scanChanged(progress)
          files.sweep(catalog.temporary)
          const { root, constitution } = this.layout
          const ofPlaces = this.pieces.places.folders().map((folder) => join(root, folder))
          for (const folder of [dirname(constitution), ...ofPlaces]) sweepTemporary(disk, folder)
        }, OPENING_TIMEOUT_MS)
        return
      } catch (error) {
        this.problems.set('lock', textProblem(reasonOf(error)))
      }
    }
    catalog.open()
    await this.#scanChanged(progress)
  }

  async #recover(held: HeldLock): Promise<void> {
    held.check()
    this.pieces.files.sweep(this.pieces.catalog.temporary)
    const problems = await recover(this.pieces, this.layout, held)
    this.problems.set('recovery', textProblem(problems.join(' ') || undefined))
  }

  async #scanChanged(progress?: Progress): Promise<void> {
    this.#scanned(await this.pieces.catalog.scanChanged(progress, () => this.#waiting > 0))
  }

  /** Whether a folder that held a memory is gone as a whole: nothing of that is forgotten then, and nothing made there. */
  #isAway(): boolean {
    const { root } = this.layout
    const isAway = !holdsAnything(this.disk, this.layout) && this.#use.was()
    this.problems.set(
      'away',
      isAway ? { code: 'READ_ONLY', fault: { code: 'NOT_MOUNTED', root } } : undefined,
    )
    const { catalog } = this.pieces
    // It is there again, and need not be tried again only after a while.
    if (this.#wasAway && !isAway && catalog.unavailable !== undefined) catalog.open()
    this.#wasAway = isAway
    return isAway
  }

  #scanIfOlder(olderThanMs: number): void {
    if (performance.now() - this.#scannedAt < olderThanMs) return
    try {
      if (this.#readOnly === undefined && this.#isAway()) return
      this.scan()
      this.problems.set('look', undefined)
    } catch (error) {
      // What was seen before still serves, and each record's own file is read again before it is shown.
      this.problems.set('look', { code: 'LOOK_FAILED', reason: clauseOf(error) })
    }
  }

  /** Scans every file now. */
  scan(): void {
    this.#scanned(this.pieces.catalog.scanAll())
  }

  #scanned({ gone, whole }: ScanResult): void {
    const { catalog } = this.pieces
    if (whole) {
      this.#scannedAt = performance.now()
      this.#setKnown()
    }
    this.noteVanished(gone)
    const { absent } = catalog
    this.problems.set('absent', absent > 0 ? { code: 'ABSENT_FILES', count: absent } : undefined)
    // Whoever needs one of the others reports it.
    const places = misplacedIn(this.disk, this.layout).filter(({ path }) => JOURNALS.test(path))
    this.problems.set('misplaced', places.length > 0 ? { code: 'MISPLACED', places } : undefined)
    const damage = this.pieces.tombstones.damage()
    this.problems.set('tombstones', damage && { code: 'TOMBSTONES', ...damage })
    const copies = catalog.copies()
    this.problems.set('copies', copies.length > 0 ? { code: 'COPIES', copies } : undefined)
    const bad = catalog.bad()
    this.problems.set('bad files', bad.length > 0 ? { code: 'BAD_FILES', files: bad } : undefined)
  }

  /**
   * A file removed by hand is a memory forgotten by hand: it leaves a line in the ledger and no tombstone.
   * @returns how many records are gone with these files.
   */
  noteVanished(files: readonly { id: string | null; rev: number | null }[]): number {
    const { catalog, tombstones, ledger, clock } = this.pieces
    const gone = files.filter(({ id }) => id !== null && !catalog.has(id))
    if (this.#readOnly !== undefined) return gone.length
    const at = iso(clock.now())
    try {
      ledger.append(
        gone.flatMap(({ id, rev }) =>
          id === null || tombstones.deletedAt(id) !== undefined
            ? []
            : [{ at, act: 'vanish' as const, id, by: 'person', rev: [rev, null] as [number | null, null] }],
        ),
      )
    } catch (error) {
      this.problems.set('ledger', { code: 'LEDGER_FAILED', reason: clauseOf(error) })
    }
    return gone.length
  }

  /**
   * Does something under the lock, after what a killed process left is finished.
   * @throws MnemosError READ_ONLY or LOCKED.
   */
  async locked<T>(body: (held: HeldLock) => Promise<T> | T): Promise<T> {
    await this.#awaited(this.open())
    const { catalog } = this.pieces
    if (this.#readOnly !== undefined) {
      // What kept it from being written may be over: a full disk, a refusal that came once.
      this.#claim()
      if (this.#readOnly !== undefined) throw readOnlyError(this.#readOnly)
      catalog.open()
      this.scan()
    }
    const parts = { disk: this.disk, layout: this.layout, lock: this.#lock, use: this.#use }
    return withClaimedLock(parts, async (held) => {
      this.problems.set('lock', undefined)
      await this.#recover(held)
      this.#scanIfOlder(this.config.scanEveryMs)
      return body(held)
    })
  }

  /**
   * What another process wrote, or a person moved, since the last scan of the folder is not missing: before it is said
   * that there is no such record the folder is scanned again. Nothing was written when that is said.
   */
  async orScanAgain<T>(body: () => T | Promise<T>): Promise<T> {
    try {
      return await body()
    } catch (error) {
      if (!(error instanceof MnemosError) || error.code !== 'NOT_FOUND') throw error
      this.#scanIfOlder(Math.min(SCAN_AGAIN_MS, this.config.scanEveryMs))
      return await body()
    }
  }

  close(): void {
    this.#isClosed = true
    this.pieces.catalog.close()
  }

  /** What is wrong; nothing once it is closed. */
  reported(): Problem[] {
    if (this.#isClosed) return []
    const { catalog, workspaces } = this.pieces
    const { unavailable } = catalog
    const hasScanned = this.#scannedAt !== Number.NEGATIVE_INFINITY
    return [
      ...this.problems.list(),
      ...workspaces.problems(),
      ...(hasScanned && unavailable ? [{ code: 'RECALL_UNAVAILABLE' as const, reason: unavailable }] : []),
    ]
  }
}
