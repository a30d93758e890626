/** `mnemos constitution show` and `update`, and what `status` and `doctor` say of it. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { diffLines } from '../../../src/answers/diff.ts'
import { colouredDiff } from '../../../src/cli/colour-diff.ts'
import { constitutionShowCommand, constitutionUpdateCommand } from '../../../src/cli/constitution.ts'
import { doctorCommand } from '../../../src/cli/doctor.ts'
import { statusCommand } from '../../../src/cli/status.ts'
import type { Home } from '../../../src/constitution/constitution-files.ts'
import { inProcess } from '../../support/cli.ts'
import { approvedHome, overwrite, PASSPHRASE, removeAll } from '../../support/constitution.ts'
import { filesBelow } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'

let said = ''
let beside = ''
beforeEach(() => {
  said = ''
  beside = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    beside += text
    return true
  })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

/** A folder with a constitution, at which the commands look. */
async function home(): Promise<Home> {
  const made = await approvedHome('# Mine\n\nBe kind.\nBe brief.')
  const { store } = await openStore({ root: made.layout.root })
  store.close()
  vi.stubEnv('DSH_HOME', made.dshHome)
  vi.stubEnv('MNEMOS_PASSPHRASE', PASSPHRASE)
  vi.stubEnv('DSH_SHELL', undefined)
  return made
}
const globals = ({ layout }: Home) => ({ data: layout.root, json: true })
async function answer(run: () => Promise<void>) {
  said = ''
  await run()
  return JSON.parse(said)
}
function draft({ dshHome }: Home, text: string): string {
  const file = join(dshHome, 'draft.md')
  writeFileSync(file, text)
  return file
}
const everything = ({ layout }: Home) =>
  filesBelow(dirname(layout.audit)).map(({ path, bytes }) => [path, bytes.toString()])

describe('show', () => {
  it('gives text, version, hash and what the signature is worth', async () => {
    const mine = await home()
    expect(await answer(() => constitutionShowCommand(globals(mine)))).toMatchObject({
      state: 'approved',
      version: 1,
      language: 'en',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      key: expect.stringMatching(/^[0-9a-f ]{19}$/),
      text: '# Mine\n\nBe kind.\nBe brief.',
      findings: [],
    })
    overwrite(mine.layout.constitution, 'Obey.\u001b[2J')
    said = ''
    await constitutionShowCommand({ data: mine.layout.root })
    expect(said).toBe('# Mine\n\nBe kind.\nBe brief.\n')
    expect(beside).toMatch(
      /Signature {2}good for this text; see below[\s\S]*not the text that was approved[\s\S]*Version 1, approved/,
    )
    expect(said).not.toContain('Obey')
  })

  it('says of the template that it is one', async () => {
    const mine = await home()
    removeAll(mine)
    expect(await answer(() => constitutionShowCommand(globals(mine)))).toMatchObject({
      state: 'lost',
      version: null,
      key: null,
      findings: [{ code: 'CONSTITUTION_LOST' }],
    })
  })
})

describe('update', () => {
  it('shows what would change and changes nothing, until it is told to apply it', async () => {
    const mine = await home()
    const file = draft(mine, '# Mine\n\nBe kind.\nBe \u202ebrave.\n')
    const before = everything(mine)
    const shown = await answer(() => constitutionUpdateCommand(globals(mine), file, {}))
    expect(shown).toMatchObject({
      applied: false,
      before: 1,
      diff: ['@@ -1,4 +1,4 @@', ' # Mine', ' ', ' Be kind.', '-Be brief.', '+Be \\u{202E}brave.'],
    })
    expect(everything(mine)).toEqual(before)
    expect(await answer(() => constitutionUpdateCommand(globals(mine), file, { apply: true }))).toMatchObject(
      { applied: true, version: 2 },
    )
    expect(readFileSync(mine.layout.constitution, 'utf8')).toContain('Be \u202ebrave.')
    await expect(constitutionUpdateCommand(globals(mine), file, { apply: true })).rejects.toThrow(
      /version 2 already/,
    )
  })

  it('takes the approved file, edited, header and all', async () => {
    const mine = await home()
    const file = draft(mine, readFileSync(mine.layout.constitution, 'utf8').replace('kind', 'just'))
    await constitutionUpdateCommand(globals(mine), file, { apply: true })
    expect(readFileSync(mine.layout.constitution, 'utf8')).toMatch(
      /^---\nversion: 2\n[\s\S]*---\n\n# Mine\n\nBe just\.\nBe brief\.\n$/,
    )
  })

  it('is refused without the passphrase, inside the host’s shell, and where there is nothing to change', async () => {
    const mine = await home()
    const file = draft(mine, 'Obey.')
    const before = everything(mine)
    const refused = async (env: Record<string, string>) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      return constitutionUpdateCommand(globals(mine), file, { apply: true })
    }
    await expect(refused({ MNEMOS_PASSPHRASE: 'a wrong one' })).rejects.toMatchObject({
      code: 'REFUSED',
      problem: 'The passphrase is wrong; nothing was changed.',
    })
    await expect(refused({ MNEMOS_PASSPHRASE: '' })).rejects.toThrow(/no terminal to ask/)
    await expect(refused({ MNEMOS_PASSPHRASE: PASSPHRASE, DSH_SHELL: '1' })).rejects.toThrow(
      /person's to run/,
    )
    expect(everything(mine)).toEqual(before)
    vi.stubEnv('DSH_SHELL', undefined)
    removeAll(mine)
    await expect(refused({})).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('colours what goes and what comes only at a terminal', () => {
    const lines = diffLines('a\nb', 'a\nc')
    expect(colouredDiff(lines).join('\n')).toBe('@@ -1,2 +1,2 @@\n a\n-b\n+c')
    vi.stubEnv('FORCE_COLOR', '1')
    expect(colouredDiff(lines).slice(2)).toEqual(['\u001b[31m-b\u001b[39m', '\u001b[32m+c\u001b[39m'])
  })
})

describe('doctor and status', () => {
  it('find nothing wrong with a folder as it was approved, and name what was changed', async () => {
    const mine = await home()
    const doctor = (fix = false) => answer(() => doctorCommand(globals(mine), fix ? { fix } : {}))
    expect(await doctor()).toMatchObject({ healthy: true, findings: [] })
    overwrite(mine.layout.constitution, 'Obey.')
    chmodSync(mine.layout.constitution, 0o600)
    expect(await doctor()).toMatchObject({
      healthy: false,
      findings: [
        { code: 'CONSTITUTION_CHANGED', fixable: true, remedy: expect.stringMatching(/doctor --fix/) },
      ],
    })
    const { session, said: status } = await inProcess(mine.layout.root)
    await statusCommand(session)
    session.store.close()
    expect(status().value).toMatchObject({
      constitution: { initialised: true, state: 'approved', version: 1 },
      problems: [expect.stringMatching(/not the text that was approved/)],
    })
    expect(await doctor(true)).toMatchObject({
      healthy: true,
      findings: [],
      repaired: [
        { code: 'CONSTITUTION_CHANGED', path: expect.stringMatching(/constitution\/constitution\.changed-/) },
      ],
    })
    expect(statSync(mine.layout.constitution).mode & 0o777).toBe(0o444)
    const kept = readdirSync(dirname(mine.layout.audit)).find((name) => name.includes('changed'))
    expect(readFileSync(join(dirname(mine.layout.audit), kept ?? ''), 'utf8')).toBe('Obey.')
  })

  it('leave the read-only file as it is while permissions are repaired', async () => {
    const mine = await home()
    chmodSync(mine.layout.audit, 0o644)
    await answer(() => doctorCommand(globals(mine), { fix: true }))
    expect(statSync(mine.layout.audit).mode & 0o777).toBe(0o600)
    expect(statSync(mine.layout.constitution).mode & 0o777).toBe(0o444)
  })
})
