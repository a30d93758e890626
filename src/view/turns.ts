/** What is found out once a turn, so that all its requests share it, whatever is written meanwhile. */
import type { Part, Reader, View } from './view.ts'

interface Turn {
  texts: Map<string, string | undefined>
  /** Names of the system parts that this turn's system prompt lacks. */
  lacking?: Promise<ReadonlySet<string>>
}

/** Sessions are known by their identity as objects, and forgotten with them. */
export class Turns {
  readonly #view: View
  readonly #turns = new WeakMap<object, Turn>()

  constructor(view: View) {
    this.#view = view
  }

  /** From now on everything is found out anew. */
  begin(session: object): void {
    this.#turns.set(session, { texts: new Map() })
  }

  /** The text of a part, the same for the whole turn; see {@link View.draw}. */
  text(part: Part, session: object, reader: Reader): string | undefined {
    const { texts } = this.#of(session)
    if (!texts.has(part.name)) texts.set(part.name, this.#view.draw(part, reader))
    return texts.get(part.name)
  }

  /** @param ask called once a turn. */
  lacking(session: object, ask: () => Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    const turn = this.#of(session)
    turn.lacking ??= ask()
    return turn.lacking
  }

  #of(session: object): Turn {
    const known = this.#turns.get(session)
    if (known) return known
    const turn: Turn = { texts: new Map() }
    this.#turns.set(session, turn)
    return turn
  }
}
