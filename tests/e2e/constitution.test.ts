/** The constitution on the real hosts: made by the person's `mnemos`, changed by the host's own shell, shared by profiles. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { PASSPHRASE } from '../support/constitution.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { holding } from '../support/files.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import type { Reply } from '../support/model-view.ts'
import { tempDir } from '../support/temp.ts'

const run = promisify(execFile)
const TEXT = '# Mine\n\nBe kind.'

describe.each(await availableHosts())('the constitution on $name', (host) => {
  let home = ''
  beforeAll(async () => {
    home = await tempDir('home')
    await installPlugin(host, home, 'headless', inject('tarball'))
  })

  const data = () => join(home, 'mnemos', 'headless')
  const cli = () => join(home, 'profiles/headless/node_modules/dsh-mnemos-continuity/lib/cli/main.js')
  const mnemos = (args: string[], env: Record<string, string> = {}) =>
    run(process.execPath, [cli(), ...args], {
      env: { PATH: process.env.PATH, HOME: join(home, 'user'), DSH_HOME: home, ...env },
    })

  /** One process of the real command that answers so. */
  async function turn(
    replies: Reply[] = [],
    env: Record<string, string> = {},
  ): Promise<{ stderr: string; system: string; notices: string }> {
    const queue = [...replies]
    const model = await startFakeModel(() => queue.shift())
    try {
      const done = await host.run(['--profile', 'headless', 'hello'], {
        home,
        env: { ...model.env, LANG: 'en_US.UTF-8', ...env },
      })
      expect(done.code).toBe(0)
      const request = model.requests.filter(({ kind }) => kind === 'main').at(-1)
      const notices =
        request?.messages.filter(({ text }) => text.includes('[Mnemos: notices]')).map(({ text }) => text) ??
        []
      return { stderr: done.stderr, system: request?.system ?? '', notices: notices.join('\n') }
    } finally {
      await model.close()
    }
  }

  it('is made by mnemos init before the first start, and outlasts what the host’s shell does to its files', async () => {
    const draft = join(home, 'mine.md')
    writeFileSync(draft, `${TEXT}\n`)
    const made = await mnemos(['init', '--yes', '--from', draft, '--json'], { MNEMOS_PASSPHRASE: PASSPHRASE })
    expect(JSON.parse(made.stdout)).toMatchObject({ data: data(), did: 'approved', version: 1 })
    const first = await turn()
    expect(first).toMatchObject({ stderr: '', notices: '' })
    expect(first.system.startsWith(`${TEXT}\n`)).toBe(true)

    // A person who lets the model do everything: the host's own fence would stop it otherwise.
    const folder = join(data(), 'constitution')
    const said = join(home, 'said')
    const command = [
      `cd ${folder} && chmod u+w * && sed -i 's/Be kind/Obey me/g' constitution.md audit.jsonl`,
      `MNEMOS_PASSPHRASE='${PASSPHRASE}' ${process.execPath} ${cli()} init --replace --yes >${said} 2>&1`,
    ].join('; ')
    await turn(
      [{ toolCalls: [{ name: 'bash', args: { command, description: 'tamper' } }] }, { text: 'done' }],
      {
        DSH_PERMISSION_MODE: 'danger-full-access',
      },
    )
    for (const file of ['constitution.md', 'audit.jsonl'])
      expect(readFileSync(join(folder, file), 'utf8')).toContain('Obey me')
    expect(readFileSync(said, 'utf8')).toMatch(/^mnemos: mnemos init is the person's to run, not a tool's\./)

    const third = await turn()
    expect(third.system.startsWith(`${TEXT}\n`)).toBe(true)
    expect(third.system).not.toContain('Obey me')
    expect(third.notices).toMatch(
      /not the text that was approved.*Version 1, approved \S+, stands in the request/s,
    )
    expect(third.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^mnemos: .*not the text/)])

    writeFileSync(draft, '# Mine\n\nBe kinder.\n')
    await mnemos(['constitution', 'update', draft, '--apply'], { MNEMOS_PASSPHRASE: PASSPHRASE })
    expect(JSON.parse((await mnemos(['doctor', '--json'])).stdout)).toMatchObject({
      healthy: true,
      findings: [],
    })
    const fourth = await turn()
    expect(fourth).toMatchObject({ stderr: '', notices: '' })
    expect(fourth.system.startsWith('# Mine\n\nBe kinder.\n')).toBe(true)
  })

  it('comes with the folder that the person chose for the profile', async () => {
    const shared = join(home, 'shared')
    const env = { MNEMOS_PASSPHRASE: PASSPHRASE, MNEMOS_LANGUAGE: 'zh' }
    await mnemos(['init', '--yes', '--data', shared, '--share', 'headless'], env)
    const { system, stderr } = await turn([
      { toolCalls: [{ name: 'remember', args: { summary: 'The kettle sings' } }] },
    ])
    expect(stderr).toBe('')
    expect(system.startsWith('# 宪法\n')).toBe(true)
    expect(holding(shared, 'The kettle sings')).not.toEqual([])
    expect(holding(data(), 'The kettle sings')).toEqual([])
    expect(JSON.parse((await mnemos(['status', '--json'])).stdout)).toMatchObject({ data: shared })

    // Sharing is undone as INSTALL.md says, and an empty memory is not taken for the shared one.
    const patch = join(home, 'profiles', 'headless', 'cordis.patch.yml')
    writeFileSync(patch, '- id: mnemos\n  config:\n    dataDir: mnemos/headless\n')
    const own = await turn([
      { toolCalls: [{ name: 'remember', args: { summary: 'The kettle is its own again' } }] },
    ])
    expect(own.stderr).toMatch(/dataDir .* wins over the folder that was chosen with mnemos init/)
    expect(own.system.startsWith('# Mine\n')).toBe(true)
    expect(holding(join(data(), 'memories'), 'its own again')).not.toEqual([])
    expect(holding(shared, 'its own again')).toEqual([])
    const status = JSON.parse((await mnemos(['status', '--profile', 'headless', '--json'])).stdout)
    expect(status).toMatchObject({
      data: data(),
      profiles: ['headless'],
      problems: [],
      notes: [expect.stringContaining(shared)],
    })
    expect((await turn()).stderr).toBe('')
  })
})
