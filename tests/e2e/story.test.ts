/** The story on the real hosts: the `dsh` command, the packed tarball, separate processes, the person's `mnemos`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { play, SCENES, type Scene } from '../../scripts/story.ts'
import { type FakeModel, startFakeModel } from '../support/fake-model.ts'
import { filesBelow, holding } from '../support/files.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import { tempDir } from '../support/temp.ts'

const run = promisify(execFile)

describe.each(await availableHosts())('the story on $name', (host) => {
  let home = ''
  beforeAll(async () => {
    home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
  })

  /** One process of the real command in the scene's folder. */
  async function scene({ folder, says }: Scene): Promise<{ answer: string; model: FakeModel }> {
    const cwd = join(home, 'work', folder)
    await mkdir(cwd, { recursive: true })
    const model = await startFakeModel(play)
    try {
      const done = await host.run(['--profile', 'headless', says], {
        home,
        cwd,
        env: { ...model.env, LANG: 'en_US.UTF-8' },
      })
      expect(done).toMatchObject({ code: 0, stderr: '' })
      return { answer: done.stdout, model }
    } finally {
      await model.close()
    }
  }

  const data = () => join(home, 'mnemos', 'headless')
  const records = () => filesBelow(join(data(), 'memories')).map(({ path }) => path)
  const mnemos = (...args: string[]) =>
    run(
      process.execPath,
      [join(home, 'profiles/headless/node_modules/dsh-mnemos-continuity/lib/cli/main.js'), ...args],
      {
        env: { PATH: process.env.PATH, HOME: join(home, 'user'), DSH_HOME: home },
      },
    )

  it('carries one fact from a session to the next, corrects it, and lets only the person delete it', async () => {
    const first = await scene(SCENES.remember)
    const [file] = records()
    expect(records()).toHaveLength(1)
    const text = readFileSync(file ?? '', 'utf8')
    expect(text).toMatch(/^summary: The staging database of the billing service listens on port 5433$/m)
    expect(text).toMatch(/^workspace: billing$/m)
    const id = /^id: (\S+)$/m.exec(text)?.[1] ?? ''
    expect(first.answer).toBe(`Remembered as ${id}.\n`)
    const [request] = first.model.requests.filter(({ kind }) => kind === 'main')
    expect(request?.system.startsWith('# Constitution\n')).toBe(true)
    expect(request?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['remember', 'recall', 'open', 'deprecate', 'delete', 'constitution']),
    )

    const second = await scene(SCENES.recall)
    expect(second.answer).toBe(
      'According to my memory: The staging database of the billing service listens on port 5433.\n',
    )

    await scene(SCENES.correct)
    expect(records()).toHaveLength(2)
    expect(readFileSync(file ?? '', 'utf8')).toMatch(/^status: deprecated$/m)

    const refused = await scene(SCENES.delete)
    expect(refused.answer).toContain('nobody is there to ask')
    expect(refused.answer).toContain(`mnemos delete ${id}`)
    expect(records()).toHaveLength(2)

    const shown = JSON.parse((await mnemos('show', id, '--json')).stdout)
    expect(shown).toMatchObject({
      id,
      status: 'deprecated',
      deprecated: { why: 'it was moved, the person said so' },
    })
    await mnemos('delete', id, '--yes')
    expect(records()).toHaveLength(1)
    expect(holding(data(), '5433')).toEqual([])
    await expect(mnemos('show', id)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was deleted'),
    })
    const found = JSON.parse((await mnemos('search', 'staging', 'database', 'port', '--json')).stdout)
    expect(found.hits.map((hit: { summary: string }) => hit.summary)).toEqual([
      'The staging database of the billing service listens on port 6543',
    ])
  })
})
