/** What of the view a session shows, and what has to be sent so that it shows what stands now. */
import type { Language } from '../base/language.ts'
import { difference, type Said, saidBy, saysTheSame, told } from './difference.ts'
import type { Form, FramedText } from './frame.ts'
import { type Part, unlabelled } from './view.ts'
import { isAnyWord, VIEW_WORDS } from './words.ts'

/** Characters above which a changed part is not sent again, but what was added to it and withdrawn. */
export const WHOLE_CHARACTERS = 2_000

export interface Shown {
  said: Said
  /** The last whole text, byte for byte, and nothing was told after it. */
  text: string | undefined
}

/**
 * The parts that a reader has before it whole, by name.
 * @param messages texts of ours in the order in which they stand in the session.
 */
export function shownBy(messages: Iterable<FramedText>): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>()
  for (const { part, form, text } of messages) {
    const before = shown.get(part)
    if (form === 'whole') shown.set(part, { said: saidBy(text), text })
    // Changes of what a fold took away say nothing by themselves: the part counts as not shown.
    else if (before) shown.set(part, { said: told(before.said, text), text: undefined })
  }
  return shown
}

/** A message that is to be sent. */
export interface Due {
  form: Form
  text: string
}

/**
 * What makes a reader of what is shown know the text: nothing, the whole, or what changed.
 * @param text as it stands now; undefined while that is not known, so that what is shown stays.
 * @param language of our own words.
 */
export function due(
  part: Pick<Part, 'place'>,
  text: string | undefined,
  shown: Shown | undefined,
  language: Language,
): Due | undefined {
  if (text === undefined) return undefined
  const plain = unlabelled(text)
  if (plain === '') {
    return shown === undefined || isAnyWord(shown.text, ({ nothing }) => nothing)
      ? undefined
      : { form: 'whole', text: VIEW_WORDS[language].nothing }
  }
  const whole: Due = { form: 'whole', text: plain }
  if (shown === undefined) return whole
  // Standing instructions are not a list: they are the same, or they are said again.
  if (part.place === 'system') return shown.text === plain ? undefined : whole
  const now = saidBy(plain)
  if (saysTheSame(shown.said, now)) return undefined
  const change = difference(shown.said, now, language)
  const isShort = plain.length <= WHOLE_CHARACTERS || change.length >= plain.length
  return isShort ? whole : { form: 'changes', text: change }
}
