/**
 * The one way in and out of every tool: arguments are parsed by our own schema, and the result is checked against
 * the declared shape. A result of another shape is logged and passed on, because the work behind it is done.
 */
import { sep } from 'node:path'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { explained } from '../messages/messages.ts'
import { firstIssue } from '../record/record.ts'
import type { Tool, ToolEnv } from './tool.ts'

/** A tool's answer, plain JSON. `notices` is there when something is to be reported. */
export type ToolResult = Record<string, unknown>

export interface ExitOptions {
  /** Called with one line when a result has not the declared shape or something unforeseen was thrown. */
  log(line: string): void
}

/**
 * Runs one call.
 * @throws MnemosError with one sentence for the model: what is wrong and what to do.
 */
export async function callTool(
  tool: Tool,
  raw: unknown,
  env: ToolEnv,
  { log }: ExitOptions,
): Promise<ToolResult> {
  try {
    const value = await runTool(tool, raw, env, log)
    const shape = tool.output.safeParse(value)
    if (!shape.success)
      log(`${tool.name} answered in another shape than it declares: ${firstIssue(shape.error)}`)
    const notices = env.notices()
    const answer = plainJson(shape.success ? withoutEmpty(tool.output, shape.data) : value)
    return withoutFolder(tool.folder, notices.length > 0 ? { ...answer, notices } : answer)
  } catch (error) {
    throw asTold(explained(error), tool.folder)
  }
}

/** Without the fields that may be left out and hold nothing: the model pays for every word. */
function withoutEmpty(output: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).filter(([key, inner]) => {
    const isEmpty =
      inner === '' || (typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0)
    return !isEmpty || output.shape[key]?.safeParse(undefined).success !== true
  })
  return Object.fromEntries(entries)
}

/** Half a character, as a careless cut leaves it, makes a request that a model's API may refuse. */
const plainJson = (value: unknown): ToolResult =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner)),
  )

/** An error in whole characters, and without where on the machine the memory lies. */
function asTold(error: unknown, folder: string | undefined): unknown {
  if (!(error instanceof MnemosError)) return error
  const { code, problem, remedy, message } = error
  const told = (text: string) => relativeIn(folder, text.toWellFormed())
  const whole = new MnemosError(code, told(problem), told(remedy), { cause: error })
  return whole.message === message ? error : whole
}

/** Fields of an answer that hold sentences of ours. What records say stays as it stands. */
const SENTENCES = ['note', 'warnings', 'missing', 'notices']

/** An answer whose sentences do not say where on the machine the memory lies: nothing that a model needs. */
function withoutFolder(folder: string | undefined, answer: ToolResult): ToolResult {
  const entries = Object.entries(answer).map(([key, value]) => {
    if (!SENTENCES.includes(key)) return [key, value]
    if (Array.isArray(value)) return [key, value.map((one) => relativeIn(folder, String(one)))]
    return [key, typeof value === 'string' ? relativeIn(folder, value) : value]
  })
  return Object.fromEntries(entries)
}

const relativeIn = (folder: string | undefined, text: string): string =>
  folder === undefined ? text : text.replaceAll(`${folder}${sep}`, '').replaceAll(folder, 'the data folder')

async function runTool(tool: Tool, raw: unknown, env: ToolEnv, log: ExitOptions['log']): Promise<unknown> {
  if (env.context.role !== 'main' && !tool.forChildren) {
    throw new MnemosError(
      'REFUSED',
      `${tool.name} is not for ${env.context.role} sessions.`,
      'Hand it back to the session that started this one.',
    )
  }
  const given = lenient(tool.input, raw)
  const parsed = tool.input.safeParse(given)
  if (!parsed.success) {
    throw new MnemosError(
      'INVALID_INPUT',
      `${tool.name}: ${inputIssues(tool.input, parsed.error, given)}.`,
      `It takes ${signature(tool.input)}.`,
    )
  }
  try {
    return await tool.run(parsed.data, env)
  } catch (error) {
    if (error instanceof MnemosError) throw error
    // No stack: it is many lines on a person's terminal, and tells them nothing.
    log(`${tool.name} failed: ${reasonOf(error)}`)
    throw new MnemosError(
      'STORAGE',
      `${tool.name} failed unexpectedly (${reasonOf(error)}).`,
      'Try once more; then tell the person.',
    )
  }
}

/** The arguments in a line, required ones first: `summary (required), content, kind`. */
function signature(input: z.ZodObject): string {
  const entries = Object.entries(input.shape)
  const isRequired = ([, schema]: [string, z.core.$ZodType]) => !z.safeParse(schema, undefined).success
  return [
    ...entries.filter(isRequired).map(([key]) => `${key} (required)`),
    ...entries.filter((e) => !isRequired(e)).map(([key]) => key),
  ].join(', ')
}

/** How many problems of one call are named. */
const ISSUES = 6

/** All that is wrong with a call's arguments, in one clause: who corrects one of several calls again for the next. */
function inputIssues(input: z.ZodObject, error: z.ZodError, given: unknown): string {
  const named = [...new Set(error.issues.map((issue) => issueClause(input, issue, given)))]
  const more = named.length - ISSUES
  return [...named.slice(0, ISSUES), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

function issueClause(input: z.ZodObject, issue: z.core.$ZodIssue, given: unknown): string {
  const [key, ...below] = issue.path
  if (issue.code === 'unrecognized_keys') {
    const within = issue.path.length === 0 ? '' : ` in ${issue.path.join('.')}`
    return `it does not know the argument ${issue.keys.map((one) => `"${one}"`).join(', ')}${within}`
  }
  const isArgument = typeof key === 'string' && below.length === 0 && Object.hasOwn(input.shape, key)
  if (isArgument && !(typeof given === 'object' && given !== null && Object.hasOwn(given, key)))
    return `${key} is missing`
  return firstIssue(new z.ZodError([issue]))
}

const kindOfSchema = (schema: z.core.$ZodType): string => {
  const { def } = schema._zod
  if (def.type === 'optional' || def.type === 'default' || def.type === 'nullable') {
    return 'innerType' in def ? kindOfSchema(def.innerType as z.core.$ZodType) : def.type
  }
  return def.type
}

/**
 * What models commonly get wrong and what is plain anyway: null for a left-out argument, one value for a list, a
 * list or number as text.
 */
function lenient(input: z.ZodObject, raw: unknown): unknown {
  const value = typeof raw === 'string' ? jsonOr(raw) : raw
  if (value === undefined || value === null || value === '') return {}
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const out: [string, unknown][] = []
  for (const [key, given] of Object.entries(value)) {
    if (given === null || given === undefined) continue
    const schema = Object.hasOwn(input.shape, key) ? input.shape[key] : undefined
    // An empty text for what may be left out says nothing.
    if (given === '' && schema?.safeParse(undefined).success) continue
    out.push([key, schema ? coerce(kindOfSchema(schema), given) : given])
  }
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(out)
}

function coerce(kind: string, given: unknown): unknown {
  if (kind === 'array' && !Array.isArray(given)) {
    const list = typeof given === 'string' ? jsonOr(given) : given
    return Array.isArray(list) ? list : [given]
  }
  if (kind === 'number' && typeof given === 'string' && given.trim() !== '') return Number(given)
  if ((kind === 'string' || kind === 'union') && (typeof given === 'number' || typeof given === 'boolean'))
    return String(given)
  if (kind === 'boolean' && (given === 'true' || given === 'false')) return given === 'true'
  return given
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
