/**
 * Who is acting, where and when. The host makes one for every tool call; the command line makes one for the
 * person. Every tool and every gate of {@link Admission} is given it.
 */

/** What outside text the session has met. Chapter 5 of the record's rules asks it; it answers from the log. */
export interface Exposure {
  /** Outside text has been met in this session at some time. */
  touched(): boolean
  /** Outside text has been met since the person last spoke. */
  exposed(): boolean
  /** The tools and sites it came from. */
  sources(): string[]
}

/** The answer of a session that has met no outside text. */
export const CLEAN: Exposure = { touched: () => false, exposed: () => false, sources: () => [] }

export type Role = 'main' | 'child' | 'job'

export interface TurnContext {
  /** Undefined where no conversation is under way (the command line). */
  session: { id: string /** Nearest first. */; ancestors: string[] } | undefined
  role: Role
  /** `person`, or `provider/model` followed by main, child, learner or job. */
  author: string
  /** Git remote or root commit, else the folder's name; undefined where there is no folder. */
  workspace: string | undefined
  /** The turn's number within the session. */
  turn: number | undefined
  /** The tool call that is being carried out. */
  callId: string | undefined
  exposure: Exposure
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
})
