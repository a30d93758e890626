/** The use journal: append-only; when each record was opened (not merely found). It holds ids and no text. */
import { join } from 'node:path'
import { z } from 'zod'
import { DAY_MS, iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { knownTime, latestKnown } from '../record/times.ts'
import { readJsonl } from './jsonl.ts'
import { monthOf } from './layout.ts'
import { ledgerId } from './ledger.ts'
import { makeOwnFolder } from './own-folder.ts'

const useSchema = z.object({ at: z.string(), id: z.string() })

/**
 * How far back uses are looked up: further than the longest time after which an idle record is archived, 90 days. What was
 * last opened before that is as idle as one that was never opened, and its age says that it is.
 */
const REACH_MS = 100 * DAY_MS

/** What is known of a journal. */
interface Journal {
  /** Its size when it was read. */
  size: number
  /** The last use of each id, milliseconds since the epoch. */
  last: ReadonlyMap<string, number>
  /** When it was read, and the first use that was still to come then: it holds between the two. */
  readAt: number
  ahead: number
}

/** The use journals of a data folder, with what is known of each. */
export class Usage {
  readonly #disk: Disk
  readonly #folder: string
  readonly #read = new Map<string, Journal>()

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

  /**
   * Days since each record was made or last opened, whichever was later; undefined where neither time is known. Uses are
   * looked up as far back as they matter. Never throws.
   * @param now milliseconds since the epoch, and so is `created`.
   */
  idleDays(now: number): (id: string, created: number) => number | undefined {
    const journals = this.#journals(now)
    return (id, created) => {
      const key = ledgerId(id)
      const times = [knownTime(created, now), ...journals.map((journal) => journal.get(key))]
      const last = Math.max(...times.filter((time) => time !== undefined))
      if (last === Number.NEGATIVE_INFINITY) return undefined
      // What is a little ahead has been idle for no time at all.
      return Math.max(0, Math.floor((now - last) / DAY_MS))
    }
  }

  #journals(now: number): ReadonlyMap<string, number>[] {
    const [first, latest] = [monthOf(iso(now - REACH_MS)), monthOf(iso(latestKnown(now)))]
    try {
      return (this.#disk.list(this.#folder) ?? []).flatMap(({ name, kind }) => {
        const month = /^(\d{4}-\d{2})\.jsonl$/.exec(name)?.[1]
        if (kind !== 'file' || month === undefined || month < first || month > latest) return []
        return [this.#journal(name, now)]
      })
    } catch {
      // Without the journals nothing is known of uses: they only break ties.
      return []
    }
  }

  #journal(name: string, now: number): ReadonlyMap<string, number> {
    const path = join(this.#folder, name)
    const size = this.#disk.stamp(path)?.size ?? 0
    const known = this.#read.get(path)
    if (known?.size === size && now >= known.readAt && latestKnown(now) < known.ahead) return known.last
    const last = new Map<string, number>()
    let ahead = Number.POSITIVE_INFINITY
    // From a line that is torn or foreign nothing can be learnt.
    for (const { id, at } of readJsonl(this.#disk, path, name, useSchema).values) {
      const used = Date.parse(at)
      if (knownTime(used, now) !== undefined) last.set(id, Math.max(last.get(id) ?? used, used))
      else if (used < ahead) ahead = used
    }
    this.#read.set(path, { size, last, readAt: now, ahead })
    return last
  }
}
