/** What every tool that needs the person's word does with their answer. */
import { MnemosError } from '../base/errors.ts'
import type { Question } from './question.ts'
import type { ToolEnv } from './tool.ts'

export interface Asked {
  question: Question
  /** "Deleting", "Saving": begins a sentence. */
  doing: string
  /** "deleted", "saved". */
  done: string
  /** What holds when it is not done: `"abc" stays`. */
  otherwise: string
  /** What the person can do themselves. */
  byHand: string
}

/**
 * Asks the person. Nothing but their yes, or their own setting that nothing is asked, lets it pass; and the setting
 * does not hold where outside text has been met.
 * @returns whether it passed without having been asked.
 * @throws MnemosError that says why it may not be done.
 */
export async function permission(env: ToolEnv, asked: Asked): Promise<{ unasked: boolean }> {
  const { doing, done, otherwise, byHand } = asked
  switch (await env.ask(asked.question)) {
    case 'allowed':
      return { unasked: false }
    case 'never-asks':
      if (!env.context.exposure.tainted()) return { unasked: true }
      throw new MnemosError(
        'REFUSED',
        `Outside text is near and asking is switched off, so nothing is ${done} unasked.`,
        byHand,
      )
    case 'refused':
      throw new MnemosError(
        'REFUSED',
        `The person did not allow it: ${otherwise}.`,
        'Do not ask again unless they bring it up.',
      )
    case 'cancelled':
      throw new MnemosError(
        'REFUSED',
        `The question was withdrawn before it was answered: ${otherwise}.`,
        'Ask again only where the person still wants it.',
      )
    case 'nobody':
      throw new MnemosError(
        'NOBODY_TO_ASK',
        `${doing} needs the person's word and nobody is there to ask: ${otherwise}.`,
        byHand,
      )
  }
}

/** What an answer says where nobody was asked. */
export const UNASKED_NOTE =
  'Nobody was asked: the person has switched all asking off. Tell them that it was done.'
