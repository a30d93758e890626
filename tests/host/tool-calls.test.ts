/** The tools as a host calls them. What each of them answers is tested in `tests/unit/tools/answers.test.ts`. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { filesBelow } from '../support/files.ts'
import { eventsOf, toolResults } from '../support/in-process.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness
let agent: Agent
/** How the turns in all of them ended. */
const ends: string[] = []

async function start() {
  harness = await startMnemos()
  agent = await harness.newAgent()
}
async function stop() {
  ends.push(...eventsOf(agent.session, 'turn/end').map(({ data }) => data.reason.kind))
  await harness.dispose()
  vi.unstubAllEnvs()
}
/** An empty folder, for a test that depends on there being nothing else. The others share one: a start costs more than they do. */
async function fresh() {
  await stop()
  await start()
}
beforeAll(start)
afterAll(stop)

const call = (name: string, args: unknown) => harness.call(agent, name, args)
const memories = () => filesBelow(join(harness.data, 'memories'))

describe('a call', () => {
  // First of all: the folder is still empty.
  it.each([
    ['a summary over 200 characters', { summary: '长'.repeat(201) }, /at most 200/],
    ['no object', 'just a text', /remember/],
    ['a list', [1, 2], /remember/],
    ['an unknown id', { summary: 'x', supersedes: ['nowhere'] }, /no record "nowhere"/],
  ])('with %s is refused in one sentence and writes nothing', async (_, args, reason) => {
    const refused = await call('remember', args)
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(reason) })
    expect(refused.text).not.toContain('\n')
    expect(readdirSync(harness.data)).not.toContain('memories')
  })

  it('that is refused says why in a code', async () => {
    expect(await call('recall', {})).toMatchObject({ isError: true, code: 'INVALID_INPUT' })
    expect(await call('open', { id: 'nowhere' })).toMatchObject({ isError: true, code: 'NOT_FOUND' })
  })

  it('brings every character there and back', async () => {
    const summary = 'Zero‑width \u200b, right-to-left \u202e, emoji 👩‍👩‍👧, quotes "\'`, {{x}}, --- and #'
    const content = '---\nnot: front matter\n---\n```\nfence\n```\n\ttab\r\nCRLF\rCR\n\n\nend  '
    const { value } = await call('remember', { summary, content })
    const opened = (await call('open', { id: value.id })).value
    expect(opened).toMatchObject({ summary, content: content.replace(/\r\n?/g, '\n') })
    for (const query of ['a\0b', '\ud800 x \udfff', '数据库'.repeat(1_000)])
      expect((await call('recall', { query })).value).toMatchObject({ hits: expect.any(Array) })
  })

  it('stores parallel calls of one step side by side, each under its own id', async () => {
    await fresh()
    const calls = Array.from({ length: 12 }, (_, n) => ({
      name: 'remember',
      args: { summary: `parallel fact ${n}` },
    }))
    const other = await startMnemos({
      data: harness.data,
      script: (_view, n) => (n === 1 ? { toolCalls: calls } : { text: 'done' }),
    })
    const writer = await other.newAgent()
    await other.say(writer, 'go')
    const answers = toolResults(writer.session)
    expect(answers.filter(({ isError }) => isError)).toEqual([])
    const ids = new Set(answers.map(({ text }) => JSON.parse(text).id))
    expect(ids.size).toBe(12)
    expect(memories()).toHaveLength(12)
    expect(eventsOf(writer.session, 'turn/end').at(-1)?.data.reason.kind).toBe('completed')
    await other.dispose()
  })
})

describe('delete', () => {
  it('without anyone to ask is refused with the reason, and the file stays', async () => {
    await fresh()
    const { id } = (await call('remember', { summary: 'keep me' })).value
    const refused = await call('delete', { id, why: 'no reason' })
    expect(refused).toMatchObject({
      isError: true,
      code: 'NOBODY_TO_ASK',
      text: expect.stringContaining(`mnemos delete ${id}`),
    })
    expect(memories()).toHaveLength(1)
  })

  it('shows the person what cannot be seen, and keeps what they refuse', async () => {
    await fresh()
    const asked: string[] = []
    const other = await startMnemos({
      data: harness.data,
      approval: ({ reason }) => {
        asked.push(reason ?? '')
        return 'rejected'
      },
    })
    const asker = await other.newAgent()
    const { id } = (
      await other.call(asker, 'remember', {
        summary: 'safe\u202e looking\u200b text',
        content: 'line\u00a0one\nline two',
      })
    ).value
    expect(await other.call(asker, 'delete', { id, why: 'hidden\u2066 reason' })).toMatchObject({
      isError: true,
      code: 'REFUSED',
    })
    expect(asked).toEqual([
      [
        `Delete the note "safe\\u{202E} looking\\u{200B} text" (${id}) for good?`,
        'Why: "hidden\\u{2066} reason"',
        'Content:',
        '| line\\u{00A0}one',
        '| line two',
        `File: "${memories()[0]?.path}"`,
      ].join('\n'),
    ])
    expect(memories()).toHaveLength(1)
    await other.dispose()
  })
})

it('the schemas of all tools together stay far below the limit of 12,000 characters', async () => {
  await harness.say(agent, 'hello')
  const tools = (harness.requests.at(-1)?.tools ?? []).filter(({ name }) =>
    /^(remember|recall|open|deprecate|delete|constitution|memory_view|memory_save)$/.test(name),
  )
  expect(tools).toHaveLength(8)
  expect(JSON.stringify(tools).length).toBeLessThan(4800) // 8 of 22 tools: their share of the whole
})

describe('a config that keeps workspaces apart', () => {
  it('tells nothing of another workspace: no hit, no record, no chain, no duplicate, no word', async () => {
    await fresh()
    const other = await startMnemos({ data: harness.data, config: { isolate: true } })
    const [clientA, clientB] = [join(await tempDir('a'), 'client-a'), join(await tempDir('b'), 'client-b')]
    for (const folder of [clientA, clientB]) mkdirSync(folder)
    const a = await other.newAgent({ cwd: clientA })
    const b = await other.newAgent({ cwd: clientB })
    const secret = (await other.call(a, 'remember', { summary: 'the zebrafish account is overdrawn' })).value
      .id
    const open = (await other.call(b, 'remember', { summary: 'the goldfish account is in order' })).value.id
    await other.call(a, 'deprecate', { id: secret, why: 'paid', supersededBy: open })
    expect((await other.call(b, 'recall', { query: 'zebrafihs account' })).text).not.toContain('zebrafish')
    expect(await other.call(b, 'open', { id: secret })).toMatchObject({ isError: true, code: 'REFUSED' })
    expect((await other.call(b, 'open', { id: open })).text).not.toContain('zebrafish')
    const again = (await other.call(a, 'remember', { summary: 'said in both' })).value.id
    expect((await other.call(b, 'remember', { summary: 'said in both' })).value.id).not.toBe(again)
    await other.dispose()
  })
})

it('every turn of all this ended well', async () => {
  await call('recall', { query: 'anything' })
  await fresh()
  expect(ends.length).toBeGreaterThan(0)
  expect(new Set(ends)).toEqual(new Set(['completed']))
})
