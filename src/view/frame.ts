/** How a text of ours is framed in a session, and how it is recognised there years later. */
import type { Language } from '../base/language.ts'
import type { Part } from './view.ts'
import { VIEW_WORDS } from './words.ts'

/** `whole`: the part as it stands now. `changes`: what differs from what was shown of it before. */
export type Form = 'whole' | 'changes'

/** A part of the view as it stands in a session. */
export interface FramedText {
  part: string
  form: Form
  /** Without the lines that {@link framed} puts around it. */
  text: string
}

/** The label by which a message of ours is recognised in a session. It never changes: logs are kept for years. */
export const labelOf = (part: string, form: Form): string =>
  form === 'whole' ? `Mnemos: ${part}` : `Mnemos: ${part}, changes`

const MESSAGE_LABEL = /^Mnemos: ([a-z0-9-]+)(, changes)?$/

/**
 * The whole text of a message, with the lines around a part's own text. Nothing below the first can look like it: a
 * part's text holds no label of ours.
 */
export function framed(
  { name, place }: Pick<Part, 'name' | 'place'>,
  { form, text }: Pick<FramedText, 'form' | 'text'>,
  language: Language,
): string {
  const words = VIEW_WORDS[language]
  const above = form === 'whole' ? words.whole[place] : words.changes
  return `[${labelOf(name, form)}] ${above}\n${text}\n[Mnemos: end of ${name}]`
}

/**
 * The reverse of {@link framed}; undefined for a text that is none of ours.
 * @param label as the message's source has it.
 */
export function unframed(label: string, message: string): FramedText | undefined {
  const [, part, changes] = MESSAGE_LABEL.exec(label) ?? []
  if (part === undefined) return undefined
  const lines = message.split('\n').slice(1)
  if (lines.at(-1) === `[Mnemos: end of ${part}]`) lines.pop()
  return { part, form: changes === undefined ? 'whole' : 'changes', text: lines.join('\n') }
}
