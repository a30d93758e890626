/**
 * The one door to the store: every change that a model can bring in, whoever asks for it, passes
 * {@link Admission.admit} as a whole. Gates register here (the self-history's budget, later secrets, exposure, tasks).
 */
import { MnemosError, reasonOf } from '../base/errors.ts'
import { withinLimits } from '../record/limits.ts'
import type { Write } from './change.ts'
import type { TurnContext } from './turn-context.ts'

/** What a gate has to say: nothing, or other writes in place of those it was shown, and warnings. */
export type Verdict = { change?: readonly Write[]; warnings?: readonly string[] } | undefined

export interface Gate {
  name: string
  /**
   * May refuse the change, or return another one: writes changed, left out, put in place of others, or added for
   * records that are there. Ids of records stay; times and revisions are stamped afterwards. Where a record that stays names
   * one that was left out, the whole change is refused.
   * @throws MnemosError to refuse the change as a whole; anything else that it throws refuses it too.
   */
  check(change: readonly Write[], context: TurnContext): Verdict | Promise<Verdict>
}

export interface Admitted {
  change: readonly Write[]
  warnings: string[]
}

export class Admission {
  readonly #gates: Gate[] = []

  /** Adds a gate after those that are there. Returns its disposer. */
  register(gate: Gate): () => void {
    this.#gates.push(gate)
    return () => {
      const at = this.#gates.indexOf(gate)
      if (at >= 0) this.#gates.splice(at, 1)
    }
  }

  /**
   * Asks every gate. The limits of a record are looked at before the first and, where a gate changed something, once
   * more after the last: no gate lets through what they refuse.
   * @throws MnemosError of the first that refuses; nothing has been written then.
   */
  async admit(change: readonly Write[], context: TurnContext): Promise<Admitted> {
    let admitted = limited(change)
    let isChanged = false
    for (const gate of this.#gates) {
      const verdict = await askGate(gate, admitted.change, context)
      admitted = {
        change: verdict?.change ?? admitted.change,
        warnings: [...admitted.warnings, ...(verdict?.warnings ?? [])],
      }
      isChanged ||= verdict?.change !== undefined
    }
    if (!isChanged) return admitted
    const last = limited(admitted.change)
    return { change: last.change, warnings: [...admitted.warnings, ...last.warnings] }
  }
}

function limited(change: readonly Write[]): Admitted {
  const warnings: string[] = []
  const within = change.map((write): Write => {
    if (write.what !== 'record') return write
    const { record, warnings: more } = withinLimits(write.next, write.previous)
    warnings.push(...more)
    return { ...write, next: record }
  })
  return { change: within, warnings }
}

async function askGate(gate: Gate, change: readonly Write[], context: TurnContext): Promise<Verdict> {
  try {
    // A gate that writes into what it is shown must not reach what others hold.
    return await gate.check(structuredClone(change) as readonly Write[], context)
  } catch (error) {
    if (error instanceof MnemosError) throw error
    // A gate that breaks must not become an open door.
    throw new MnemosError(
      'REFUSED',
      `The check "${gate.name}" failed (${reasonOf(error)}); nothing was written.`,
      'Tell the person.',
      { cause: error },
    )
  }
}
