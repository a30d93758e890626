/** Stands between a host and a real model: passes everything on, both ways, and keeps what the model was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { bodyText, type FakeModel, wireOf } from './fake-model.ts'
import type { ModelView } from './model-view.ts'

/** Of one connection alone, or made anew by whoever sends on. */
const HOP = new Set([
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'transfer-encoding',
])

/**
 * @param upstream the real base address, as the host would use it itself.
 * @param key the real key, handed to the host as it is.
 */
export async function startRecorder(upstream: string, key: string): Promise<FakeModel> {
  const requests: ModelView[] = []
  const base = upstream.replace(/\/+$/, '')

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyText(request)
    const wire = wireOf(request.url ?? '')
    if (wire) requests.push(wire.view(JSON.parse(text), request.headers))
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      HOP.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const answer = await fetch(`${base}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers,
      ...(text === '' ? {} : { body: text }),
    })
    const back = [...answer.headers].filter(([name]) => !HOP.has(name))
    response.writeHead(answer.status, Object.fromEntries(back))
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as ReadableStream), response)
    else response.end()
  }

  const server = createServer((request, response) => {
    passOn(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the recorder has no port')
  return {
    env: { DEEPSEEK_BASE_URL: `http://127.0.0.1:${address.port}`, DEEPSEEK_API_KEY: key },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
