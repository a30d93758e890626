/**
 * The one door to the store: every write, whoever asks for it, passes {@link Admission.admit}. Gates register
 * here (limits, secrets, exposure, tasks) and may refuse a write, change it, or add a warning.
 */
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { LedgerAct } from '../files/ledger.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { TurnContext } from './turn-context.ts'

export interface Write {
  act: Extract<LedgerAct, 'create' | 'update' | 'correct' | 'deprecate' | 'delete'>
  /** The record as it would stand; for a deletion, as it stands. */
  next: MemoryRecord
  /** The record as it stands now; undefined for a new one. */
  previous: MemoryRecord | undefined
}

/** Nothing to say, a refusal in one sentence (thrown as a MnemosError), or a changed record and warnings. */
export type Verdict = { next?: MemoryRecord; warnings?: string[] } | undefined

export interface Gate {
  name: string
  /** @throws MnemosError to refuse the write; anything else that it throws refuses it too. */
  check(write: Write, context: TurnContext): Verdict | Promise<Verdict>
}

export interface Admitted {
  next: MemoryRecord
  warnings: string[]
}

export class Admission {
  readonly #border: Gate
  readonly #gates: Gate[] = []

  /** @param border the gate that is asked first, and once more last when another gate changed the record. */
  constructor(border: Gate) {
    this.#border = border
  }

  /** Adds a gate after those that are there. Returns its disposer. */
  register(gate: Gate): () => void {
    this.#gates.push(gate)
    return () => {
      const at = this.#gates.indexOf(gate)
      if (at >= 0) this.#gates.splice(at, 1)
    }
  }

  /** @throws MnemosError of the first gate that refuses; nothing has been written then. */
  async admit(write: Write, context: TurnContext): Promise<Admitted> {
    const warnings: string[] = []
    let next = write.next
    const pass = async (gate: Gate): Promise<boolean> => {
      const verdict = await this.#ask(gate, { ...write, next }, context)
      warnings.push(...(verdict?.warnings ?? []))
      if (verdict?.next) next = verdict.next
      return verdict?.next !== undefined
    }
    await pass(this.#border)
    let changed = false
    for (const gate of this.#gates) changed = (await pass(gate)) || changed
    if (changed) await pass(this.#border)
    return { next, warnings }
  }

  async #ask(gate: Gate, write: Write, context: TurnContext): Promise<Verdict> {
    try {
      return await gate.check(write, context)
    } catch (error) {
      if (error instanceof MnemosError) throw error
      // A gate that breaks must not become an open door.
      throw new MnemosError(
        'REFUSED',
        `The check "${gate.name}" failed (${reasonOf(error)}); nothing was written.`,
        '',
        {
          cause: error,
        },
      )
    }
  }
}
