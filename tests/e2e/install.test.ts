/** What people do: `dsh plugin add` of the packed tarball, on both hosts, with pnpm 10 and pnpm 11, nothing to approve. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { type FakeModel, startFakeModel } from '../support/fake-model.ts'
import { filesBelow, holding } from '../support/files.ts'
import { availableHosts, type Host, installPlugin, TROUBLE } from '../support/hosts.ts'
import type { Script } from '../support/model-view.ts'
import { tempDir } from '../support/temp.ts'

const call = (name: string, args: unknown) => ({ toolCalls: [{ name, args }] })

/** One headless run of a scripted model. */
async function headless(host: Host, home: string, script: Script, env: Record<string, string> = {}) {
  const model = await startFakeModel(script)
  try {
    const done = await host.run(['--profile', 'headless', 'go on'], { home, env: { ...model.env, ...env } })
    return { ...done, model }
  } finally {
    await model.close()
  }
}

const lastResult = (model: FakeModel) =>
  model.requests
    .findLast(({ kind }) => kind === 'main')
    ?.messages.findLast(({ results }) => results.length > 0)?.results[0]?.text ?? ''

const remembers: Script = (_view, n) =>
  n === 1 ? call('remember', { summary: 'it was installed' }) : { text: 'done' }

describe.each(await availableHosts())('on $name', (host) => {
  it.each(['10', '11'] as const)('pnpm %s installs it and it works, silently', async (pnpm) => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'), { pnpm })
    const first = await headless(host, home, remembers)
    expect(first).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' })
    expect(first.model.requests.find(({ kind }) => kind === 'main')?.system).toMatch(
      /^# (Constitution|宪法)\n[\s\S]*\n# (Discipline|纪律)\n/,
    )
    const second = await headless(host, home, (_view, n) =>
      n === 1 ? call('recall', { query: 'installed' }) : { text: 'done' },
    )
    expect(JSON.parse(lastResult(second.model)).hits).toMatchObject([{ summary: 'it was installed' }])
  })

  it('another build of the same version is put in by removing the plugin first: config and memory stay', async () => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
    const patch = join(home, 'profiles', 'headless', 'cordis.patch.yml')
    writeFileSync(patch, '- id: mnemos\n  config:\n    dataDir: kept\n')
    await headless(host, home, remembers)
    const gone = await host.run(['plugin', '--profile', 'headless', 'remove', 'dsh-mnemos-continuity'], {
      home,
      timeoutMs: 180_000,
    })
    expect(gone.code).toBe(0)
    expect(readFileSync(patch, 'utf8')).toContain('dataDir: kept')
    expect(holding(join(home, 'kept', 'memories'), 'it was installed')).not.toEqual([])
    await installPlugin(host, home, 'headless', inject('tarball'))
    const again = await headless(host, home, (_view, n) =>
      n === 1 ? call('recall', { query: 'installed' }) : { text: 'done' },
    )
    expect(JSON.parse(lastResult(again.model)).hits).toMatchObject([{ summary: 'it was installed' }])
  })

  it('a config that is wrong, MNEMOS=off and MNEMOS_DATA do what they say', async () => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
    const patch = join(home, 'patch.yml')
    writeFileSync(patch, '- id: mnemos\n  config:\n    recallLimit: lots\n    nonsense: true\n')
    const model = await startFakeModel(remembers)
    const bad = await host.run(['--profile', 'headless', '--patch', patch, 'go on'], { home, env: model.env })
    await model.close()
    expect(bad).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(bad.stderr).not.toMatch(TROUBLE)
    expect(bad.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^mnemos: .*"recallLimit" is not valid.*"nonsense" is unknown/),
    ])

    const off = await headless(host, home, () => ({ text: 'done' }), { MNEMOS: 'off' })
    expect(off).toMatchObject({ code: 0, stderr: '' })
    expect(off.model.requests[0]?.tools.some(({ name }) => name === 'remember')).toBe(false)
    expect(off.model.requests[0]?.system).not.toContain('# Constitution')

    const elsewhere = await tempDir('elsewhere')
    await headless(host, home, remembers, { MNEMOS_DATA: elsewhere })
    expect(filesBelow(join(elsewhere, 'memories'))).toHaveLength(1)
  })

  it('where the person has switched all asking off, delete and memory_save run and say that nobody was asked', async () => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
    const done = await headless(
      host,
      home,
      (view, n) => {
        const results = view.messages.flatMap((message) => message.results)
        if (n === 1) return call('remember', { summary: 'soon forgotten' })
        if (n === 2) return call('delete', { id: JSON.parse(results.at(-1)?.text ?? '{}').id, why: 'a test' })
        if (n === 3)
          return call('memory_save', { mode: 'create', name: 'x', type: 'user', summary: 'saved unasked' })
        return { text: JSON.stringify(results.slice(1).map(({ text }) => JSON.parse(text))) }
      },
      { DSH_PERMISSION_MODE: 'danger-full-access' },
    )
    const warnings = [expect.stringContaining('Nobody was asked')]
    expect(JSON.parse(done.stdout)).toMatchObject([
      { deleted: true, unasked: true, warnings },
      { saved: true, unasked: true, warnings },
    ])
    expect(holding(join(home, 'mnemos'), 'forgotten')).toEqual([])
    expect(holding(join(home, 'mnemos'), 'saved unasked')).toEqual([
      join(home, 'mnemos/headless/user-memory/x.md'),
    ])
  })

  it('where the SQLite driver cannot load, writing and opening go on and recall says so in one sentence', async () => {
    const home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
    const driver = filesBelow(join(home, 'profiles/headless/node_modules')).filter(({ path }) =>
      path.endsWith('.node'),
    )
    expect(driver.length).toBeGreaterThan(0)
    for (const { path } of driver) rmSync(path)
    const done = await headless(host, home, (view, n) => {
      const results = view.messages.flatMap((message) => message.results)
      if (n === 1) return call('remember', { summary: 'written without a driver' })
      if (n === 2) return call('open', { id: JSON.parse(results.at(-1)?.text ?? '{}').id })
      if (n === 3) return call('recall', { query: 'driver' })
      return { text: JSON.stringify(results.map(({ text }) => text)) }
    })
    expect(done.code).toBe(0)
    const [stored, opened, found] = JSON.parse(done.stdout)
    expect(JSON.parse(stored)).toMatchObject({ status: 'active' })
    expect(JSON.parse(opened)).toMatchObject({ summary: 'written without a driver' })
    expect(found).toMatch(
      /^Error: Recall does not work just now: .*driver.*does not load.*Writing and opening by id go on\.$/,
    )
    expect(filesBelow(join(home, 'mnemos/headless/memories'))).toHaveLength(1)
    expect(done.stderr.trim().split('\n')).toHaveLength(1)
  })
})
