/** Guards of the plugin's own edge: what is said once, what may run side by side, and being switched off. */
import { afterEach, expect, it, vi } from 'vitest'
import { apply } from '../../src/plugin.ts'
import { filesBelow } from '../support/files.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'

let harness: MnemosHarness | undefined
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.unstubAllEnvs()
})

it('what is reported stands in one answer of a session, and not in the next', async () => {
  harness = await startMnemos({ config: { recallLimit: 'many' } })
  const agent = await harness.newAgent()
  const first = await harness.call(agent, 'remember', { summary: 'one' })
  expect(first.value.notices).toEqual([expect.stringContaining('recallLimit')])
  const second = await harness.call(agent, 'remember', { summary: 'two' })
  expect(second.value.notices).toBeUndefined()
  // Another session was not told yet.
  const other = await harness.newAgent()
  expect((await harness.call(other, 'recall', { query: 'one' })).value.notices).toHaveLength(1)
})

it('tools that write are not declared safe to run beside others', async () => {
  harness = await startMnemos()
  const { tools } = harness.ctx
  const safe = [
    'remember',
    'recall',
    'open',
    'deprecate',
    'delete',
    'memory_save',
    'memory_view',
    'constitution',
  ].filter((name) => tools.get(name)?.isConcurrencySafe?.({}))
  expect(safe.sort()).toEqual(['constitution', 'memory_view', 'open', 'recall'])
})

it.each(['off', ' OFF '])('MNEMOS=%j touches nothing of the host and nothing on disk', async (value) => {
  vi.stubEnv('MNEMOS', value)
  const touched: string[] = []
  await apply(new Proxy({}, { get: (_, key) => touched.push(String(key)) }) as never, {})
  expect(touched).toEqual([])
  harness = await startMnemos()
  await harness.say(await harness.newAgent(), 'hello')
  expect(harness.ctx.tools.get('remember')).toBeUndefined()
  expect(JSON.stringify(harness.requests)).not.toContain('Mnemos')
  expect(filesBelow(harness.data)).toEqual([])
})
