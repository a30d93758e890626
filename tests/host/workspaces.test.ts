/** Sessions in several folders of one repository are one workspace. */
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { git, repository } from '../support/git.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness
afterEach(async () => {
  await harness.dispose()
  vi.unstubAllEnvs()
})

it('D18 a session in a second clone finds and is found, in view and by recall, and one elsewhere does not', async () => {
  const home = await tempDir('home')
  const first = repository(join(home, 'first'))
  const second = join(home, 'second')
  harness = await startMnemos({ config: { isolate: true } })
  const decide = async (cwd: string, summary: string) => {
    const agent = await harness.newAgent({ cwd })
    const { value } = await harness.call(agent, 'remember', { summary, kind: 'decision' })
    return { agent, id: value.id }
  }
  const one = await decide(first, 'we ship the kettle in green')
  git(first, 'remote', 'add', 'origin', 'git@github.com:Owner/kettle.git')
  git(home, 'clone', '-q', first, 'second')
  git(second, 'remote', 'set-url', 'origin', 'https://github.com/owner/kettle')
  const two = await decide(second, 'we ship the lid in blue')
  expect((await harness.call(two.agent, 'open', { id: one.id })).value.summary).toContain('kettle in green')
  for (const [{ agent }, other] of [
    [one, 'lid in blue'],
    [two, 'kettle in green'],
  ] as const) {
    expect((await harness.call(agent, 'recall', { query: 'ship' })).value.hits).toHaveLength(2)
    expect(JSON.stringify(harness.requests.at(-1))).toContain(other)
  }
  const elsewhere = await harness.newAgent({
    cwd: repository(join(home, 'third'), 'git@github.com:other/kettle'),
  })
  expect((await harness.call(elsewhere, 'recall', { query: 'ship' })).value.hits).toEqual([])
  expect(await harness.call(elsewhere, 'open', { id: one.id })).toMatchObject({
    isError: true,
    code: 'REFUSED',
    text: expect.stringContaining('belongs to the workspace'),
  })
  expect(JSON.stringify(harness.requests.at(-1))).not.toContain('lid in blue')
})
