/**
 * The one constructor of every message that Mnemos puts into a session. A malformed one is accepted live and makes
 * the session unreadable when it is resumed, so none is built anywhere else; a test searches the sources for it.
 */
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import type { Language } from '../base/language.ts'
import { type FramedText, framed, labelOf, unframed } from '../view/frame.ts'
import type { Due } from '../view/shown.ts'
import type { Part } from '../view/view.ts'
import { noticeSource, ownSummary } from './compat.ts'

/** @param due its text is never empty. */
export function partMessage(session: Session, part: Part, due: Due, language: Language): UserMessage {
  return createUserMessage({
    content: [{ type: 'text', text: framed(part, due, language) }],
    source: noticeSource(session, labelOf(part.name, due.form)) as Parameters<
      typeof createUserMessage
    >[0]['source'],
  }) as UserMessage
}

/**
 * Our messages among those that the host derives for the model, so that a fold, a resume, a fork or a migrated session
 * needs no case of its own.
 */
export function* ownMessages(session: Session): Iterable<FramedText> {
  for (const message of session.deriveMessages()) {
    const own = message.role === 'user' ? readOwn(message) : undefined
    if (own) yield own
  }
}

/** Reads a message of a session, whichever host and version of ours wrote it; undefined for one that is not ours. */
function readOwn(message: { source?: unknown; content?: unknown }): FramedText | undefined {
  if (!Array.isArray(message.content)) return undefined
  const [block] = message.content as { text?: unknown }[]
  return typeof block?.text === 'string' ? unframed(ownSummary(message.source) ?? '', block.text) : undefined
}
