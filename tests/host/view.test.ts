/** What stands in the request, as the model received it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { approvedHome } from '../support/constitution.ts'
import { events } from '../support/in-process.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness | undefined
async function start(options: Parameters<typeof startMnemos>[0] = {}): Promise<MnemosHarness> {
  harness = await startMnemos(options)
  return harness
}
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.unstubAllEnvs()
})

const head = ({ system, tools }: { system: string; tools: unknown }) => JSON.stringify({ system, tools })

describe('the head of the request', () => {
  it('is byte-identical over 20 turns without writes, and nothing is added to the conversation', async () => {
    const { newAgent, say, requests } = await start()
    const agent = await newAgent()
    for (let turn = 0; turn < 20; turn++) await say(agent, `turn ${turn}`)
    expect(requests).toHaveLength(20)
    expect(new Set(requests.map(head)).size).toBe(1)
    for (const [at, request] of requests.entries()) {
      const before = requests[at - 1]?.messages ?? []
      expect(JSON.stringify(request.messages.slice(0, before.length))).toBe(JSON.stringify(before))
    }
    const types = events(agent.session).map(({ type }) => type)
    expect(types.filter((type) => type === 'request/header')).toHaveLength(1)
    expect(types.filter((type) => type === 'user/message').length).toBeLessThanOrEqual(21) // the host adds its own context
  })

  it('stays as it is while records are written', async () => {
    const { newAgent, call, requests } = await start()
    const agent = await newAgent()
    for (let n = 0; n < 5; n++) await call(agent, 'remember', { summary: `fact number ${n}` })
    expect(new Set(requests.map(head)).size).toBe(1)
  })

  it('begins with the constitution, and the template says that it is one', async () => {
    const { newAgent, say, requests } = await start()
    await say(await newAgent(), 'hello')
    expect(requests[0]?.system.startsWith('# Constitution\n')).toBe(true)
    expect(requests[0]?.system).toContain('Not initialised: this is the template')
  })

  it('speaks the configured language', async () => {
    const { newAgent, say, requests } = await start({ config: { language: 'zh' } })
    await say(await newAgent(), 'hello')
    expect(requests[0]?.system.startsWith('# 宪法\n')).toBe(true)
  })

  it('reports in the configured language', async () => {
    const { newAgent, say, requests } = await start({ config: { language: 'zh', noSuchKey: 1 } })
    await say(await newAgent(), 'hello')
    const notices = requests[0]?.messages.find(({ text }) => text.startsWith('[Mnemos: notices]'))?.text
    expect(notices).toContain('配置中的键“noSuchKey”未知，已忽略')
  })
})

/** What the harness starts from where the person approved a constitution. */
async function withConstitution(text: string): Promise<{ data: string; home: string }> {
  const { layout, dshHome } = await approvedHome(text)
  return { data: layout.root, home: dshHome }
}

describe('the person’s own constitution', () => {
  it.each([
    ['an unknown variable', 'Be kind to {{everyone}} and {{ provider }}.'],
    ['unclosed braces', 'Never close {{ these'],
    ['closing braces alone', 'They }} end here'],
    ['nested braces', '{{{{x}}}} {{mnemos_constitution}}'],
    ['dollar patterns', "$& $1 $$ $` $'"],
    ['fences and role markers', '```\n<|im_start|>system\nassistant: no\n```\n</system>'],
  ])('stands in the request as it is written: %s', async (_, text) => {
    const { newAgent, say, requests } = await start(await withConstitution(`# Mine\n\n${text}`))
    expect(await say(await newAgent(), 'hello')).toBe('ok')
    expect(requests[0]?.system.startsWith(`# Mine\n\n${text}\n`)).toBe(true)
    expect(requests[0]?.system).not.toContain('Not initialised')
  })

  it('is read by section through its tool', async () => {
    const { newAgent, call } = await start(
      await withConstitution('# Mine\n\n## First\n\nOne.\n\n## Second\n\nTwo.'),
    )
    const agent = await newAgent()
    expect((await call(agent, 'constitution', { section: 'second' })).value).toMatchObject({
      initialised: true,
      version: '1',
      text: '## Second\n\nTwo.',
    })
    expect(await call(agent, 'constitution', { section: 'third' })).toMatchObject({
      isError: true,
      code: 'NOT_FOUND',
      text: expect.stringContaining('It has: Mine, First, Second.'),
    })
  })
})

describe('what is reported', () => {
  it('is shown once, survives a resume, and is withdrawn when it is repaired', async () => {
    const data = await tempDir('data')
    const sessionsDir = await tempDir('sessions')
    mkdirSync(join(data, 'memories'), { recursive: true })
    const broken = join(data, 'memories', 'broken.md')
    writeFileSync(broken, '---\nsummary: [\n---\n')
    const { newAgent, say, end, resume, requests } = await start({
      data,
      sessionsDir,
      config: { scanEveryMs: 0 },
    })
    const shown = () =>
      requests
        .at(-1)
        ?.messages.filter(({ text }) => text.startsWith('[Mnemos: notices]'))
        .map(({ text }) => text)
    const agent = await newAgent()
    await say(agent, 'one')
    await say(agent, 'two')
    expect(shown()).toHaveLength(1)
    expect(shown()?.[0]).toContain('broken.md')
    await end(agent)
    const again = await resume(agent.session.id)
    await say(again, 'three')
    expect(shown()).toHaveLength(1)
    writeFileSync(broken, 'repaired now')
    await say(again, 'four')
    await say(again, 'five')
    expect(shown()?.at(-1)).toContain('Nothing any more')
    expect(shown()).toHaveLength(2)
  })

  it('is told of a bad config key, whose default stays in force', async () => {
    const { newAgent, say, call, requests } = await start({
      config: { recallLimit: 'many', colour: 'red', giantBytes: 2048 },
    })
    const agent = await newAgent()
    await say(agent, 'hello')
    const notice = requests[0]?.messages.find(({ text }) => text.startsWith('[Mnemos: notices]'))?.text
    expect(notice).toMatch(/"recallLimit" is not valid .* default 8 is in force/)
    expect(notice).toMatch(/"colour" is unknown/)
    expect((await call(agent, 'remember', { summary: 'still works' })).isError).toBe(false)
  })

  it.each([
    ['a list', [1]],
    ['a word', 'nonsense'],
    ['a number', 5],
  ])('a config that is %s stops nothing', async (_, config) => {
    const { newAgent, say } = await start({ config })
    expect(await say(await newAgent(), 'hello')).toBe('ok')
  })
})

describe('children', () => {
  it('get the constitution and no notices, and cannot delete', async () => {
    const data = await tempDir('data')
    mkdirSync(join(data, 'memories'), { recursive: true })
    writeFileSync(join(data, 'memories', 'broken.md'), Buffer.alloc(0))
    const { newAgent, call, requests } = await start({ data, approval: () => 'allowed-once' })
    const parent = await newAgent()
    const child = await newAgent({ parent, origin: 'subagent' })
    const stored = await call(child, 'remember', { summary: 'what the child found' })
    expect(stored.value.status).toBe('active')
    expect(requests[0]?.system.startsWith('# Constitution\n')).toBe(true)
    expect(requests[0]?.messages.some(({ text }) => text.startsWith('[Mnemos:'))).toBe(false)
    expect(await call(child, 'delete', { id: stored.value.id, why: 'x' })).toMatchObject({
      isError: true,
      code: 'REFUSED',
    })
    expect((await call(parent, 'open', { id: stored.value.id })).value).toMatchObject({
      author: 'scripted/scripted child',
    })
  })
})
