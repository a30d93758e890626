/**
 * What of the view a session shows: read from the very messages that the model is sent, so that a fold, a resume, a
 * fork or a migration needs no case of its own.
 */
import type { Session } from '@deepseek-ai/dsh-session'
import { type Said, saidBy, told } from '../view/difference.ts'
import { readOwn } from './messages.ts'

export interface Shown {
  said: Said
  /** The last whole text, byte for byte, and nothing was told after it. */
  text: string | undefined
}

/** The parts that the model has before it whole, by name. */
export function shownIn(session: Session): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>()
  for (const message of session.deriveMessages()) {
    const own = message.role === 'user' ? readOwn(message) : undefined
    if (!own) continue
    const before = shown.get(own.part)
    if (own.form === 'whole') shown.set(own.part, { said: saidBy(own.text), text: own.text })
    // Changes of what a fold took away say nothing by themselves: the part counts as not shown.
    else if (before) shown.set(own.part, { said: told(before.said, own.text), text: undefined })
  }
  return shown
}
