/** Puts the view into requests: system parts as sections, message parts as messages. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent, PreStepDecision } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import { due, shownBy } from '../view/shown.ts'
import { Turns } from '../view/turns.ts'
import type { Part, View } from '../view/view.ts'
import { contained, containedAsync, type Report } from './contain.ts'
import { ownMessages, partMessage } from './messages.ts'
import { missingSections } from './missing-sections.ts'
import { roleOf, type WorkspaceOf } from './turn-context.ts'

/** Ahead of everything on every host: identity stands at -100 on older ones and at -1000 on newer. */
const HEAD = -10_000

const sectionOf = (part: Part) => `mnemos:${part.name}`
const variableOf = (part: Part) => `mnemos_${part.name.replace(/[^a-z0-9]/g, '_')}`

/** What the view asks of the memory. */
export interface ViewSource {
  /** Awaited before the messages of a turn are drawn, so that they show what lies in the folder then. */
  freshen(): Promise<void>
  workspaceOf: WorkspaceOf
}

/** Mounts the parts that the view holds now. */
export function mountView(
  ctx: Context,
  view: View,
  { freshen, workspaceOf }: ViewSource,
  report: Report,
): void {
  const turns = new Turns(view)
  ctx.on('session/event', (session, { type }) => {
    contained(report, 'the start of a turn', () => type === 'turn/start' && turns.begin(session), undefined)
  })
  mountSections(ctx, view, turns, report)
  ctx.on('agent/pre-step', async ({ agent, step }, next): Promise<PreStepDecision> => {
    const decision = await next()
    if (decision.kind !== 'enter') return decision
    const ours = await containedAsync(report, 'view', () => messagesFor(agent, step), [])
    return ours.length === 0 ? decision : { ...decision, messages: [...ours, ...decision.messages] }
  })

  async function messagesFor(agent: Agent, step: number): Promise<UserMessage[]> {
    const { session } = agent
    if (step === 1) await containedAsync(report, 'the memory at the start of a turn', freshen, undefined)
    const reader = { role: roleOf(session), workspace: await workspaceOf(session.header?.cwd) }
    const sections = view.parts('system').map(sectionOf)
    const lacking = await turns.lacking(session, () =>
      containedAsync(report, 'the system prompt', () => missingSections(ctx, agent, sections), new Set()),
    )
    const shown = shownBy(ownMessages(session))
    const { language } = view
    return view
      .parts()
      .filter((part) => part.place === 'message' || lacking.has(sectionOf(part)))
      .flatMap((part) => {
        const message = due(part, turns.text(part, session, reader), shown.get(part.name), language)
        return message ? [partMessage(session, part, message, language)] : []
      })
  }
}

/**
 * The text goes in through a variable, because the host reads `{{…}}` in a section's own text as a template and an
 * unknown name there fails every turn.
 */
function mountSections(ctx: Context, view: View, turns: Turns, report: Report): void {
  for (const [at, part] of view.parts('system').entries()) {
    const draw = (context: unknown) =>
      contained(report, `section ${part.name}`, () => sectionText(view, turns, part, context), '')
    ctx.effect(() => ctx.systemPrompt.variable(variableOf(part), draw))
    ctx.effect(() =>
      ctx.systemPrompt.section({
        name: sectionOf(part),
        order: HEAD + at,
        text: (context) => (draw(context) === '' ? '' : `{{${variableOf(part)}}}`),
      }),
    )
  }
}

/** Without an agent it is drawn for a main session, and for that once. */
function sectionText(view: View, turns: Turns, part: Part, context: unknown): string {
  const agent = (context as { agent?: Agent } | undefined)?.agent
  const text = agent
    ? turns.text(part, agent.session, { role: roleOf(agent.session), workspace: undefined })
    : view.draw(part, { role: 'main', workspace: undefined })
  return text ?? ''
}
