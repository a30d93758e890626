/** Makes the turn context of a tool call from what the host knows of the session. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session } from '@deepseek-ai/dsh-session'
import { CLEAN, NO_WORDS, type Role, type TurnContext } from '../store/turn-context.ts'
import { eventsOf, modelOf } from './compat.ts'

const ANCESTORS_LIMIT = 32

/** A person's fork has a parent too, but no origin: it is a main session and a new writer. */
export const roleOf = (session: Session): Role => (session.header?.origin === 'subagent' ? 'child' : 'main')

/** The sessions that this one came from, nearest first, as far as they are alive. */
function ancestorsOf(ctx: Context, session: Session): string[] {
  const out: string[] = []
  let parent = session.header?.parentSession
  while (parent !== undefined && out.length < ANCESTORS_LIMIT && !out.includes(parent)) {
    out.push(parent)
    parent = ctx.get('sessions')?.get(parent)?.header?.parentSession
  }
  return out
}

function turnOf(session: Session): number | undefined {
  const events = eventsOf(session)
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at]
    if (event?.type === 'turn/start') return event.data.turn
  }
  return undefined
}

/** Tells which workspace a folder belongs to; undefined where there is no folder. Never rejects. */
export type WorkspaceOf = (folder: string | undefined) => Promise<string | undefined>

export async function turnContext(
  ctx: Context,
  agent: Agent,
  callId: string | undefined,
  workspaceOf: WorkspaceOf,
): Promise<TurnContext> {
  const { session } = agent
  const folder = session.header?.cwd
  const role = roleOf(session)
  return {
    session: { id: session.id, ancestors: ancestorsOf(ctx, session) },
    role,
    author: `${modelOf(agent)} ${role}`,
    workspace: await workspaceOf(folder),
    folder,
    turn: turnOf(session),
    callId,
    exposure: CLEAN,
    words: NO_WORDS,
  }
}
