/** Puts the view into requests: system parts as sections, message parts as messages. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent, PreStepDecision } from '@deepseek-ai/dsh-agent'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import { workspaceOf } from '../files/workspace.ts'
import { difference, saidBy, saysTheSame } from '../view/difference.ts'
import { type Part, unlabelled, type View } from '../view/view.ts'
import { contained, containedAsync, type Report } from './contain.ts'
import { leftOut } from './left-out.ts'
import { partMessage } from './messages.ts'
import { type Shown, shownIn } from './shown.ts'
import { roleOf } from './turn-context.ts'

/** Ahead of everything on every host: identity stands at -100 on older ones and at -1000 on newer. */
const HEAD = -10_000

/** Characters above which a changed part is not sent again, but what was added to it and withdrawn. */
export const WHOLE_CHARACTERS = 2_000

/** What a part says when it has nothing to show any more. */
const WITHDRAWN = 'Nothing any more: what was shown here before no longer holds.'

const sectionOf = (part: Part) => `mnemos:${part.name}`
const variableOf = (part: Part) => `mnemos_${part.name.replace(/[^a-z0-9]/g, '_')}`

interface Turn {
  texts: Map<string, string | undefined>
  /** Names of the sections that the system prompt of this turn lacks. */
  lacking?: Promise<ReadonlySet<string>>
}

/** What is found out once a turn, so that all its requests share it, whatever is written meanwhile. */
class Turns {
  readonly #view: View
  readonly #turns = new WeakMap<Session, Turn>()

  constructor(view: View) {
    this.#view = view
  }

  /** From now on everything is found out anew. */
  begin(session: Session): Turn {
    const turn: Turn = { texts: new Map() }
    this.#turns.set(session, turn)
    return turn
  }

  #of(session: Session): Turn {
    return this.#turns.get(session) ?? this.begin(session)
  }

  text(part: Part, session: Session, workspace: string | undefined): string | undefined {
    const { texts } = this.#of(session)
    if (!texts.has(part.name))
      texts.set(part.name, this.#view.draw(part, { role: roleOf(session), workspace }))
    return texts.get(part.name)
  }

  lacking(session: Session, ask: () => Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    const turn = this.#of(session)
    turn.lacking ??= ask()
    return turn.lacking
  }
}

/**
 * Mounts the parts that the view holds now.
 * @param freshen awaited before the messages of a turn are drawn, so that they show what lies in the folder then.
 */
export function mountView(ctx: Context, view: View, freshen: () => Promise<void>, report: Report): void {
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
    const workspace = await workspaceOf(session.header?.cwd)
    const sections = view.parts('system').map(sectionOf)
    const lacking = await turns.lacking(session, () =>
      containedAsync(report, 'the system prompt', () => leftOut(ctx, agent, sections), new Set()),
    )
    const shown = shownIn(session)
    return view
      .parts()
      .filter((part) => part.place === 'message' || lacking.has(sectionOf(part)))
      .flatMap((part) => {
        const text = turns.text(part, session, workspace)
        return due(session, part, text === undefined ? undefined : unlabelled(text), shown.get(part.name))
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
      contained(
        report,
        `section ${part.name}`,
        () => {
          const agent = agentOf(context)
          const text = agent
            ? turns.text(part, agent.session, undefined)
            : view.draw(part, { role: 'main', workspace: undefined })
          return text ?? ''
        },
        '',
      )
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

const agentOf = (context: unknown): Agent | undefined => (context as { agent?: Agent } | undefined)?.agent

/** The messages that make a reader of what is shown know the text: none, the whole, or what changed. */
function due(
  session: Session,
  part: Part,
  text: string | undefined,
  shown: Shown | undefined,
): UserMessage[] {
  if (text === undefined) return []
  const whole = (said: string) => [partMessage(session, part, 'whole', said)]
  if (text === '') return shown === undefined || shown.text === WITHDRAWN ? [] : whole(WITHDRAWN)
  if (shown === undefined) return whole(text)
  // Standing instructions are not a list: they are the same, or they are said again.
  if (part.place === 'system') return shown.text === text ? [] : whole(text)
  const now = saidBy(text)
  if (saysTheSame(shown.said, now)) return []
  const change = difference(shown.said, now)
  const isShort = text.length <= WHOLE_CHARACTERS || change.length >= text.length
  return isShort ? whole(text) : [partMessage(session, part, 'changes', change)]
}
