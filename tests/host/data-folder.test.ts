/**
 * A host whose data folder is broken: the turn goes on, and the model is told in one sentence. What the tools do then is
 * tested in `tests/unit/memory/damage.test.ts`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personContext } from '../../src/store/turn-context.ts'
import { type MnemosHarness, type Outcome, startMnemos } from '../support/mnemos.ts'
import { openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness | undefined
let stderr: string[] = []
beforeEach(() => {
  stderr = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr.push(String(text))
    return true
  })
})
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
async function start(options: Parameters<typeof startMnemos>[0] = {}): Promise<MnemosHarness> {
  harness = await startMnemos({ config: { scanEveryMs: 0 }, ...options })
  return harness
}

const ids = (outcome: Outcome): string[] => outcome.value.hits.map((hit: { id: string }) => hit.id)

/** A data folder with three records of an earlier run. */
async function filled(): Promise<{ data: string; id: string }> {
  const { store, root } = await openStore({ now: Date.now })
  const { records } = await store.commit(
    [
      { summary: 'The heron nests behind the mill', content: 'Seen twice.' },
      { summary: 'The mill closes on Mondays' },
      { summary: '水车在磨坊后面' },
    ].map((record) => ({ act: 'create' as const, record })),
    personContext(),
  )
  store.close()
  return { data: root, id: records[0]?.id ?? '' }
}

describe('a broken data folder', () => {
  it('that is a file refuses writing in one sentence and ends no turn', async () => {
    const place = join(await tempDir('data'), 'file')
    writeFileSync(place, 'I was here first')
    const { newAgent, call, say, requests } = await start({ data: place })
    const agent = await newAgent()
    expect(await say(agent, 'hello')).toBe('ok')
    expect(requests[0]?.messages.some(({ text }) => text.startsWith('[Mnemos: notices]'))).toBe(true)
    const refused = await call(agent, 'remember', { summary: 'lost?' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Nothing was changed.') })
    expect((await call(agent, 'recall', { query: 'anything' })).isError).toBe(false)
    expect(readFileSync(place, 'utf8')).toBe('I was here first')
  })

  it('of a newer version is only read, and that is reported', async () => {
    const { data, id } = await filled()
    writeFileSync(join(data, 'version'), '7\n')
    const before = readdirSync(data, { recursive: true }).sort()
    const { newAgent, call } = await start({ data })
    const agent = await newAgent()
    const opened = await call(agent, 'open', { id })
    expect(opened.value.notices).toEqual([expect.stringMatching(/newer Mnemos \(version 7/)])
    expect(ids(await call(agent, 'recall', { query: 'heron' }))).toEqual([id])
    for (const [name, args] of [
      ['remember', { summary: 'x' }],
      ['deprecate', { id, why: 'x' }],
    ] as const) {
      expect(await call(agent, name, args)).toMatchObject({ isError: true, code: 'READ_ONLY' })
    }
    expect(readdirSync(data, { recursive: true }).sort()).toEqual(before)
    expect(stderr.filter((line) => line.startsWith('mnemos:'))).toHaveLength(1)
  })
})
