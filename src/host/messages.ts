/**
 * The one constructor of every message that Mnemos puts into a session. A malformed one is accepted live and makes
 * the session unreadable when it is resumed, so none is built anywhere else; a test searches the sources for it.
 */
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import { type Form, type FramedText, framed, labelOf, unframed } from '../view/frame.ts'
import type { Part } from '../view/view.ts'
import { noticeSource, ownSummary } from './compat.ts'

/** @param text never empty. */
export function partMessage(session: Session, part: Part, form: Form, text: string): UserMessage {
  return createUserMessage({
    content: [{ type: 'text', text: framed(part, form, text) }],
    source: noticeSource(session, labelOf(part.name, form)) as Parameters<
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
