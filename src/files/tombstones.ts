/** Tombstones: which ids were deleted and when, so that no copy, sync or stale process brings one back. */
import { basename } from 'node:path'
import type { Disk } from '../base/disk.ts'
import {
  type DeletionLines,
  type DeletionPlaces,
  DeletionReader,
  type TombstoneFile,
  type TombstoneLine,
} from './deletion-lines.ts'
import type { BadLine } from './jsonl.ts'
import { keptCopyName } from './kept-copy.ts'
import { ledgerId } from './ledger.ts'

/** What all that is known of the deletions of one id says together. */
interface Tombstone {
  /** The last deletion; ISO. */
  at: string
  /** Every deletion; ISO. */
  deletions: ReadonlySet<string>
  /** When its deleted files were created; milliseconds. */
  created: ReadonlySet<number>
  /** Whatever was created until then counts as deleted, milliseconds; undefined where `created` says it all. */
  until: number | undefined
}

/** What is wrong with what is known of deletions. */
export interface TombstoneDamage {
  lines: readonly BadLine[]
  /** Files that cannot be read at all; relative to the data folder. */
  unread: DeletionLines['unread']
  /** How many names are deleted by what the ledger says alone. */
  onlyInLedger: number
}

/** The tombstones of a data folder. It lives as long as the folder is open and knows what it read of the files. */
export class Tombstones {
  readonly #disk: Disk
  readonly #places: DeletionPlaces
  readonly #reader: DeletionReader
  #byId = new Map<string, Tombstone>()
  #found: DeletionLines = { files: [], ledger: [], unread: [] }
  /** Deletions that only the ledger tells of. */
  #lost: TombstoneLine[] = []

  constructor(disk: Disk, places: DeletionPlaces) {
    this.#disk = disk
    this.#places = places
    this.#reader = new DeletionReader(disk, places)
  }

  /**
   * Reads what other processes have added, wherever it can be read. What was known before stays known: while the folder is
   * open nothing that happens to a file brings a deleted record back. Never throws.
   */
  refresh(): void {
    const found = this.#reader.read()
    if (found === this.#found) return
    this.#found = found
    const lines = this.#allLines()
    for (const line of lines) addLine(this.#byId, line)
    const known = new Set(lines.map(tombstoneKey))
    this.#lost = found.ledger.filter((line) => !known.has(tombstoneKey(line)))
    // What the deleted files were like the ledger does not say, so it counts as a line of an earlier version does; but not
    // beside a tombstone that was read before it was lost.
    for (const line of this.#lost)
      if (!this.#byId.get(line.id)?.deletions.has(line.at)) addLine(this.#byId, line)
  }

  /** When an id was last deleted, ISO; undefined if never. */
  deletedAt(id: string): string | undefined {
    return this.#byId.get(ledgerId(id))?.at
  }

  /**
   * Whether a file with this id and this time of creation (ISO; its own, or the file's) is a copy of what was deleted.
   * That is told by what it is and not by comparing clocks: anything else under the name is a new record. Of a deletion by
   * an earlier version only its time is known, and what was created until then counts as a copy.
   */
  isDeleted(id: string, created: string): boolean {
    const tombstone = this.#byId.get(ledgerId(id))
    if (tombstone === undefined) return false
    const ms = Date.parse(created)
    return ms <= (tombstone.until ?? Number.NaN) || [...tombstone.created].some((one) => isSameTime(ms, one))
  }

  /** Whether this deletion has its tombstone. @param at ISO. */
  has(id: string, at: string): boolean {
    const line = ledgerId(id)
    return this.#found.files.some(({ lines }) => lines.some((one) => one.id === line && one.at === at))
  }

  /**
   * Adds a tombstone. Throws when the disk refuses.
   * @param at when the record is deleted; ISO. @param created when each of the deleted files was created, by itself or by
   * the file's time; ISO.
   */
  add(id: string, at: string, created: readonly string[]): void {
    const line = { id: ledgerId(id), at, created: [...new Set(created)], exact: true }
    if (this.#main?.isUtf16) this.#write([...this.#allLines(), line])
    else this.#disk.append(this.#places.tombstones, JSON.stringify(line))
    addLine(this.#byId, line)
    this.refresh()
  }

  /** What is wrong with the files; undefined where nothing is. */
  damage(): TombstoneDamage | undefined {
    const { files, unread } = this.#found
    const lines = files.flatMap(({ bad }) => bad)
    const named = new Set(this.#allLines().map(({ id }) => id))
    const onlyInLedger = new Set(this.#lost.flatMap(({ id }) => (named.has(id) ? [] : [id]))).size
    if (lines.length + unread.length + onlyInLedger === 0) return undefined
    return { lines, unread, onlyInLedger }
  }

  /**
   * Writes all that can be read into a file without damage; a damaged one is kept under another name. Call it under the
   * lock. Throws when the disk refuses.
   * @param at milliseconds since the epoch.
   */
  repair(at: number): void {
    const { root, tombstones } = this.#places
    const all = [...this.#allLines(), ...this.#lost]
    for (const { name } of this.#found.files.filter(({ bad }) => bad.length > 0)) {
      const bytes = this.#disk.read(`${root}/${name}`)
      const kept = keptCopyName(this.#disk, root, {
        stem: 'deletions',
        extension: '.jsonl',
        why: 'damaged',
        at,
      })
      this.#disk.replace(`${root}/${kept}`, bytes ?? '')
      if (name !== basename(tombstones)) this.#disk.remove(`${root}/${name}`)
    }
    this.#write(all)
    this.refresh()
  }

  #write(lines: readonly TombstoneLine[]): void {
    const text = [...new Set(lines.map((line) => JSON.stringify(line)))].map((line) => `${line}\n`).join('')
    this.#disk.replace(this.#places.tombstones, text)
  }

  get #main(): TombstoneFile | undefined {
    return this.#found.files.find(({ name }) => name === basename(this.#places.tombstones))
  }

  #allLines(): TombstoneLine[] {
    return this.#found.files.flatMap(({ lines }) => lines)
  }
}

/** Steps of file systems and archives that keep times less finely: exFAT, tar and ext3, FAT and zip; milliseconds. */
const STEPS = [10, 1000, 2000]

/**
 * Whether a time is that of a deleted file, as it is or as a coarser clock cuts it (a fraction of a millisecond is lost by
 * many a tool, or rounded up to a whole one). Otherwise a cut time is never later, so that no note that is written after the
 * deletion is taken for the old one.
 */
const isSameTime = (copy: number, deleted: number): boolean =>
  Math.abs(deleted - copy) <= 1 ||
  (copy <= deleted && STEPS.some((step) => copy % step === 0 && deleted - copy < step))

const tombstoneKey = ({ id, at }: Pick<TombstoneLine, 'id' | 'at'>): string => `${id} ${at}`

function addLine(byId: Map<string, Tombstone>, { id, at, created = [], exact = false }: TombstoneLine): void {
  const before = byId.get(id)
  const until = [before?.until, exact ? undefined : Date.parse(at)].filter((one) => one !== undefined)
  byId.set(id, {
    at: before && before.at > at ? before.at : at,
    deletions: new Set([...(before?.deletions ?? []), at]),
    created: new Set([...(before?.created ?? []), ...created.map((one) => Date.parse(one))]),
    until: until.length === 0 ? undefined : Math.max(...until),
  })
}
