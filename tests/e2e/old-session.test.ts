/** A session that an older host wrote, with every kind of message that we put into one, goes on in the newer host. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, expect, inject, it } from 'vitest'
import { mountView } from '../../src/host/view.ts'
import { View } from '../../src/view/view.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { host02, installPlugin, TROUBLE } from '../support/hosts.ts'
import { type Harness, sessionFormat, startHarness } from '../support/in-process.ts'
import { tempDir } from '../support/temp.ts'

let harness: Harness | undefined
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
})

const newer = await host02()
const many = (from: number) =>
  Array.from({ length: 60 }, (_, n) => `- entry ${from + n}: ${'x'.repeat(50)}`).join('\n')

/** A session of 0.1.0-rc.8 that holds a part as it stands, one withdrawn, changes of one, and a section as a message. */
async function oldSession(sessionsDir: string, cwd: string): Promise<string> {
  const texts: Record<string, string> = { head: 'The head.', small: '- one', big: many(0) }
  const plugin = {
    name: 'view',
    inject: ['systemPrompt', 'agents', 'sessions'],
    apply(ctx: Context) {
      const view = new View(
        () => 'en',
        (name, reason) => {
          throw new Error(`${name}: ${reason}`)
        },
      )
      for (const [name, place] of [
        ['head', 'system'],
        ['small', 'message'],
        ['big', 'message'],
      ] as const)
        view.register({ name, place, audience: ['main'], order: 1, text: () => texts[name] ?? '' })
      mountView(
        ctx,
        view,
        { freshen: async () => {}, workspaceOf: async () => undefined },
        (where, error) => {
          throw new Error(`${where}: ${error}`)
        },
      )
    },
  }
  harness = await startHarness({ sessionsDir, plugins: [plugin] })
  const setup = async (ctx: Context) => {
    ctx.systemPrompt.section({ name: 'deployment:persona', order: 0, complete: true, text: 'Only this.' })
  }
  const agent = await harness.newAgent({ sessionId: 'written-on-rc8', cwd, setup: setup as never })
  await harness.say(agent, 'one')
  texts.small = ''
  texts.big = many(1)
  await harness.say(agent, 'two')
  await harness.end(agent)
  const sent = harness.requests
    .at(-1)
    ?.messages.flatMap(({ text }) => /^\[Mnemos: ([^\]]+)\]/.exec(text)?.[1] ?? [])
  expect(sent).toEqual(['big', 'head', 'small', 'big, changes', 'small'])
  return agent.session.id
}

it.skipIf(newer === undefined)('is migrated, shown whole, and taken on', async () => {
  expect(sessionFormat()).toBe(0)
  const home = await tempDir('home')
  const cwd = join(home, 'work')
  await mkdir(cwd)
  const id = await oldSession(join(home, 'sessions'), cwd)
  // Only the unpacked host can migrate an older session.
  const host = (newer as NonNullable<typeof newer>).unpacked
  await installPlugin(host, home, 'headless', inject('tarball'))
  const model = await startFakeModel(() => ({ text: 'gone on' }))
  try {
    for (const words of ['three', 'four']) {
      const done = await host.run(['--profile', 'headless', '--session-id', id, words], {
        home,
        env: model.env,
      })
      expect(done).toEqual({ ...done, code: 0, stdout: 'gone on\n' })
      expect(done.stderr).not.toMatch(TROUBLE)
    }
  } finally {
    await model.close()
  }
  const main = model.requests.filter(({ kind }) => kind === 'main')
  const texts = main.at(-1)?.messages.map(({ text }) => text) ?? []
  for (const said of ['one', 'two', 'three', 'four']) expect(texts).toContain(said)
  for (const label of ['head', 'small', 'big', 'big, changes'])
    expect(texts.filter((text) => text.startsWith(`[Mnemos: ${label}]`)).length, label).toBeGreaterThan(0)
  // A changed system prompt reaches the model as a message in the history, so that the head stays as it was.
  expect(JSON.stringify(main.at(-1)?.raw)).toContain('# Constitution')
})
