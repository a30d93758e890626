/** Tombstones: which ids were deleted and when, so that no copy, sync or stale process brings one back. */
import { basename } from 'node:path'
import { z } from 'zod'
import type { Disk, Stamp } from '../base/disk.ts'
import { readJsonl } from './jsonl.ts'
import { ledgerId } from './ledger.ts'

/** A line of the file. */
export const tombstoneSchema = z.object({
  /** As in the ledger, see {@link ledgerId}. */
  id: z.string(),
  /** When it was deleted; ISO. */
  at: z.string(),
  /** When the deleted copies were created, where that is later than the deletion (a clock that was set back). */
  created: z.array(z.string()).optional(),
})

/** What all tombstones of one id say together. */
interface Tombstone {
  /** The last deletion; ISO. */
  at: string
  created: ReadonlySet<string>
}

/** The tombstones of a data folder. It lives as long as the folder is open and knows what it read of the file. */
export class Tombstones {
  readonly #disk: Disk
  readonly #file: string
  #stamp: Stamp | undefined
  #byId = new Map<string, Tombstone>()

  constructor(disk: Disk, file: string) {
    this.#disk = disk
    this.#file = file
  }

  /** Reads what other processes have added. A line that cannot be read is skipped; the doctor names it. */
  refresh(): void {
    const stamp = this.#disk.stamp(this.#file)
    if (stamp?.size === this.#stamp?.size && stamp?.mtimeMs === this.#stamp?.mtimeMs) return
    const byId = new Map<string, Tombstone>()
    // A torn line is the last write of a process that was killed; the pending act repeats it.
    for (const line of readJsonl(this.#disk, this.#file, basename(this.#file), tombstoneSchema).values)
      addLine(byId, line)
    this.#byId = byId
    this.#stamp = stamp
  }

  /** When an id was last deleted, ISO; undefined if never. */
  deletedAt(id: string): string | undefined {
    return this.#byId.get(ledgerId(id))?.at
  }

  /**
   * Whether a record with this id and this time of creation (ISO) is a copy of what was deleted. One created after the
   * deletion is a new record: a name can be used again.
   */
  isDeleted(id: string, created: string): boolean {
    const tombstone = this.#byId.get(ledgerId(id))
    return tombstone !== undefined && (created <= tombstone.at || tombstone.created.has(created))
  }

  /**
   * Adds a tombstone. Throws when the disk refuses.
   * @param at when the record is deleted; ISO. @param created when each of the deleted copies was created; ISO.
   */
  add(id: string, at: string, created: readonly string[]): void {
    const later = created.filter((one) => one > at)
    const line = { id: ledgerId(id), at, ...(later.length > 0 ? { created: later } : {}) }
    this.#disk.append(this.#file, JSON.stringify(line))
    addLine(this.#byId, line)
    this.#stamp = undefined
  }
}

function addLine(
  byId: Map<string, Tombstone>,
  { id, at, created = [] }: z.output<typeof tombstoneSchema>,
): void {
  const before = byId.get(id)
  byId.set(id, {
    at: before && before.at > at ? before.at : at,
    created: new Set([...(before?.created ?? []), ...created]),
  })
}
