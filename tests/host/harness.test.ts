/** Proves the bench, not the plugin: the in-process harness on whichever host this project runs. */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ToolArgsError } from '@deepseek-ai/dsh-tools'
import { afterEach, expect, it } from 'vitest'
import * as bench from '../fixtures/static-imports.ts'
import {
  events,
  eventsOf,
  type Harness,
  type HarnessOptions,
  sessionFormat,
  startHarness,
  toolResults,
} from '../support/in-process.ts'
import { tempDir } from '../support/temp.ts'

let harness: Harness
async function start(options: HarnessOptions = {}): Promise<Harness> {
  harness = await startHarness({ plugins: [bench], ...options })
  return harness
}
afterEach(() => harness?.dispose())

it('runs on the host that the project names, with one copy of each package', async () => {
  const { ctx } = await start()
  const tree = process.env.MNEMOS_TEST_HOST_TREE ?? ''
  const llm = createRequire(join(tree, 'package.json')).resolve('@deepseek-ai/dsh-llm/package.json')
  expect(createRequire(import.meta.url)(realpathSync(llm)).version).toBe(process.env.MNEMOS_TEST_HOST)
  // What our own TypeScript imports is what the host's packages import from one another.
  expect(ctx).toBeInstanceOf(bench.Context)
  expect(ToolArgsError.prototype).toBeInstanceOf(bench.HarnessError)
  expect(sessionFormat()).toBe(process.env.MNEMOS_TEST_HOST === '0.2.1-rc.2' ? 4 : 0)
})

it('shows the model request alike and runs two tool calls of one reply', async () => {
  await start({
    script: (_view, n) =>
      n === 1
        ? {
            reasoning: 'thinking',
            text: 'calling',
            toolCalls: [
              { name: 'bench_echo', args: { text: 'one' } },
              { id: 'mine', name: 'bench_echo', args: { text: 'fail' } },
            ],
          }
        : { text: 'done' },
  })
  const agent = await harness.newAgent()
  expect(await harness.say(agent, 'go')).toBe('done')
  const [first, second] = harness.requests
  expect(first).toMatchObject({ kind: 'main', sessionId: agent.session.id })
  expect(first?.system).toContain('BENCH SECTION')
  expect(first?.tools.map((tool) => tool.name)).toContain('bench_echo')
  expect(first?.messages.at(-1)).toEqual({ role: 'user', text: 'go', calls: [], results: [] })
  expect(second?.messages.slice(-2)).toEqual([
    {
      role: 'assistant',
      text: 'calling',
      calls: [
        { id: 'call_1_0', name: 'bench_echo', args: { text: 'one' } },
        { id: 'mine', name: 'bench_echo', args: { text: 'fail' } },
      ],
      results: [],
    },
    {
      role: 'tool',
      text: '',
      calls: [],
      results: [
        { id: 'call_1_0', text: 'ECHO one', isError: false },
        { id: 'mine', text: 'Error: bench failure', isError: true },
      ],
    },
  ])
  expect(toolResults(agent.session)).toEqual([
    { callId: 'call_1_0', name: 'bench_echo', text: 'ECHO one', isError: false },
    { callId: 'mine', name: 'bench_echo', text: 'Error: bench failure', isError: true, code: 'BENCH' },
  ])
})

it('makes children that the parent owns', async () => {
  const { ctx } = await start()
  const parent = await harness.newAgent()
  const child = await harness.newAgent({ parent, origin: 'subagent' })
  expect(child.session.header).toMatchObject({
    parentSession: parent.session.id,
    origin: 'subagent',
    delegationDepth: 1,
  })
  expect(ctx.agents.roots()).toEqual([parent])
})

it('resumes a stored session in another process-like harness', async () => {
  const sessionsDir = await tempDir('sessions')
  await start({ sessionsDir })
  const agent = await harness.newAgent({ sessionId: 'kept' })
  await harness.say(agent, 'remember me')
  const before = events(agent.session).length
  await harness.end(agent)
  await harness.dispose()
  await start({ sessionsDir })
  const again = await harness.resume('kept')
  expect(events(again.session).length).toBeGreaterThanOrEqual(before)
  await harness.say(again, 'and now')
  expect(harness.requests[0]?.messages.map((message) => message.text)).toEqual([
    'remember me',
    'ok',
    'and now',
  ])
})

it('folds by itself and by command', async () => {
  await start({ contextWindow: 3000, compaction: true, script: () => ({ text: 'word '.repeat(200) }) })
  const agent = await harness.newAgent()
  let turns = 0
  while (eventsOf(agent.session, 'compaction/end').length === 0 && turns < 12) {
    await harness.say(agent, 'word '.repeat(300))
    turns++
  }
  expect(turns).toBeLessThan(12)
  await harness.command(agent, '/compact')
  const folds = eventsOf(agent.session, 'compaction/end')
  expect(folds.map(({ data }) => [data.turn === null, data.error])).toContainEqual([true, undefined])
  expect(harness.requests.some((view) => view.kind === 'compact')).toBe(true)
})

it('answers approvals', async () => {
  const asked: string[] = []
  const { ctx } = await start({
    approval: ({ toolName }) => {
      asked.push(toolName)
      return 'rejected'
    },
    script: (_view, n) =>
      n === 1 ? { toolCalls: [{ name: 'bench_echo', args: { text: 'x' } }] } : { text: 'end' },
  })
  ctx.on('tools/pre-execute', async () => ({ kind: 'ask', reason: 'bench' }))
  const agent = await harness.newAgent()
  await harness.say(agent, 'go')
  expect(asked).toEqual(['bench_echo'])
  expect(toolResults(agent.session)[0]?.isError).toBe(true)
})

it('lets a model failure end the turn', async () => {
  await start({ script: () => ({ error: 'no' }) })
  const agent = await harness.newAgent()
  await harness.say(agent, 'go')
  expect(eventsOf(agent.session, 'turn/end').at(-1)?.data.reason.kind).toBe('error')
})
