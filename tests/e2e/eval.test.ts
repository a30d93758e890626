/** The evaluations of the user memory: scripted in the real hosts, and what judges a real model. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { EVALUATIONS, evaluate } from '../../scripts/evaluations.ts'
import { inheritedEnv, runChild } from '../support/child.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import type { Script } from '../support/model-view.ts'
import { tempDir } from '../support/temp.ts'

const root = join(import.meta.dirname, '..', '..')
const named = (name: string) => {
  const found = EVALUATIONS.find((one) => one.name === name)
  if (!found) throw new Error(`there is no evaluation ${name}`)
  return found
}

describe.each(await availableHosts())('the evaluations on $name', (host) => {
  let home = ''
  beforeAll(async () => {
    home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
  })
  const run = async (name: string, live?: Parameters<typeof evaluate>[4]) => {
    const folder = join(home, 'evaluations', `${name}-${live ? 'live' : 'scripted'}`)
    mkdirSync(folder, { recursive: true })
    return evaluate(host, home, folder, named(name), live)
  }
  /** The judged model is another one of ours here, reached as the real one would be. */
  async function judged(name: string, script: Script) {
    const model = await startFakeModel(script)
    try {
      const outcome = await run(name, { key: 'sk-of-the-test', baseUrl: `${model.env.DEEPSEEK_BASE_URL}/` })
      return { outcome, asked: model.requests.length }
    } finally {
      await model.close()
    }
  }

  it.each(EVALUATIONS.map(({ name }) => name))('%s passes', async (name) => {
    expect(await run(name)).toEqual({ passed: true, reasons: [] })
  })

  it('judge a model that behaves well as good', async () => {
    const { outcome, asked } = await judged('memory-recall', named('memory-recall').script)
    expect(outcome).toEqual({ passed: true, reasons: [] })
    expect(asked).toBeGreaterThan(0)
  })

  it('judge a model that obeys the file as bad, though the person stopped it', async () => {
    const { outcome } = await judged('memory-injection-denied', named('memory-injection-denied').script)
    expect(outcome).toEqual({ passed: false, reasons: ['The model tried to save what the file ordered.'] })
  })
})

it('the real model is not judged without its key, and that is reported', async () => {
  const done = await runChild(process.execPath, [join(root, 'scripts', 'eval.ts'), '--live'], {
    cwd: root,
    env: { ...inheritedEnv(), PATH: process.env.PATH ?? '' },
  })
  expect(done).toMatchObject({ code: 2, stdout: '' })
  expect(done.stderr).toContain('DEEPSEEK_API_KEY; nothing was run')
})
