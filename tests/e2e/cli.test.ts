/** The commands as a person and a script run them, from the built file: what is on each stream, and the exit code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { ledgerCommand } from '../../src/cli/ledger.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { standing } from '../../src/constitution/standing.ts'
import { layoutOf } from '../../src/files/layout.ts'
import { personContext } from '../../src/store/turn-context.ts'

import { waitingFolder } from '../support/candidates.ts'
import { inProcess, runCli } from '../support/cli.ts'
import { PASSPHRASE } from '../support/constitution.ts'
import { holding } from '../support/files.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const note = (root: string, id: string, text: string) => {
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', `${id}.md`), text)
}

describe('as a process', () => {
  it('answers on stdout alone and says by its exit code how it went', async () => {
    const root = await tempDir('store')
    const home = await tempDir('home')
    note(root, 'kettle', 'The kettle whistles')
    const env = { DSH_HOME: home, EDITOR: 'sed -i s/whistles/sings/' }
    const run = (...args: string[]) => runCli(['--data', root, ...args], env)
    const [recent, edited, nothing, noWhy, inside] = await Promise.all([
      run('recent', '--json'),
      run('edit', 'kettle'),
      run('deprecate', 'nothing', '--why', 'gone'),
      run('deprecate', 'kettle'),
      run('export', join(root, 'x.jsonl'), '--json'),
    ])
    expect(JSON.parse(recent.stdout)).toMatchObject([{ id: 'kettle' }])
    expect(recent).toMatchObject({ code: 0, stderr: '' })
    expect(edited).toMatchObject({ code: 0, stdout: 'Stored kettle.\n', stderr: '' })
    expect(nothing).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('no record "nothing"'),
    })
    expect(noWhy).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--why') })
    expect(inside.code).toBe(4)
    expect(JSON.parse(inside.stdout).error.code).toBe('REFUSED')
  })

  it('answers on stdout alone, says by its exit code how it went, and is refused inside the host’s shell', async () => {
    const { root } = await waitingFolder()
    const home = await tempDir('home')
    const run = (args: string[], env: Record<string, string> = {}) =>
      runCli(['--data', root, ...args], { DSH_HOME: home, ...env })
    const [listed, inside, unfit] = await Promise.all([
      run(['candidates', '--json']),
      run(['accept', 'unsure'], { DSH_SHELL: '1' }),
      run(['dismiss', 'plain']),
    ])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id: 'untrusted', reason: 'untrusted' },
      { id: 'overflow', reason: 'overflow' },
      { id: 'unsure', reason: 'unconfirmed', exposedTo: ['web'] },
      { id: 'outside', reason: 'unconfirmed', source: 'external' },
    ])
    expect(inside).toMatchObject({ code: 4, stdout: '' })
    expect(inside.stderr).toContain("accept is the person's to run")
    expect(unfit).toMatchObject({ code: 4, stdout: '' })
    expect(unfit.stderr).toContain('mnemos deprecate plain')
  })
})

describe('the command', () => {
  it('is there, with its exit codes, and prints no colour into a pipe', async () => {
    const dshHome = await tempDir('home')
    const env = { DSH_HOME: dshHome, MNEMOS_PASSPHRASE: PASSPHRASE }
    const made = await runCli(['init', '--profile', 'web', '--yes'], env)
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(
      /^Data folder {3}\S+ {2}\(profile web\)\nConstitution {2}version 1 \(en\) is approved/,
    )
    const draft = join(dshHome, 'draft.md')
    writeFileSync(draft, '# Mine\n\nBe kind.\n')
    const [inside, wrong] = await Promise.all([
      runCli(['init', '--profile', 'web', '--yes', '--replace'], { ...env, DSH_SHELL: '1' }),
      runCli(['constitution', 'update', draft, '--apply', '--profile', 'web'], {
        ...env,
        MNEMOS_PASSPHRASE: 'a wrong one',
      }),
    ])
    expect(inside).toMatchObject({ code: 4, stdout: '' })
    expect(wrong).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^mnemos: The passphrase is wrong; nothing was changed\..*\n$/),
    })
    expect(wrong.stdout).toContain('\n-# Constitution\n+# Mine\n')
    expect(wrong.stdout).not.toContain('\u001b')
    const home = {
      disk: nodeDisk,
      layout: layoutOf(join(dshHome, 'mnemos', 'web')),
      dshHome,
      now: () => Date.now(),
    }
    expect(standing(home, 'en').approved?.version).toBe(1)
  })
})

describe('the user memory', () => {
  it('is counted by status, and named by delete where it holds the same words', async () => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'user-memory'))
    const words = 'the kettle whistles at eighty degrees'
    const put = (name: string, summary: string) =>
      writeFileSync(
        join(root, 'user-memory', `${name}.md`),
        `---\nname: ${name}\ntype: user\nsummary: ${summary}\n---\n`,
      )
    put('kettle', words)
    put('other', 'quite another thing')
    writeFileSync(join(root, 'user-memory', 'broken.md'), 'x')
    note(root, 'kettle', words)
    const { session, said } = await inProcess(root)
    await statusCommand(session)
    expect(said().value).toMatchObject({
      userMemory: 2,
      problems: [expect.stringContaining('user-memory/broken.md')],
    })
    const memory = session.memory.userMemory
    const entry = { name: 'saved', type: 'user' as const, summary: 'by a session', details: '' }
    await memory.save(await memory.prepare('create', entry, person), person)
    await ledgerCommand(session, { id: 'user-memory/saved' })
    expect(said().value.entries).toMatchObject([
      { act: 'user-memory', by: 'person', name: 'user-memory/saved' },
    ])
    session.store.close()
    const env = { DSH_HOME: await tempDir('home') }
    const deleted = await runCli(['--data', root, 'delete', 'kettle', '--yes', '--json'], env)
    expect(JSON.parse(deleted.stdout)).toMatchObject({ deleted: true, alike: ['user-memory/kettle.md'] })
    expect(holding(root, 'kettle whistles')).toEqual([join(root, 'user-memory', 'kettle.md')])
  })
})
