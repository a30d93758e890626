/** Tombstones: which ids were deleted and when, so that no copy, sync or stale process brings one back. */
import { z } from 'zod'
import type { Disk, Stamp } from '../base/disk.ts'
import { ledgerId } from './ledger.ts'

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** When the record claims to have been created, where that is after its deletion: a file from the future. */
  created: z.string().optional(),
})

export class Tombstones {
  readonly #disk: Disk
  readonly #file: string
  #stamp: Stamp | undefined
  #deleted = new Map<string, string>()
  /** Id and time of creation of deleted records from the future. */
  #future = new Set<string>()

  constructor(disk: Disk, file: string) {
    this.#disk = disk
    this.#file = file
  }

  /** Reads what other processes added since the last look. */
  refresh(): void {
    const stamp = this.#disk.stamp(this.#file)
    if (stamp?.size === this.#stamp?.size && stamp?.mtimeMs === this.#stamp?.mtimeMs) return
    const deleted = new Map<string, string>()
    const future = new Set<string>()
    const text = this.#disk.read(this.#file)?.toString('utf8') ?? ''
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      const entry = parseLine(line)
      // A torn line is the last write of a process that died; the pending act repeats it.
      if (entry && entry.at > (deleted.get(entry.id) ?? '')) deleted.set(entry.id, entry.at)
      if (entry?.created !== undefined) future.add(`${entry.id} ${entry.created}`)
    }
    this.#deleted = deleted
    this.#future = future
    this.#stamp = stamp
  }

  /** When an id was last deleted, ISO; undefined if never. */
  deletedAt(id: string): string | undefined {
    return this.#deleted.get(ledgerId(id))
  }

  /**
   * Whether a file under this id is a copy of what was deleted. One created after the deletion is a new record:
   * a name is never barred.
   */
  isDead(id: string, created: string): boolean {
    const at = this.deletedAt(id)
    return at !== undefined && (created <= at || this.#future.has(`${ledgerId(id)} ${created}`))
  }

  /** @param created when the record claims to have been created. */
  add(id: string, at: string, created?: string): void {
    const key = ledgerId(id)
    const future = created !== undefined && created > at ? created : undefined
    this.#disk.append(this.#file, JSON.stringify({ id: key, at, ...(future ? { created: future } : {}) }))
    this.#deleted.set(key, at)
    if (future) this.#future.add(`${key} ${future}`)
    this.#stamp = undefined
  }
}

function parseLine(line: string): z.output<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line))
  } catch {
    // Not ours or torn: nothing can be learnt from it.
    return undefined
  }
}
