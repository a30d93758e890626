/** Tombstones: which ids were deleted and when, so that no copy, sync or stale process brings one back. */
import { z } from 'zod'
import type { Disk, Stamp } from '../base/disk.ts'
import { ledgerId } from './ledger.ts'

export const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** When the deleted copies were created, where that is later than the deletion (a clock that was set back). */
  created: z.array(z.string()).optional(),
})

interface Grave {
  at: string
  created: ReadonlySet<string>
}

export class Tombstones {
  readonly #disk: Disk
  readonly #file: string
  #stamp: Stamp | undefined
  #deleted = new Map<string, Grave>()

  constructor(disk: Disk, file: string) {
    this.#disk = disk
    this.#file = file
  }

  /** Reads what other processes added since the last look. */
  refresh(): void {
    const stamp = this.#disk.stamp(this.#file)
    if (stamp?.size === this.#stamp?.size && stamp?.mtimeMs === this.#stamp?.mtimeMs) return
    const deleted = new Map<string, Grave>()
    const text = this.#disk.read(this.#file)?.toString('utf8') ?? ''
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      const entry = parseLine(line)
      // A torn line is the last write of a process that died; the pending act repeats it.
      if (entry) bury(deleted, entry)
    }
    this.#deleted = deleted
    this.#stamp = stamp
  }

  /** When an id was last deleted, ISO; undefined if never. */
  deletedAt(id: string): string | undefined {
    return this.#deleted.get(ledgerId(id))?.at
  }

  /**
   * Whether a file under this id is a copy of what was deleted. One created after the deletion is a new record:
   * a name is never barred.
   */
  isDead(id: string, created: string): boolean {
    const grave = this.#deleted.get(ledgerId(id))
    return grave !== undefined && (created <= grave.at || grave.created.has(created))
  }

  /** @param created when each of the deleted copies was created. */
  add(id: string, at: string, created: readonly string[]): void {
    const later = created.filter((one) => one > at)
    const entry = { id: ledgerId(id), at, ...(later.length > 0 ? { created: later } : {}) }
    this.#disk.append(this.#file, JSON.stringify(entry))
    bury(this.#deleted, entry)
    this.#stamp = undefined
  }
}

function bury(deleted: Map<string, Grave>, { id, at, created = [] }: z.output<typeof entrySchema>): void {
  const before = deleted.get(id)
  deleted.set(id, {
    at: before && before.at > at ? before.at : at,
    created: new Set([...(before?.created ?? []), ...created]),
  })
}

function parseLine(line: string): z.output<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line))
  } catch {
    // Not ours or torn: nothing can be learnt from it.
    return undefined
  }
}
