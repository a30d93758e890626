/** Registers every tool of a memory with the host, in this one place. */
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '@deepseek-ai/dsh-llm'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { callTool } from '../tools/exit.ts'
import type { Tool } from '../tools/tool.ts'
import { askPerson } from './approval.ts'
import { turnContext, type WorkspaceOf } from './turn-context.ts'

export interface ToolParts {
  tools: readonly Tool[]
  /** What is reported of the memory just now. */
  problems(): readonly string[]
  log(line: string): void
  workspaceOf: WorkspaceOf
}

/** Keywords that tell a model nothing and cost tokens in every request. */
const NOISE: ReadonlySet<string> = new Set(['$schema', 'additionalProperties'])

/** The JSON schema of a tool's arguments as the model gets it. */
export function parametersOf(tool: Tool): Record<string, unknown> {
  return lean(z.toJSONSchema(tool.input, { io: 'input' })) as Record<string, unknown>
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => !NOISE.has(key) && Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER,
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, lean(inner)]))
}

export function registerTools(ctx: Context, parts: ToolParts): void {
  const said = new WeakMap<object, Set<string>>()
  const notices = (session: object): string[] => {
    const before = said.get(session) ?? new Set()
    const fresh = parts.problems().filter((problem) => !before.has(problem))
    said.set(session, new Set([...before, ...fresh]))
    return fresh
  }
  for (const tool of parts.tools)
    ctx.effect(() => ctx.tools.register(definition(ctx, tool, { ...parts, notices })))
}

function definition(
  ctx: Context,
  tool: Tool,
  {
    log,
    workspaceOf,
    notices,
  }: Pick<ToolParts, 'log' | 'workspaceOf'> & { notices(session: object): string[] },
): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
    // The shape is checked by our own exit, which passes a mismatch on; the host would turn it into an error.
    output: {
      schema: {},
      render: (_args: unknown, value: unknown) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    isConcurrencySafe: () => tool.readsOnly,
    async execute(args, exec) {
      try {
        const { agent, callId, signal } = exec
        if (!agent)
          throw new MnemosError('UNAVAILABLE', `${tool.name} works only inside a session.`, 'Call it there.')
        const context = await turnContext(ctx, agent, callId, workspaceOf)
        const call = { agent, toolName: tool.name, callId, signal }
        return await callTool(
          tool,
          args,
          {
            context,
            notices: () => notices(agent.session),
            ask: (question) => askPerson(ctx, call, question),
          },
          { log },
        )
      } catch (error) {
        if (error instanceof MnemosError) throw new HarnessError(error.message, error.code)
        throw new HarnessError(`${tool.name} failed (${reasonOf(error)}).`, 'STORAGE')
      }
    },
  } as ToolDefinition
}
