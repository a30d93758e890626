/**
 * One view of what a model was asked, the same whether the request came over HTTP from DSH 0.1.0-rc.8 (chat
 * completions) or 0.2 (Messages), or in process as the options of an `LlmAdapter`. Tests read only this.
 *
 * What the two wires do not carry alike, the view evens out:
 * - tool results that answer one assistant message are one view message of role `tool`, in the order of the calls;
 * - 0.2 merges neighbouring user messages; they are taken apart again at their text blocks, so a host message with
 *   one text block (every message of ours) is one view message on both;
 * - chat completions carry no error mark on a tool result: there `isError` is told by the host's prefix `Error: `.
 */
export type RequestKind = 'main' | 'title' | 'compact'

export interface ViewCall {
  id: string
  name: string
  /** Parsed JSON, or the raw string where it does not parse. */
  args: unknown
}

export interface ViewResult {
  id: string
  text: string
  isError: boolean
}

export interface ViewMessage {
  role: 'user' | 'assistant' | 'tool' | 'developer'
  text: string
  calls: ViewCall[]
  results: ViewResult[]
}

export interface ViewTool {
  name: string
  description: string
  parameters: unknown
}

export interface ModelView {
  kind: RequestKind
  system: string
  messages: ViewMessage[]
  tools: ViewTool[]
  /** The request as it came: the JSON body, or the adapter's options. */
  raw: unknown
  sessionId?: string
}

export interface Reply {
  text?: string
  reasoning?: string
  toolCalls?: { id?: string; name: string; args: unknown }[]
  /** An HTTP status other than 200 makes the answer an error; in process any status or `error` does. */
  status?: number
  error?: string
  delayMs?: number
  usage?: { input?: number; output?: number; cacheRead?: number }
}

/**
 * @param n - how many requests of this view's kind came so far, this one included; title requests never reach a
 *   script. Nothing returned means `ok`, or a short summary for a compaction.
 */
export type Script = (view: ModelView, n: number) => Reply | undefined | Promise<Reply | undefined>

const TITLE_PROMPT = 'Create a concise title'
const CHAT_ERROR_PREFIX = 'Error: '

type Json = Record<string, unknown>

/** @param headers - as Node gives them, lower case. */
export function viewOfChat(body: unknown, headers: Record<string, unknown>): ModelView {
  const wire = list(record(body).messages).map(record)
  const system = wire
    .filter((message) => message.role === 'system')
    .map((message) => textOf(message.content))
    .join('\n\n')
  const messages: ViewMessage[] = []
  for (const message of wire) {
    const text = textOf(message.content)
    if (message.role === 'tool')
      addResult(messages, {
        id: String(message.tool_call_id),
        text,
        isError: text.startsWith(CHAT_ERROR_PREFIX),
      })
    else if (message.role === 'assistant')
      messages.push(
        viewMessage(
          'assistant',
          text,
          list(message.tool_calls).map((call) => {
            const { name, arguments: args } = record(record(call).function)
            return { id: String(record(call).id), name: String(name), args: parseArgs(args) }
          }),
        ),
      )
    else if (message.role === 'user') messages.push(viewMessage('user', text))
  }
  const tools = list(record(body).tools).map((tool) => toolOf(record(record(tool).function), 'parameters'))
  return assemble(body, headers, system, messages, tools)
}

/** @param headers - as Node gives them, lower case. */
export function viewOfMessages(body: unknown, headers: Record<string, unknown>): ModelView {
  const messages: ViewMessage[] = []
  for (const message of list(record(body).messages).map(record)) {
    const blocks = blocksOf(message.content)
    if (message.role === 'assistant') {
      const calls = blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ id: String(block.id), name: String(block.name), args: block.input }))
      messages.push(viewMessage('assistant', textOf(blocks), calls))
      continue
    }
    if (message.role === 'system') {
      messages.push(viewMessage('developer', textOf(blocks)))
      continue
    }
    for (const block of blocks) {
      if (block.type === 'tool_result')
        addResult(messages, {
          id: String(block.tool_use_id),
          text: textOf(block.content),
          isError: block.is_error === true,
        })
      else if (block.type === 'text') messages.push(viewMessage('user', String(block.text)))
    }
  }
  const tools = list(record(body).tools).map((tool) => toolOf(record(tool), 'input_schema'))
  return assemble(body, headers, textOf(record(body).system), messages, tools)
}

/** @param options - the `GenerateOptions` of either host; 0.1 has a `system` field, 0.2 system-role messages. */
export function viewOfOptions(options: unknown): ModelView {
  const given = record(options)
  const all = list(given.messages).map(record)
  const messages: ViewMessage[] = []
  for (const message of all) {
    const blocks = blocksOf(message.content)
    if (message.role === 'assistant') {
      const calls = blocks
        .filter((block) => block.type === 'tool-call')
        .map((block) => ({
          id: String(block.id),
          name: String(block.name),
          args: parseArgs(block.arguments),
        }))
      messages.push(viewMessage('assistant', textOf(blocks), calls))
    } else if (message.role === 'tool') {
      addResult(messages, {
        id: String(message.toolCallId),
        text: textOf(blocks),
        isError: message.isError === true,
      })
    } else if (message.role === 'user' || message.role === 'developer') {
      for (const block of blocks)
        if (block.type === 'tool-result')
          addResult(messages, {
            id: String(block.toolCallId),
            text: textOf(block.content),
            isError: block.isError === true,
          })
      const text = textOf(blocks)
      if (text !== '') messages.push(viewMessage(message.role, text))
    }
  }
  const lastSystem = all.findLast((message) => message.role === 'system')
  const purpose = given.purpose
  return {
    kind: purpose === 'session-title' ? 'title' : purpose === 'compaction' ? 'compact' : 'main',
    system: [given.system, textOf(lastSystem?.content)]
      .filter((part) => typeof part === 'string' && part !== '')
      .join('\n\n'),
    messages,
    tools: list(given.tools).map((tool) => toolOf(record(tool), 'parameters')),
    raw: options,
    ...(given.sessionId === undefined ? {} : { sessionId: String(given.sessionId) }),
  }
}

function assemble(
  raw: unknown,
  headers: Record<string, unknown>,
  system: string,
  messages: ViewMessage[],
  tools: ViewTool[],
): ModelView {
  const title = tools.length === 0 && system.startsWith(TITLE_PROMPT)
  const sessionId = headers['x-deepseek-harness-session-id']
  return {
    kind: headers['x-deepseek-harness-compact'] !== undefined ? 'compact' : title ? 'title' : 'main',
    system,
    messages,
    tools,
    raw,
    ...(sessionId === undefined ? {} : { sessionId: String(sessionId) }),
  }
}

function viewMessage(role: ViewMessage['role'], text: string, calls: ViewCall[] = []): ViewMessage {
  return { role, text, calls, results: [] }
}

function addResult(messages: ViewMessage[], result: ViewResult): void {
  const last = messages.at(-1)
  if (last?.role === 'tool') last.results.push(result)
  else messages.push({ ...viewMessage('tool', ''), results: [result] })
}

function toolOf(tool: Json, schemaKey: string): ViewTool {
  return { name: String(tool.name), description: String(tool.description), parameters: tool[schemaKey] }
}

function parseArgs(args: unknown): unknown {
  try {
    return JSON.parse(String(args))
  } catch {
    // A model may send broken JSON, and a test may want to see just that.
    return args
  }
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => (block.type === 'text' ? String(block.text) : ''))
    .join('')
}

function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(record)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
