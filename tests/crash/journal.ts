/** What each process of a crash run says it did, on its own fsynced file outside the data folder. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Nanoseconds of the machine's monotonic clock: the same for every process. */
export const tick = (): number => Number(process.hrtime.bigint())

export type Deed =
  /** Adds the line to each of the records, in one act. */
  | { deed: 'lines'; ids: string[]; line: string; rewrites?: boolean }
  /** Sets this process's tag, which begins with `family`, in place of its earlier one. */
  | { deed: 'tag'; ids: string[]; family: string; line: string }
  | { deed: 'create'; ids: string[]; line: string }
  /** The first id is the new record, the others are those that it corrects: the heads of their chains, once that is known. */
  | { deed: 'correct'; ids: string[]; line: string }
  | { deed: 'delete'; ids: string[]; line: string }
  /** `again`: it was deprecated before, so that nothing was written. */
  | { deed: 'deprecate'; ids: string[]; line: string; again?: boolean }

export interface Entry {
  n: number
  who: string
  /** `will`: about to; `done`: acknowledged, on the fsynced journal before anything else; `refused`: not done, said so. */
  phase: 'will' | 'done' | 'refused'
  at: number
  what: Deed
  reason?: string
}

export class Journal {
  readonly #fd: number
  readonly #who: string
  #n = 0

  constructor(folder: string, who: string) {
    this.#fd = openSync(join(folder, `${who}.jsonl`), 'a', 0o600)
    this.#who = who
  }

  /** Notes what is about to be done. @returns what notes its outcome, and what is known of the deed by then. */
  will(what: Deed): { done(known?: Partial<Deed>): void; refused(reason: string): void } {
    const n = ++this.#n
    this.#write({ n, who: this.#who, phase: 'will', at: tick(), what })
    return {
      done: (known = {}) => {
        this.#write({ n, who: this.#who, phase: 'done', at: tick(), what: { ...what, ...known } as Deed })
        fsyncSync(this.#fd)
      },
      refused: (reason) => this.#write({ n, who: this.#who, phase: 'refused', at: tick(), what, reason }),
    }
  }

  #write(entry: Entry): void {
    writeSync(this.#fd, `${JSON.stringify(entry)}\n`)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

export interface Done {
  who: string
  what: Deed
  /** Between these two moments it was done; a deed that was never told the outcome of has no end. */
  from: number
  to: number
  outcome: 'done' | 'refused' | 'unknown'
  reason?: string
}

/**
 * Every deed of every process of a run. A torn last line is that of a killed process: what it said was not said.
 * @param killed when which process was killed: a deed cut short by that ended then.
 */
export function readJournals(folder: string, killed: ReadonlyMap<string, number>): Done[] {
  const out: Done[] = []
  if (!existsSync(folder)) return out
  for (const name of readdirSync(folder)) {
    const open = new Map<number, Done>()
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)) {
      const { n, who, phase, at, what, reason } = JSON.parse(text) as Entry
      if (phase === 'will') {
        const to = killed.get(who) ?? Number.POSITIVE_INFINITY
        const done: Done = { who, what, from: at, to, outcome: 'unknown' }
        open.set(n, done)
        out.push(done)
        continue
      }
      const done = open.get(n)
      if (done) Object.assign(done, { to: at, what, outcome: phase, ...(reason ? { reason } : {}) })
    }
  }
  return out
}
