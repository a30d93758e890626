/**
 * The view: what stands in every request. It is made of parts; this engine decides which are shown to whom, in
 * what order, and draws each once a turn.
 */
import { reasonOf } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import type { Role } from '../store/turn-context.ts'

/** Who reads. */
export interface Reader {
  role: Role
  workspace: string | undefined
}

export interface PartContext extends Reader {
  /** Of our own words in the text. */
  language: Language
}

export interface Part {
  /** Letters, digits and hyphens; also the part's label in a session. */
  name: string
  /** `system`: a section of the system prompt, drawn at every step. `message`: a message of its own, labelled as data. */
  place: 'system' | 'message'
  audience: readonly Role[]
  /** Lower stands further up. */
  order: number
  /**
   * The text now; empty shows nothing. At once, and always alike while nothing has changed. Undefined where it is not
   * known yet: what a session shows then stays as it is.
   */
  text(context: PartContext): string | undefined
}

/** How a message of ours begins and ends. No text that is shown may look so. */
const OWN_LABEL = /\[(?=\s*mnemos\b)/gi

/** A text in which nothing looks like the beginning or the end of a message of ours. */
export const unlabelled = (text: string): string => text.replace(OWN_LABEL, '[\\')

export class View {
  readonly #parts: Part[] = []
  readonly #last = new Map<string, string>()
  readonly #language: () => Language
  readonly #failed: (name: string, reason: string) => void

  /**
   * @param language of our own words in it, now.
   * @param failed told when a part could not be drawn; its last text stands then.
   */
  constructor(language: () => Language, failed: (name: string, reason: string) => void) {
    this.#language = language
    this.#failed = failed
  }

  /** Of our own words in it, now. */
  get language(): Language {
    return this.#language()
  }

  /** Adds a part. Returns its disposer. */
  register(part: Part): () => void {
    this.#parts.push(part)
    this.#parts.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1))
    return () => {
      const at = this.#parts.indexOf(part)
      if (at >= 0) this.#parts.splice(at, 1)
    }
  }

  /** The parts, or those of one place, in order. */
  parts(place?: Part['place']): readonly Part[] {
    return this.#parts.filter((part) => place === undefined || part.place === place)
  }

  /** The text of one part for one reader; empty when it is not meant for them, undefined while unknown. Never throws. */
  draw(part: Part, reader: Reader): string | undefined {
    if (!part.audience.includes(reader.role)) return ''
    const key = `${part.name}\n${reader.role}\n${reader.workspace ?? ''}`
    try {
      const drawn = part.text({ ...reader, language: this.language })?.trim()
      if (drawn === undefined) return undefined
      const text = part.place === 'message' ? unlabelled(drawn) : drawn
      this.#last.set(key, text)
      return text
    } catch (error) {
      // What is always in view must not vanish, nor end the turn, because drawing it failed once.
      this.#failed(part.name, reasonOf(error))
      return this.#last.get(key)
    }
  }
}
