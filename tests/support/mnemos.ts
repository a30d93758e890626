/** The plugin in the in-process harness: its own data folder, and its answers as values. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { vi } from 'vitest'
import * as plugin from '../../src/plugin.ts'
import { type Harness, type HarnessOptions, startHarness, toolResults } from './in-process.ts'
import type { Reply } from './model-view.ts'
import { tempDir } from './temp.ts'

export interface MnemosHarness extends Harness {
  data: string
  /** Calls one tool in one turn. @returns what the model got back: JSON where it is JSON. */
  call(agent: Agent, name: string, args: unknown): Promise<Outcome>
}

export interface Outcome {
  isError: boolean
  code: string | undefined
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape; a wrong path fails the test.
  value: any
}

/**
 * @param home the host's home, which holds `profiles.json`.
 * @param config the row's config, as a person wrote it.
 */
export async function startMnemos(
  options: HarnessOptions & { data?: string; home?: string; config?: unknown } = {},
): Promise<MnemosHarness> {
  const { data = await tempDir('data'), home = await tempDir('home'), config = {}, script, ...rest } = options
  vi.stubEnv('MNEMOS_DATA', data)
  vi.stubEnv('DSH_HOME', home)
  vi.stubEnv('LANG', 'en_US.UTF-8')
  const queue: Reply[] = []
  const harness = await startHarness({
    ...rest,
    plugins: [[plugin, config], ...(rest.plugins ?? [])],
    script: async (view, n) => queue.shift() ?? (await script?.(view, n)) ?? { text: 'ok' },
  })
  return {
    ...harness,
    data,
    async call(agent, name, args) {
      queue.push({ toolCalls: [{ name, args }] }, { text: 'done' })
      await harness.say(agent, `call ${name}`)
      const result = toolResults(agent.session).at(-1)
      if (!result) throw new Error(`the tool ${name} gave no result`)
      return { isError: result.isError, code: result.code, text: result.text, value: parsed(result.text) }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An error's sentence is no JSON.
    return undefined
  }
}
