/**
 * Asking the person: through the host's user questions where there is more to show than one line and a page that has
 * room for it, else through its approval.
 */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-user-questions'
import { z } from 'zod'
import { systemCode } from '../base/errors.ts'
import { isLong, markdown, plainText, type Question } from '../tools/question.ts'
import type { Consent } from '../tools/tool.ts'
import { asking } from './compat.ts'

/** The preset by which a person switches all asking off. */
const NEVER_ASKS = 'danger-full-access'

const QUESTION_ID = 'mnemos-permission'

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
export async function askPerson(ctx: Context, call: Call, question: Question): Promise<Consent> {
  if (!ctx.get('approval')) return 'nobody'
  const { policy, preset } = asking(ctx, call.agent.session)
  if (policy === 'never') return preset === NEVER_ASKS ? 'never-asks' : 'nobody'
  return (
    (isLong(question) ? await askByQuestion(ctx, call, question) : undefined) ??
    askApproval(ctx, call, question)
  )
}

async function askApproval(ctx: Context, call: Call, question: Question): Promise<Consent> {
  const approval = ctx.get('approval')
  if (!approval) return 'nobody'
  const request = {
    agent: call.agent,
    toolName: call.toolName,
    ...(call.callId === undefined ? {} : { callId: call.callId }),
    reason: plainText(question),
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

/** @returns undefined where nobody answers questions here, so that the approval may be tried. */
async function askByQuestion(ctx: Context, call: Call, question: Question): Promise<Consent | undefined> {
  const questions = ctx.get('userQuestions')
  if (!questions) return undefined
  const { agent, signal } = call
  const request = {
    questions: [
      {
        id: QUESTION_ID,
        header: `Mnemos: ${call.toolName}`,
        question: question.headline,
        detail: markdown(question),
        options: [{ label: question.answers.allow }, { label: question.answers.reject }],
      },
    ],
    agent,
    ...(signal === undefined ? {} : { signal }),
  }
  try {
    const answer: unknown = await orAborted(questions.ask(request), signal)
    return yesBy(question.answers.allow).safeParse(answer).success ? 'allowed' : 'refused'
  } catch (error) {
    const code = systemCode(error)
    if (code === 'NO_PROVIDER') return undefined
    if (signal?.aborted || code === 'ASK_ABORTED' || code === 'ASK_CANCELLED') return 'cancelled'
    // Whatever else went wrong, nobody said yes.
    return 'nobody'
  }
}

/** Rejects when the call is given up, also where whoever answers does not look at the signal. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('the call was given up'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Only the one option, chosen alone and with no words of the person's own beside it, is a yes. */
const yesBy = (allow: string) =>
  z.object({
    answers: z.tuple([
      z.object({
        id: z.literal(QUESTION_ID),
        selected: z.tuple([z.literal(allow)]),
        custom: z.literal('').nullish(),
      }),
    ]),
  })
