/** Issue 11, B and C, through the host's own agent loop: a clock that was ahead, and a deletion in a long-lived host. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holding } from '../support/files.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'
import type { ModelView } from '../support/model-view.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness | undefined
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const YEARS = 3650 * 86_400_000
const shown = (request: ModelView | undefined) => JSON.stringify(request)

describe('a clock that was ahead', () => {
  it('B6 ten years ahead for one session: the next one sees its own decisions', async () => {
    const [data, home] = [await tempDir('data'), await tempDir('home')]
    vi.useFakeTimers({ toFake: ['Date'] })
    const now = Date.now()
    const decide = async (...summaries: string[]) => {
      harness = await startMnemos({ data, home })
      const agent = await harness.newAgent({ sessionId: `session-${summaries[0]}`.replaceAll(' ', '-') })
      for (const summary of summaries) {
        vi.setSystemTime(Date.now() + 1000)
        const stored = await harness.call(agent, 'remember', { kind: 'decision', summary })
        expect(stored.isError).toBe(false)
      }
      await harness.say(agent, 'and now?')
      const view = shown(harness.requests.at(-1))
      await harness.dispose()
      return view
    }
    vi.setSystemTime(now + YEARS)
    await decide('Paint it in the year after', 'Sell it in the year after', 'Move it in the year after')
    vi.setSystemTime(now)
    const view = await decide('Paint it blue', 'Sell it in spring', 'Move it to the shed')
    for (const decision of ['Paint it blue', 'Sell it in spring', 'Move it to the shed'])
      expect(view).toContain(decision)
    vi.setSystemTime(now + 60_000)
    harness = await startMnemos({ data, home })
    const next = await harness.newAgent({ sessionId: 'session-of-the-next' })
    await harness.say(next, 'what was decided?')
    const first = shown(harness.requests.at(-1))
    expect(first).toMatch(/Move it to the shed.*Sell it in spring.*Paint it blue.*3 more not shown/)
    expect(first).not.toContain('in the year after')
    const { value } = await harness.call(next, 'recall', { kind: 'decision' })
    expect(value.hits.slice(0, 3).map((hit: { summary: string }) => hit.summary)).toEqual([
      'Move it to the shed',
      'Sell it in spring',
      'Paint it blue',
    ])
  })
})

describe('a deletion in a long-lived host', () => {
  it('C10 after a remember in the same session leaves nothing to report in a fresh process', async () => {
    const [data, home] = [await tempDir('data'), await tempDir('home')]
    const config = { scanEveryMs: 0 }
    harness = await startMnemos({ data, home, config, approval: () => 'allowed-once' })
    const agent = await harness.newAgent()
    const summary = 'The harbour office closes at nine in the evening'
    const { value } = await harness.call(agent, 'remember', { summary })
    const gone = await harness.call(agent, 'delete', { id: value.id, why: 'no longer wanted' })
    expect(gone.value).toEqual({
      id: value.id,
      deleted: true,
      note: expect.stringMatching(/^"\w+" is deleted, and nothing of it is left in the data folder; .*\.$/),
    })
    // A turn later its folder counts as settled, and the next process will not list it.
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 10_000)
    await harness.say(agent, 'thanks')
    await harness.dispose()

    harness = await startMnemos({ data, home })
    const next = await harness.newAgent({ sessionId: 'session-of-the-next' })
    await harness.say(next, 'good morning')
    expect(shown(harness.requests.at(-1))).not.toMatch(/skipped|restored copy/)
    const found = await harness.call(next, 'recall', { query: 'harbour office' })
    expect(found.text).not.toMatch(/skipped|restored copy/)
    expect(found.value.hits).toEqual([])
    expect(holding(data, 'harbour')).toEqual([])
    expect(readdirSync(join(data, 'pending'))).toEqual([])
  })
})
