/** Proves the bench, not the plugin: the real hosts run an installed package, and the fake model sees it. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, installPlugin, TROUBLE } from '../support/hosts.ts'
import { packFolder } from '../support/pack-folder.ts'
import { tempDir } from '../support/temp.ts'

const PROBE = join(import.meta.dirname, '..', 'fixtures', 'probe-plugin')
let tarball = ''
beforeAll(async () => {
  tarball = await packFolder(PROBE, await tempDir('probe'))
})

afterEach(() => {
  vi.unstubAllEnvs()
})

describe.each(await availableHosts())('$name', (host) => {
  it('is the version that it is called', async () => {
    const done = await host.run(['--version'], { home: await tempDir('home') })
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(host.name) })
  })

  it('runs a package that was installed, headless', async () => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', tarball)
    const model = await startFakeModel((_view, n) =>
      n === 1
        ? {
            reasoning: 'thinking',
            toolCalls: [
              { name: 'probe_echo', args: { text: 'hello' } },
              { name: 'probe_echo', args: { text: 'fail' } },
            ],
          }
        : { text: 'the end' },
    )
    try {
      const done = await host.run(['--profile', 'headless', 'say hello'], { home, env: model.env })
      expect(done).toMatchObject({ code: 0, stdout: 'the end\n' })
      expect(done.stderr).not.toMatch(TROUBLE)
    } finally {
      await model.close()
    }
    const [first, second] = model.requests.filter((view) => view.kind === 'main')
    expect(first?.system).toContain('PROBE SECTION')
    expect(first?.sessionId).toBeTruthy()
    // Not the last: the runtime context of the host follows it.
    expect(first?.messages).toContainEqual({ role: 'user', text: 'say hello', calls: [], results: [] })
    expect(first?.tools.find((tool) => tool.name === 'probe_echo')).toMatchObject({
      description: 'Gives back the text that it was given.',
      parameters: { type: 'object', required: ['text'] },
    })
    expect(second?.messages.at(-2)?.calls.map((call) => call.args)).toEqual([
      { text: 'hello' },
      { text: 'fail' },
    ])
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [
        { text: 'ECHO hello', isError: false },
        { text: 'Error: probe failure', isError: true },
      ],
    })
    expect(model.requests.filter((view) => view.kind === 'title')).toHaveLength(1)
  })

  // rc.8 does not look at the range.
  if (host.name === '0.2.1-rc.2')
    it('takes a refused installation for a failure', async () => {
      const folder = await tempDir('refused')
      await cp(PROBE, folder, { recursive: true })
      const manifest = JSON.parse(await readFile(join(PROBE, 'package.json'), 'utf8'))
      manifest.peerDependencies = { '@deepseek-ai/dsh': '<0.1.0' }
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
      const refused = await packFolder(folder, await tempDir('probe'))
      await expect(installPlugin(host, await tempDir('home'), 'headless', refused)).rejects.toThrow(
        'incompatible',
      )
    })

  it('keeps the child away from the real home and from settings around it', async () => {
    vi.stubEnv('DEEPSEEK_BASE_URL', 'http://127.0.0.1:9')
    vi.stubEnv('DSH_PERMISSION_MODE', 'danger-full-access')
    vi.stubEnv('MNEMOS_ANYTHING', '1')
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', tarball)
    const model = await startFakeModel((_view, n) =>
      n === 1 ? { toolCalls: [{ name: 'probe_env', args: {} }] } : { text: 'end' },
    )
    try {
      const done = await host.run(['--profile', 'headless', 'go'], { home, env: model.env })
      expect(done).toMatchObject({ code: 0, stdout: 'end\n' })
    } finally {
      await model.close()
    }
    const seen: Record<string, string> = JSON.parse(
      model.requests.findLast((view) => view.kind === 'main')?.messages.at(-1)?.results[0]?.text ?? '{}',
    )
    expect(seen).toMatchObject({ HOME: join(home, 'user'), DSH_HOME: home, ...model.env })
    expect(
      Object.keys(seen).filter((name) => /^(?:MNEMOS|VITEST|npm_package)_|^DSH_PERMISSION/.test(name)),
    ).toEqual([])
    expect(seen.PATH).not.toContain(join(process.cwd(), 'node_modules', '.bin'))
  })

  it('ends with an error when the model refuses', async () => {
    const model = await startFakeModel(() => ({ status: 400, error: 'refused by the script' }))
    try {
      const done = await host.run(['--profile', 'headless', 'hi'], {
        home: await tempDir('home'),
        env: model.env,
      })
      expect(done.code).toBe(1)
      expect(done.stderr).toContain('refused by the script')
    } finally {
      await model.close()
    }
  })
})
