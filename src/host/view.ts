/** Puts the view into requests: system parts as sections, message parts as messages of the turn's first step. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent, PreStepDecision } from '@deepseek-ai/dsh-agent'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import { workspaceOf } from '../memory/workspace.ts'
import type { Part, PartContext, View } from '../view/view.ts'
import { eventsOf, foldedSeqs, ownSummary } from './compat.ts'
import { contained, containedAsync, type Report } from './contain.ts'
import { labelOf, partMessage, textOfPart } from './messages.ts'
import { roleOf } from './turn-context.ts'

/** Ahead of everything on every host: identity stands at -100 on older ones and at -1000 on newer. */
const HEAD = -10_000

/** What a part says when it has nothing to show any more. */
const WITHDRAWN = 'Nothing any more: what was shown here before no longer holds.'

const variableOf = (part: Part) => `mnemos_${part.name.replace(/[^a-z0-9]/g, '_')}`

/**
 * Registers the system parts that the view holds now. The text goes in through a variable, because the host reads
 * `{{…}}` in a section's own text as a template and an unknown name there fails every turn.
 */
export function mountSections(ctx: Context, view: View, report: Report): void {
  view.parts('system').forEach((part, at) => {
    const variable = variableOf(part)
    const draw = (agent: Agent | undefined) =>
      contained(
        report,
        `section ${part.name}`,
        () => view.draw(part, { role: agent ? roleOf(agent.session) : 'main', workspace: undefined }),
        '',
      )
    ctx.effect(() => ctx.systemPrompt.variable(variable, (context) => draw(agentOf(context))))
    ctx.effect(() =>
      ctx.systemPrompt.section({
        name: `mnemos:${part.name}`,
        order: HEAD + at,
        text: (context) => (draw(agentOf(context)) === '' ? '' : `{{${variable}}}`),
      }),
    )
  })
}

const agentOf = (context: unknown): Agent | undefined => (context as { agent?: Agent } | undefined)?.agent

/** Delivers the message parts; `freshen` is awaited first, so that a turn shows what lies in the folder then. */
export function mountMessages(ctx: Context, view: View, freshen: () => Promise<void>, report: Report): void {
  ctx.on('agent/pre-step', async ({ agent, step }, next): Promise<PreStepDecision> => {
    const decision = await next()
    if (decision.kind !== 'enter' || step !== 1) return decision
    const ours = await containedAsync(
      report,
      'view',
      async () => {
        await freshen()
        return due(view, agent.session, {
          role: roleOf(agent.session),
          workspace: await workspaceOf(agent.session.header?.cwd),
        })
      },
      [],
    )
    return ours.length === 0 ? decision : { ...decision, messages: [...ours, ...decision.messages] }
  })
}

/** The parts that say something else than what the session shows of them now. */
function due(view: View, session: Session, context: PartContext): UserMessage[] {
  const inView = shownParts(session)
  return view.parts('message').flatMap((part) => {
    const text = view.draw(part, context)
    const before = inView.get(labelOf(part.name)) ?? ''
    if (text === before || (text === '' && before === WITHDRAWN)) return []
    return [partMessage(session, part.name, text === '' ? WITHDRAWN : text)]
  })
}

/** What of ours the model still has before it, by label: the newest message of each part that no fold took away. */
function shownParts(session: Session): Map<string, string> {
  const shown = new Map<string, string>()
  const folded = new Set<number>()
  const events = eventsOf(session)
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at]
    if (!event) continue
    for (const seq of foldedSeqs(event)) folded.add(seq)
    if (event.type !== 'user/message' || folded.has(event.seq)) continue
    const label = ownSummary(event.data.source)
    if (label === undefined || shown.has(label)) continue
    const [block] = event.data.content
    if (block?.type === 'text') shown.set(label, textOfPart(block.text))
  }
  return shown
}
