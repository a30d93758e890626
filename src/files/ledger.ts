/**
 * The ledger: an append-only journal of JSON lines for each month. It says who did what to which record and when, and
 * holds no content, no free text and no hash of a record's text.
 */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { isMadeId } from '../record/ids.ts'
import { type BadLine, readJsonl } from './jsonl.ts'
import { monthOf } from './layout.ts'
import { makeOwnFolder } from './own-folder.ts'

/** What can be done to a record, the constitution or the user memory. */
export const LEDGER_ACTS = [
  'create',
  'update',
  'correct',
  'deprecate',
  'delete',
  'vanish',
  'repair',
  'constitution',
  'user-memory',
] as const

/** A line of the ledger. A newer version may know more acts and more fields of one: they are kept as they are. */
export const ledgerEntrySchema = z.looseObject({
  at: z.string(),
  /** One of {@link LEDGER_ACTS}, or one of a newer version. Ledgers of earlier versions call a repair `mend`. */
  act: z.string().transform((act) => (act === 'mend' ? 'repair' : act)),
  /**
   * The record's id; a hand-chosen name is hashed, because the name itself may be private (see {@link ledgerId}). For a
   * change of the constitution: `constitution`, and `rev` holds its versions.
   */
  id: z.string(),
  by: z.string(),
  session: z.string().optional(),
  /** Revision before and after; null where there was or is no record. */
  rev: z.tuple([z.number().nullable(), z.number().nullable()]),
})
/** A line of the ledger, as it is before its id is hashed and after it was read. */
export type LedgerEntry = z.output<typeof ledgerEntrySchema>

/** How an id stands in ledger and tombstones: one that we made as it is, a hand-chosen name as `h:` and a hash. */
export const ledgerId = (id: string): string =>
  isMadeId(id) ? id : `h:${createHash('sha256').update(id.normalize('NFC')).digest('hex').slice(0, 24)}`

/** The ledger of a data folder. */
export class Ledger {
  readonly #disk: Disk
  readonly #folder: string

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  /** The entries between two ISO times, oldest first, and the lines that cannot be read. Throws when the disk refuses. */
  read(since = '', until = '\uffff'): { entries: LedgerEntry[]; bad: BadLine[] } {
    const entries: LedgerEntry[] = []
    const bad: BadLine[] = []
    for (const { name, kind } of this.#disk.list(this.#folder) ?? []) {
      const month = /^(\d{4}-\d{2})\.jsonl$/.exec(name)?.[1]
      if (kind !== 'file' || month === undefined || month < monthOf(since) || month > monthOf(until)) continue
      const lines = readJsonl(this.#disk, join(this.#folder, name), `ledger/${name}`, ledgerEntrySchema)
      entries.push(...lines.values.filter(({ at }) => at >= since && at <= until))
      bad.push(...lines.bad)
    }
    entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    return { entries, bad }
  }

  /** Appends entries; throws when the disk refuses. */
  append(entries: LedgerEntry[]): void {
    if (entries.length === 0) return
    makeOwnFolder(this.#disk, this.#folder)
    for (const entry of entries) this.#disk.append(this.#fileOf(entry), jsonLine(entry))
  }

  /** Appends those entries that are not in it yet: a process may have been killed after it had written some of them. */
  complete(entries: LedgerEntry[]): void {
    this.append(
      entries.filter((entry) => {
        const file = this.#fileOf(entry)
        const { lines } = readJsonl(this.#disk, file, basename(file), ledgerEntrySchema)
        return !lines.includes(jsonLine(entry))
      }),
    )
  }

  #fileOf(entry: LedgerEntry): string {
    return join(this.#folder, `${monthOf(entry.at)}.jsonl`)
  }
}

const jsonLine = (entry: LedgerEntry): string =>
  JSON.stringify({ ...entry, id: entry.act === 'constitution' ? entry.id : ledgerId(entry.id) })
