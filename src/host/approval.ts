/** Asking the person, through the host's approval. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Answer, Question } from '../tools/tool.ts'
import { asking } from './compat.ts'

/** The preset by which a person switches all asking off. */
const NEVER_ASKS = 'danger-full-access'

interface Call {
  agent: Agent
  toolName: string
  callId: string | undefined
  signal: AbortSignal | undefined
}

/**
 * The policy is read before asking, because under "never" the host answers "rejected" without asking anyone: that
 * is no refusal by the person, and only their own preset makes it a permission.
 */
export async function ask(ctx: Context, call: Call, { headline, detail }: Question): Promise<Answer> {
  const approval = ctx.get('approval')
  if (!approval) return 'nobody'
  const { policy, preset } = asking(ctx, call.agent.session)
  if (policy === 'never') return preset === NEVER_ASKS ? 'never-asks' : 'nobody'
  const request = {
    agent: call.agent,
    toolName: call.toolName,
    ...(call.callId === undefined ? {} : { callId: call.callId }),
    reason: detail === '' ? headline : `${headline}\n\n${detail}`,
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  }
  const outcome: string = await approval.request(request as Parameters<typeof approval.request>[0])
  switch (outcome) {
    case 'allowed-once':
      return 'allowed'
    case 'rejected':
      return 'refused'
    case 'cancelled':
      return 'cancelled'
    default:
      return 'nobody'
  }
}
