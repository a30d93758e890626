/**
 * A model of our own on a local port: speaks chat completions (DSH 0.1.0-rc.8 posts to `<base>/chat/completions`)
 * and Messages (0.2 posts to `<base>/v1/messages`), and answers from a script. Knows nothing of the test runner,
 * so a demo may use it too.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ModelView,
  type Reply,
  type RequestKind,
  type Script,
  viewOfChat,
  viewOfMessages,
} from './model-view.ts'

export interface FakeModel {
  /** Give these to the host; they point it here, with a key that is worth nothing. */
  env: { DEEPSEEK_BASE_URL: string; DEEPSEEK_API_KEY: string }
  /** Every request so far, titles included, in the order they came. */
  requests: ModelView[]
  close(): Promise<void>
}

/** Titles are asked beside the first turn, once a root session; a script that counts turns must not see them. */
const TITLE = 'Fake title'
const DEFAULT_REPLY: Record<RequestKind, Reply> = {
  main: { text: 'ok' },
  title: { text: TITLE },
  compact: { text: '<summary>FAKE SUMMARY</summary>' },
}

export interface Wire {
  view(body: unknown, headers: Record<string, unknown>): ModelView
  fail(response: ServerResponse, reply: Reply): void
  answer(response: ServerResponse, reply: Reply, serial: number, inputTokens: number): void
}

/** @param options.title - what every session is called. */
export async function startFakeModel(
  script: Script = () => undefined,
  { title = TITLE }: { title?: string } = {},
): Promise<FakeModel> {
  const requests: ModelView[] = []
  const seen: Record<RequestKind, number> = { main: 0, title: 0, compact: 0 }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyText(request)
    const wire = wireOf(request.url ?? '')
    if (wire === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const view = wire.view(JSON.parse(text), request.headers)
    requests.push(view)
    const serial = requests.length
    const n = ++seen[view.kind]
    const reply = view.kind === 'title' ? { text: title } : await replyOf(script, view, n)
    if (reply.delayMs) await sleep(reply.delayMs)
    if (isFailure(reply)) wire.fail(response, reply)
    else wire.answer(response, reply, serial, reply.usage?.input ?? Math.ceil(text.length / 4))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake model has no port')
  return {
    env: { DEEPSEEK_BASE_URL: `http://127.0.0.1:${address.port}`, DEEPSEEK_API_KEY: 'sk-fake' },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A script that throws is a broken test: the turn must fail where it can be seen, and not be retried. */
export async function replyOf(script: Script, view: ModelView, n: number): Promise<Reply> {
  try {
    return (await script(view, n)) ?? DEFAULT_REPLY[view.kind]
  } catch (error) {
    return { status: 400, error: `the test's model script threw: ${String(error)}` }
  }
}

export function isFailure(reply: Reply): boolean {
  return reply.error !== undefined || (reply.status !== undefined && reply.status !== 200)
}

export function callArgs(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {})
}

/** How a request to this path speaks; undefined where it is none to a model. */
export function wireOf(url: string): Wire | undefined {
  const path = url.split('?')[0] ?? ''
  if (path.endsWith('/chat/completions')) return CHAT
  if (path.endsWith('/v1/messages')) return MESSAGES
  return undefined
}

export async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Streams are cut small so that a reader that depends on whole pieces is found out. */
function cut(text: string, size: number): string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}

const CHAT: Wire = {
  view: viewOfChat,
  fail(response, reply) {
    response.writeHead(reply.status ?? 400, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ error: { message: reply.error ?? 'fake failure', type: 'invalid_request_error' } }),
    )
  },
  answer(response, reply, serial, inputTokens) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (rest: object) =>
      response.write(
        `data: ${JSON.stringify({ id: `fake-${serial}`, object: 'chat.completion.chunk', created: 1, model: 'fake', ...rest })}\n\n`,
      )
    const delta = (change: object, finish: string | null = null) =>
      send({ choices: [{ index: 0, delta: change, finish_reason: finish }] })
    delta({ role: 'assistant', content: '', ...(reply.reasoning ? { reasoning_content: '' } : {}) })
    for (const part of cut(reply.reasoning ?? '', 20)) delta({ reasoning_content: part })
    for (const part of cut(reply.text ?? '', 20)) delta({ content: part })
    for (const [index, call] of (reply.toolCalls ?? []).entries()) {
      const id = call.id ?? `call_${serial}_${index}`
      delta({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] })
      for (const part of cut(callArgs(call.args), 15))
        delta({ tool_calls: [{ index, function: { arguments: part } }] })
    }
    delta({}, reply.toolCalls?.length ? 'tool_calls' : 'stop')
    send({
      choices: [],
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: reply.usage?.output ?? 7,
        prompt_cache_hit_tokens: reply.usage?.cacheRead ?? 0,
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
    response.end('data: [DONE]\n\n')
  },
}

const MESSAGES: Wire = {
  view: viewOfMessages,
  fail(response, reply) {
    const status = reply.status ?? 400
    const type = status >= 500 ? 'api_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type, message: reply.error ?? 'fake failure' } }))
  },
  answer(response, reply, serial, inputTokens) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (type: string, rest: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
    send('message_start', {
      message: {
        id: `msg_${serial}`,
        type: 'message',
        role: 'assistant',
        model: 'fake',
        content: [],
        usage: {
          input_tokens: inputTokens,
          output_tokens: 0,
          cache_read_input_tokens: reply.usage?.cacheRead ?? 0,
          cache_creation_input_tokens: 0,
        },
      },
    })
    let index = 0
    const block = (start: object, deltas: object[]) => {
      send('content_block_start', { index, content_block: start })
      for (const delta of deltas) send('content_block_delta', { index, delta })
      send('content_block_stop', { index })
      index++
    }
    if (reply.reasoning)
      block(
        { type: 'thinking', thinking: '' },
        cut(reply.reasoning, 20).map((thinking) => ({ type: 'thinking_delta', thinking })),
      )
    if (reply.text)
      block(
        { type: 'text', text: '' },
        cut(reply.text, 20).map((text) => ({ type: 'text_delta', text })),
      )
    for (const [k, call] of (reply.toolCalls ?? []).entries())
      block(
        { type: 'tool_use', id: call.id ?? `call_${serial}_${k}`, name: call.name, input: {} },
        cut(callArgs(call.args), 15).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      )
    send('message_delta', {
      delta: { stop_reason: reply.toolCalls?.length ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: reply.usage?.output ?? 7 },
    })
    send('message_stop')
    response.end()
  },
}
