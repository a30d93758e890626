/**
 * The host's own agent loop in this process: real sessions, prompts and tools, a scripted model, no loader and no
 * network; a turn takes milliseconds. Works on both hosts: which one the packages come from, the vitest project says.
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Context, type Plugin } from '@deepseek-ai/cordis'
import TimerService from '@deepseek-ai/cordis-plugin-timer'
import AgentRegistry, {
  type Agent,
  type AgentHandle,
  type CreateAgentOptions,
  type ResumeAgentOptions,
} from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import * as commandCompact from '@deepseek-ai/dsh-command-compact'
import CommandRuntime from '@deepseek-ai/dsh-commands'
import { BasicCompactionEngine } from '@deepseek-ai/dsh-compaction-basic'
import ToolResultPruner from '@deepseek-ai/dsh-compaction-tool-result-pruner'
import LlmRuntime, {
  type CallId,
  createUserMessage,
  type GenerateOptions,
  LlmAdapter,
  LlmError,
  type StreamChunk,
} from '@deepseek-ai/dsh-llm'
import SessionStore, {
  SESSION_FORMAT_VERSION,
  type Session,
  type SessionEvent,
  SessionId,
} from '@deepseek-ai/dsh-session'
import * as jsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SessionProjections from '@deepseek-ai/dsh-session-projection'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import TokenMeter from '@deepseek-ai/dsh-token-meter'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import ApprovalService from '@deepseek-ai/dsh-user-approval'
import UserQuestions from '@deepseek-ai/dsh-user-questions'
import { callArgs, isFailure, replyOf } from './fake-model.ts'
import { type ModelView, type Reply, type RequestKind, type Script, viewOfOptions } from './model-view.ts'

/** What the approval and question services are answered with. */
export type ApprovalAnswer = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

export interface HarnessOptions {
  script?: Script
  /** Mounted last, each with its config where it has one. */
  plugins?: (Plugin | readonly [Plugin, unknown])[]
  contextWindow?: number
  /** Folder for session logs; with it `resume` works, from another harness over the same folder too. */
  sessionsDir?: string
  /** Mounts user-approval; the function answers, and without it every request is unavailable, as in headless. */
  approval?: (request: { toolName: string; reason?: string }) => ApprovalAnswer | Promise<ApprovalAnswer>
  /** Mounts user-questions; a function answers as the page's card does, and without one nobody does, as in headless. */
  userQuestions?: boolean | ((request: AskedQuestions) => unknown)
  /** Mounts the command registry; `compaction` brings it along. */
  commands?: boolean
  /** Automatic folds, `/compact`, and the pruner of long tool results with these sizes. */
  compaction?: boolean | { thresholdChars: number; headChars: number; tailChars: number }
}

export interface AskedQuestions {
  questions: { id: string; question: string; detail?: string; options?: { label: string }[] }[]
}

export interface NewAgentOptions {
  /** Makes the agent a child that the parent owns. */
  parent?: Agent
  origin?: 'subagent'
  /** Default: the folder for temporary files, since the project's own has an AGENTS.md to be read. */
  cwd?: string
  sessionId?: string
  setup?: CreateAgentOptions['setup']
}

export interface ToolOutcome {
  callId: string
  name: string
  text: string
  isError: boolean
  /** The code of a HarnessError, where the tool threw one. */
  code?: string
}

export interface Harness {
  ctx: Context
  /** Every model request so far, in order. */
  requests: ModelView[]
  newAgent(options?: NewAgentOptions): Promise<Agent>
  /** Continues a stored session; the agent that had it must be disposed of first. */
  resume(sessionId: string): Promise<Agent>
  /** A person's fork of the whole conversation: a session of its own, and no child. */
  fork(agent: Agent): Promise<Agent>
  /** One turn as a person's message. @returns the text of the last answer of the turn. */
  say(agent: Agent, text: string): Promise<string>
  /** Runs a slash command in the agent's session, as a user interface does. */
  command(agent: Agent, line: string): Promise<unknown>
  /** Ends one agent and, with `sessionsDir`, has its log on disk. */
  end(agent: Agent): Promise<void>
  dispose(): Promise<void>
}

const PROVIDER = 'scripted'
const DEFAULT_WINDOW = 100_000
const PRUNER = { thresholdChars: 2000, headChars: 200, tailChars: 100 }
/** 0.2 keeps 65536 tokens of the window free by default, more than a test's whole window; rc.8 refuses the key. */
const FOLD_CONFIG = sessionFormat() >= 4 ? { headroomTokens: 100 } : {}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const ctx = new Context()
  await ctx.plugin(TimerService)
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(SessionProjections)
  await ctx.plugin(AgentLoop, { agents: [] })
  if (options.sessionsDir !== undefined) await ctx.plugin(persistence(), { root: options.sessionsDir })
  if (options.approval) {
    await ctx.plugin(ApprovalService)
    ctx.on('approval/request', async (request) => (await options.approval?.(request)) ?? 'unavailable')
  }
  if (options.userQuestions) await ctx.plugin(UserQuestions)
  if (typeof options.userQuestions === 'function') answerQuestions(ctx, options.userQuestions)
  if (options.commands || options.compaction) await ctx.plugin(CommandRuntime)
  if (options.compaction) {
    await ctx.plugin(TokenMeter)
    await ctx.plugin(ToolResultPruner, options.compaction === true ? PRUNER : options.compaction)
    const basic: Plugin = BasicCompactionEngine
    await ctx.plugin(basic, FOLD_CONFIG)
    await ctx.plugin(commandCompact)
  }
  const adapter = new ScriptedAdapter(options.script ?? (() => undefined), options.contextWindow)
  ctx.llm.registerAdapter([PROVIDER], adapter)
  for (const plugin of options.plugins ?? []) {
    if (isPair(plugin)) await ctx.plugin(plugin[0], plugin[1])
    else await ctx.plugin(plugin)
  }

  const handles = new Map<Agent, AgentHandle>()
  const keep = (handle: AgentHandle): Agent => {
    handles.set(handle.agent, handle)
    return handle.agent
  }
  const agentOptions = { provider: PROVIDER, model: 'scripted' }
  let serial = 0

  return {
    ctx,
    requests: adapter.requests,
    async newAgent({ parent, origin, cwd, sessionId, setup } = {}) {
      const create = {
        sessionId: SessionId(sessionId ?? `session-${++serial}`),
        meta: {
          cwd: cwd ?? tmpdir(),
          ...(parent ? { parentSession: parent.session.id, delegationDepth: depthOf(parent) + 1 } : {}),
          ...(origin ? { origin } : {}),
        },
        agentOptions,
        ...(setup ? { setup } : {}),
        // rc.8 takes the owner from the context that creates, 0.2 from this key, which rc.8 does not know.
        ...(parent ? { parentAgent: parent } : {}),
      }
      return keep(await (parent?.ctx ?? ctx).agents.create(create))
    },
    async resume(sessionId) {
      const resume: ResumeAgentOptions = { resumeSessionId: SessionId(sessionId), agentOptions }
      return keep(await ctx.agents.resume(resume))
    },
    async fork(agent) {
      const seed = events(agent.session)
      const newer = sessionFormat() >= 4
      const create = {
        // Sessions of an earlier harness over the same logs may be numbered too.
        sessionId: SessionId(`fork-${randomUUID()}`),
        meta: {
          cwd: agent.session.header.cwd ?? tmpdir(),
          parentSession: agent.session.id,
          ...(newer ? { isSeeded: true } : { seedLength: seed.length }),
        },
        seed,
        ...(newer ? { inheritedEventCount: seed.length } : {}),
        agentOptions,
      }
      return keep(await ctx.agents.create(create))
    },
    async say(agent, text) {
      const before = events(agent.session).length
      agent.followup(createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }))
      await agent.whenIdle()
      return lastAnswer(events(agent.session).slice(before))
    },
    command: (agent, line) => ctx.commands.execute(agent, line, [], new AbortController().signal),
    async end(agent) {
      await handles.get(agent)?.dispose()
      handles.delete(agent)
    },
    async dispose() {
      await ctx.fiber.dispose()
    },
  }
}

/** 0 on rc.8, 4 on 0.2. */
export function sessionFormat(): number {
  return SESSION_FORMAT_VERSION
}

/** The whole log of a session, on either host. */
export function events(session: Session): readonly SessionEvent[] {
  // The types are those of rc.8; 0.2 has no `events` and a method in its place.
  const either: Partial<Pick<Session, 'events'>> & { snapshotEvents?: () => readonly SessionEvent[] } =
    session
  return either.snapshotEvents?.() ?? either.events ?? []
}

export function eventsOf<T extends SessionEvent['type']>(
  session: Session,
  type: T,
): Extract<SessionEvent, { type: T }>[] {
  return events(session).filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type)
}

/** What the tools answered, in the order of the results. */
export function toolResults(session: Session): ToolOutcome[] {
  const names = new Map(eventsOf(session, 'tool/call').map(({ data }) => [String(data.callId), data.name]))
  return eventsOf(session, 'tool/result').map(({ data }) => {
    const message: WireResult = data.message
    // rc.8 wraps the result in a block of a user message, 0.2 has a message of role `tool`.
    const result: WireResult = message.toolCallId === undefined ? firstBlock(message) : message
    const callId = String(result.toolCallId)
    const code = data.error?.code
    return {
      callId,
      name: names.get(callId) ?? '',
      text: textOf(result.content),
      isError: result.isError === true,
      ...(code === undefined ? {} : { code }),
    }
  })
}

interface WireResult {
  toolCallId?: unknown
  isError?: unknown
  content?: unknown
}

function firstBlock(message: WireResult): WireResult {
  return Array.isArray(message.content) ? (message.content[0] ?? {}) : {}
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block: { text?: unknown }) => (typeof block.text === 'string' ? block.text : ''))
    .join('')
}

function lastAnswer(log: readonly SessionEvent[]): string {
  const last = log.findLast((event) => event.type === 'assistant/message')
  return textOf(last?.data.message.content)
}

function depthOf(agent: Agent): number {
  return agent.session.header.delegationDepth ?? 0
}

function isPair(plugin: Plugin | readonly [Plugin, unknown]): plugin is readonly [Plugin, unknown] {
  return Array.isArray(plugin)
}

/** rc.8 has one provider, 0.2 a chain of listeners. */
function answerQuestions(ctx: Context, answer: (request: AskedQuestions) => unknown): void {
  const ask = async (request: AskedQuestions) => answer(request)
  const questions = ctx.get('userQuestions') as { registerProvider?: (provider: unknown) => void } | undefined
  if (questions?.registerProvider) questions.registerProvider({ ask })
  else ctx.on('user-questions/request' as never, ask as never)
}

/** rc.8 exports the service as default, 0.2 a module with `apply`. */
function persistence(): Plugin {
  return 'default' in jsonlPersistence ? jsonlPersistence.default : (jsonlPersistence as Plugin.Object)
}

class ScriptedAdapter extends LlmAdapter {
  readonly requests: ModelView[] = []
  readonly #seen: Record<RequestKind, number> = { main: 0, title: 0, compact: 0 }
  readonly #script: Script
  readonly #contextWindow: number

  constructor(script: Script, contextWindow = DEFAULT_WINDOW) {
    super()
    this.#script = script
    this.#contextWindow = contextWindow
  }

  override async resolveModel(provider: string, model: string) {
    return { provider, id: model, name: model, context: { contextWindow: this.#contextWindow } }
  }

  override async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    const view = viewOfOptions(options)
    this.requests.push(view)
    const reply = await replyOf(this.#script, view, ++this.#seen[view.kind])
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
    if (isFailure(reply)) throw new LlmError(reply.error ?? 'scripted failure', 'INVALID_REQUEST')
    yield* chunksOf(reply, this.requests.length, JSON.stringify(options.messages).length)
  }
}

function* chunksOf(reply: Reply, serial: number, promptChars: number): Generator<StreamChunk> {
  let index = 0
  if (reply.reasoning) {
    yield { type: 'block-start', index, blockType: 'reasoning' }
    yield { type: 'reasoning-delta', index, text: reply.reasoning }
    yield { type: 'block-end', index: index++, block: { type: 'reasoning', text: reply.reasoning } }
  }
  if (reply.text) {
    yield { type: 'block-start', index, blockType: 'text' }
    yield { type: 'text-delta', index, text: reply.text }
    yield { type: 'block-end', index: index++, block: { type: 'text', text: reply.text } }
  }
  for (const [k, call] of (reply.toolCalls ?? []).entries()) {
    const id = (call.id ?? `call_${serial}_${k}`) as CallId
    const args = callArgs(call.args)
    yield { type: 'block-start', index, blockType: 'tool-call' }
    yield { type: 'tool-call-delta', index, id, name: call.name, argumentsDelta: args }
    yield {
      type: 'block-end',
      index: index++,
      block: { type: 'tool-call', id, name: call.name, arguments: args },
    }
  }
  const { usage } = reply
  yield {
    type: 'usage',
    usage: {
      inputTokens: usage?.input ?? Math.floor(promptChars / 4),
      outputTokens: usage?.output ?? 3,
      ...(usage?.cacheRead === undefined ? {} : { cacheReadTokens: usage.cacheRead }),
    },
  }
  yield { type: 'finish', reason: { kind: reply.toolCalls?.length ? 'tool-calls' : 'stop' } }
}
