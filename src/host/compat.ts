/**
 * Every difference between the hosts that we run on (0.1.0-rc.8 to 0.2.x) and nothing else: the rest of the code
 * does not know that there are several. What a host can do is asked of it, never read from a version number; the
 * session format alone decides what a message source must look like.
 */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { cut } from '../base/text.ts'

/** What the host hands a plugin. */
export type HostContext = Context

/** Our name in sessions: message sources carry it for as long as the logs exist, so it never changes. */
export const NAME = 'mnemos'

/** From this session format on, a plugin's messages have a source kind of its own and `plugin` is refused at save. */
const OWN_SOURCE_KIND = 4
const SUMMARY_CHARACTERS = 120

export interface NoticeSource {
  kind: string
  plugin?: string
  form: 'notice'
  summary: string
}

/**
 * The source of a message of ours. A session of an old format whose plugin source has any other member can never
 * be migrated, and the error comes only then: so exactly these members, on every host.
 */
export function noticeSource(session: Session, summary: string): NoticeSource {
  const form = { form: 'notice' as const, summary: cut(summary, SUMMARY_CHARACTERS) }
  const version: unknown = session.header?.version
  return typeof version === 'number' && version >= OWN_SOURCE_KIND
    ? { kind: `plugin:${NAME}`, ...form }
    : { kind: 'plugin', plugin: NAME, ...form }
}

/** The summary of a message source if it is one of ours, whichever host wrote it. */
export function ownSummary(source: unknown): string | undefined {
  if (typeof source !== 'object' || source === null) return undefined
  const { kind, plugin, summary } = source as Record<string, unknown>
  const mine = kind === `plugin:${NAME}` || (kind === 'plugin' && plugin === NAME)
  return mine && typeof summary === 'string' ? summary : undefined
}

interface Snapshots {
  snapshotEvents?: () => readonly SessionEvent[]
}

/** The session's log; newer hosts hand it out by a call. */
export function eventsOf(session: Session): readonly SessionEvent[] {
  const { snapshotEvents } = session as Session & Snapshots
  return typeof snapshotEvents === 'function' ? snapshotEvents.call(session) : session.events
}

/** How the person has set the host's asking: `ask`, or `never` asked, with the preset that says why. */
export function asking(
  ctx: Context,
  session: Session,
): { policy: 'ask' | 'never'; preset: string | undefined } {
  const approval = ctx.get('approval') as
    | { effectivePolicy?: (session: Session) => 'ask' | 'never' }
    | undefined
  const policy = approval?.effectivePolicy?.(session) ?? 'ask'
  return { policy, preset: presetOf(ctx, session) }
}

/** Older hosts take the events, newer ones the session. */
function presetOf(ctx: Context, session: Session): string | undefined {
  const presets = ctx.get('permissionPresets') as { current?: (from: unknown) => unknown } | undefined
  if (!presets?.current) return undefined
  for (const from of [session, eventsOf(session)]) {
    try {
      const preset = presets.current(from)
      if (typeof preset === 'string') return preset
    } catch {
      // The other shape is the right one for this host.
    }
  }
  return undefined
}

/** The model that an agent speaks with, as `provider/model`. */
export function modelOf(agent: Agent): string {
  const { provider, model } = (agent.options ?? {}) as { provider?: string; model?: string }
  return `${provider ?? 'unknown'}/${model ?? 'unknown'}`
}
