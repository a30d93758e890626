/**
 * Who is acting, where and when. The host makes one for every tool call; the command line makes one for the
 * person. Every tool and every gate of {@link Admission} is given it.
 */

/** Which outside text the session has met (spec 5.1). It answers from the session's log. */
export interface Exposure {
  /** Outside text has been met in this session at some time. */
  tainted(): boolean
  /** Outside text has been met since the person last spoke. */
  exposed(): boolean
  /** The tools and sites it came from. */
  sources(): string[]
}

/** The answer of a session that has met no outside text. */
export const CLEAN: Exposure = { tainted: () => false, exposed: () => false, sources: () => [] }

/** A piece of a conversation, by whoever said it. */
export interface Passage {
  text: string
  /** Message and call ids, as the log has them. */
  ids: readonly string[]
  /** The tool and site that it came from; undefined for the person's own words. */
  from?: string
}

/** What was said in a session, oldest first: what a record rests on is looked up in it. */
export interface SessionWords {
  /** false: the conversation cannot be seen from here, so that nothing follows from finding nothing. */
  visible: boolean
  /** The person's own words; what they fenced, quoted or pasted is left out. */
  person(): readonly Passage[]
  /** Text from outside. */
  outside(): readonly Passage[]
  /** Results of tools that stay inside the workspace. */
  tools(): readonly Passage[]
}

const nothing = (): readonly Passage[] => []

/** A conversation in which nothing was said. */
export const NO_WORDS: SessionWords = { visible: true, person: nothing, outside: nothing, tools: nothing }

export type Role = 'main' | 'child' | 'job'

export interface TurnContext {
  /** Undefined where no conversation is under way (the command line). */
  session: { id: string /** Nearest first. */; ancestors: string[] } | undefined
  role: Role
  /** `person`, or `provider/model` followed by main, child, learner or job. */
  author: string
  /** The id of the workspace that `folder` belongs to; undefined where there is no folder. */
  workspace: string | undefined
  /** The session's folder, absolute: the first record that is written in it puts it into the register of workspaces. */
  folder?: string | undefined
  /** The turn's number within the session. */
  turn: number | undefined
  /** The tool call that is being carried out. */
  callId: string | undefined
  exposure: Exposure
  words: SessionWords
}

/** The person at the command line. */
export const personContext = (workspace?: string): TurnContext => ({
  session: undefined,
  role: 'main',
  author: 'person',
  workspace,
  turn: undefined,
  callId: undefined,
  exposure: CLEAN,
  words: NO_WORDS,
})
