/**
 * A memory and its tools without a host, for what a tool answers and what lies on disk then: whatever needs no request
 * to a model is the same on every host, so it is tested once and here.
 */
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { MnemosError } from '../../src/base/errors.ts'
import { type Memory, openMemory } from '../../src/memory/open.ts'
import { problemSentences } from '../../src/messages/messages.ts'
import { personContext, type TurnContext } from '../../src/store/turn-context.ts'
import { callTool } from '../../src/tools/exit.ts'
import type { Question } from '../../src/tools/question.ts'
import type { Consent } from '../../src/tools/tool.ts'
import type { Part } from '../../src/view/view.ts'
import { tempDir } from './temp.ts'

export interface Hostless {
  memory: Memory
  data: string
  /** Calls one tool in a turn of its own. @returns what a model would get back. */
  call(name: string, args: unknown, context?: Partial<TurnContext>): Promise<HostlessOutcome>
  /** Begins a turn of a main session. @returns what its requests show. */
  turn(): Promise<Shown>
  close(): void
}

export interface Shown {
  /** The parts that stand in the system prompt, in order. */
  system: string
  /** Each part that is a message, by its name; empty where it has nothing to show. */
  messages: Record<string, string>
}

export interface HostlessOutcome {
  isError: boolean
  code: string | undefined
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape; a wrong path fails the test.
  value: any
}

export interface HostlessOptions {
  data?: string
  /** The host's home. */
  home?: string
  /** As a person wrote it. */
  config?: unknown
  /** What the person says to a question; without it nobody is there to ask. */
  answer?: (question: Question) => Consent | Promise<Consent>
}

export async function startHostless(options: HostlessOptions = {}): Promise<Hostless> {
  const { data = await tempDir('data'), answer = () => 'nobody' } = options
  const memory = openMemory({
    root: data,
    config: readConfig(options.config ?? {}).config,
    clock: systemClock,
    disk: nodeDisk,
    dshHome: options.home ?? `${data}-home`,
    environment: {},
  })
  await memory.settle()
  void memory.open()
  const said = new Set<string>()
  const notices = () => {
    const fresh = problemSentences(memory.store.problems()).filter((problem) => !said.has(problem))
    for (const problem of fresh) said.add(problem)
    return fresh
  }
  let turn = 0
  const begin = async () => {
    turn++
    memory.beginTurn()
    await memory.atTurnStart()
  }
  return {
    memory,
    data,
    async call(name, args, context) {
      const tool = memory.tools.find((one) => one.name === name)
      if (!tool) throw new Error(`there is no tool ${name}`)
      await begin()
      const own: TurnContext = {
        ...personContext(),
        session: { id: 'session-1', ancestors: [] },
        author: 'scripted/scripted main',
        turn,
        callId: `call-${turn}`,
        ...context,
      }
      const logged: string[] = []
      const env = { context: own, notices, ask: async (question: Question) => answer(question) }
      const outcome = await callTool(tool, args, env, { log: (line) => logged.push(line) }).then(
        (value) => ({ isError: false, code: undefined, text: JSON.stringify(value), value }),
        (error: unknown) => {
          if (!(error instanceof MnemosError)) throw error
          return { isError: true, code: error.code, text: error.message, value: undefined }
        },
      )
      if (logged.length > 0) throw new Error(`the tool ${name} logged: ${logged.join(' ')}`)
      return outcome
    },
    async turn() {
      await begin()
      const draw = (part: Part) => memory.view.draw(part, { role: 'main', workspace: undefined }) ?? ''
      return {
        system: memory.view.parts('system').map(draw).join('\n\n'),
        messages: Object.fromEntries(memory.view.parts('message').map((part) => [part.name, draw(part)])),
      }
    },
    close: () => memory.close(),
  }
}
