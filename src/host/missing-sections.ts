/**
 * Which sections of ours an agent's system prompt lacks. A preset may replace the whole prompt by a text of its own; the
 * host says so nowhere, so the prompt is assembled once more, as the host does it for each request.
 */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'

/** @returns those of `sections` that do not reach this agent. */
export async function missingSections(
  ctx: Context,
  agent: Agent,
  sections: readonly string[],
): Promise<ReadonlySet<string>> {
  const assembly = await ctx.systemPrompt.assemble({ agent, scope: agent })
  const present = new Set(assembly.sections.map(({ name }) => name))
  return new Set(sections.filter((name) => !present.has(name)))
}
