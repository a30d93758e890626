/** What a tool is: one entry of the declarative list, and what it is handed when it runs. */
import type { z } from 'zod'
import type { TurnContext } from '../store/turn-context.ts'
import type { Question } from './question.ts'

/**
 * allowed: the person said yes, for this one act. never-asks: the person has switched all asking off. refused: the
 * person said no. nobody: there is no one to ask. cancelled: the question was withdrawn.
 */
export type Consent = 'allowed' | 'never-asks' | 'refused' | 'nobody' | 'cancelled'

/** What one call brings along. */
export interface ToolEnv {
  context: TurnContext
  /** What is reported and was not yet said to this session in a tool's answer. */
  notices(): string[]
  /** Asks the person about this one call. */
  ask(question: Question): Promise<Consent>
}

export interface Tool {
  name: string
  /** How to use it; when to use it is the discipline's business. */
  description: string
  input: z.ZodObject
  /** What may be left out and holds nothing is not sent. */
  output: z.ZodObject
  /** Whether a child session may call it. */
  forChildren: boolean
  /** Whether calls may run beside others: true only where nothing is written. */
  readsOnly: boolean
  /** The data folder, absolute; no sentence of an answer names it. */
  folder?: string
  run(args: unknown, env: ToolEnv): Promise<unknown>
}

/** A tool whose `run` sees its arguments as its input schema describes them. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: {
  name: string
  description: string
  input: I
  output: O
  forChildren?: boolean
  readsOnly?: boolean
  run(args: z.output<I>, env: ToolEnv): Promise<z.input<O>>
}): Tool {
  return {
    ...tool,
    forChildren: tool.forChildren ?? true,
    readsOnly: tool.readsOnly ?? false,
    // The exit parses before it calls, so what arrives here is the schema's output.
    run: (args, env) => tool.run(args as z.output<I>, env),
  }
}
