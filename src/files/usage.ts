/** The use journal: append-only; when each record was opened (not merely found). It holds ids and no text. */
import { join } from 'node:path'
import { z } from 'zod'
import { DAY_MS, iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { readJsonl } from './jsonl.ts'
import { monthOf } from './layout.ts'
import { ledgerId } from './ledger.ts'
import { makeOwnFolder } from './own-folder.ts'

const useSchema = z.object({ at: z.string(), id: z.string() })

/** Journals (one a month) that are read to tell how long a record has been idle. */
const MONTHS = 3

/** The use journals of a data folder, with what is known of each. */
export class Usage {
  readonly #disk: Disk
  readonly #folder: string
  /** What is known of each journal: its size when it was read, and the last use of each id in it. */
  readonly #read = new Map<string, { size: number; last: ReadonlyMap<string, number> }>()

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  /** Notes a use. Throws when the disk refuses. */
  note(id: string, session: string | undefined, now: number): void {
    const at = iso(now)
    makeOwnFolder(this.#disk, this.#folder)
    const line = JSON.stringify({ at, id: ledgerId(id), ...(session === undefined ? {} : { session }) })
    this.#disk.append(join(this.#folder, `${monthOf(at)}.jsonl`), line)
  }

  /** Days since each record was last opened, as far back as the journals of the last months go. Never throws. */
  idleDays(now: number): (id: string) => number {
    const journals = this.#journals()
    return (id) => {
      const key = ledgerId(id)
      const last = Math.max(...journals.map((journal) => journal.get(key) ?? 0), 0)
      // After a clock was set back a use may lie in the future: no record is idle for less than 0 days.
      return Math.max(0, Math.floor((now - last) / DAY_MS))
    }
  }

  #journals(): ReadonlyMap<string, number>[] {
    try {
      const names = (this.#disk.list(this.#folder) ?? []).flatMap(({ name, kind }) =>
        kind === 'file' && name.endsWith('.jsonl') ? [name] : [],
      )
      return names.slice(-MONTHS).map((name) => this.#journal(name))
    } catch {
      // Without the journals nothing is known of uses: they only break ties.
      return []
    }
  }

  #journal(name: string): ReadonlyMap<string, number> {
    const path = join(this.#folder, name)
    const size = this.#disk.stamp(path)?.size ?? 0
    const known = this.#read.get(path)
    if (known?.size === size) return known.last
    const last = new Map<string, number>()
    // From a line that is torn or foreign nothing can be learnt.
    for (const { id, at } of readJsonl(this.#disk, path, name, useSchema).values)
      last.set(id, Math.max(last.get(id) ?? 0, Date.parse(at) || 0))
    this.#read.set(path, { size, last })
    return last
  }
}
