/** What goes to stdout and what beside it: the answer can be redirected, and nothing is left out in silence. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { constitutionShowCommand } from '../../../src/cli/constitution.ts'
import { doctorCommand } from '../../../src/cli/doctor.ts'
import { recentCommand } from '../../../src/cli/recent.ts'
import { searchCommand } from '../../../src/cli/search.ts'
import { printer, type Session } from '../../../src/cli/session.ts'
import { showCommand } from '../../../src/cli/show.ts'
import { statusCommand } from '../../../src/cli/status.ts'
import { steady } from '../../../src/cli/style.ts'
import { inProcess } from '../../support/cli.ts'
import { approvedHome } from '../../support/constitution.ts'
import { tempDir } from '../../support/temp.ts'

let out = ''
let beside = ''
beforeEach(async () => {
  vi.stubEnv('DSH_HOME', await tempDir('home'))
  vi.stubEnv('MNEMOS_DATA', undefined)
  out = ''
  beside = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    beside += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

const note = (root: string, name: string, text: string) => {
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', `${name}.md`), text)
}
/** Runs a command as the command line does. @returns what was on stdout, and beside it. */
async function ran(root: string, run: (session: Session) => Promise<void>, json = false) {
  const { session } = await inProcess(root)
  out = ''
  beside = ''
  await run({ ...session, ...printer({ json }) })
  session.store.close()
  return { out, beside }
}

describe('redirecting', () => {
  it('gives exactly the text of the constitution', async () => {
    const text = '# Mine\n\nBe kind\tand \u202ebrief.'
    const { layout, dshHome } = await approvedHome(text)
    vi.stubEnv('DSH_HOME', dshHome)
    await constitutionShowCommand({ data: layout.root })
    expect(out).toBe(`${text}\n`)
    expect(beside).toMatch(/^Version {4}1 .*SHA-256 [0-9a-f]{64}\nSignature {2}good.*\n$/)
    beside = ''
    await constitutionShowCommand({ data: layout.root, json: true })
    expect(beside).toBe('')
  })

  it('gives exactly the text of a record', async () => {
    const root = await tempDir('store')
    const text = '---\nsummary: The kettle whistles\n---\n\nat \u0007 eighty degrees\n'
    note(root, 'kettle', text)
    expect(await ran(root, (session) => showCommand(session, 'kettle'))).toEqual({
      out: text,
      beside: `${join(root, 'memories', 'kettle.md')}\n`,
    })
  })
})

describe('what is not shown', () => {
  it('is counted: records beyond the limit, and files that are skipped', async () => {
    const root = await tempDir('store')
    for (let n = 0; n < 25; n++) note(root, `n-${n}`, `The lighthouse number ${n}`)
    note(root, 'old', '---\nstatus: deprecated\n---\nThe lighthouse of old')
    writeFileSync(join(root, 'memories', 'broken.md'), '---\nsummary: x\n')
    const skipped = /One file is skipped; mnemos doctor says why and what to do\./
    const search = (limit?: string) => (session: Session) =>
      searchCommand(session, ['lighthouse'], limit === undefined ? {} : { limit })
    const found = await ran(root, search())
    expect(found.out).toMatch(/\n17 more not shown \(--limit\)\n/)
    expect(found.beside).toMatch(skipped)
    expect((await ran(root, search('25'))).out).not.toContain('more not shown')
    const json = await ran(root, search(), true)
    expect(JSON.parse(json.out)).toMatchObject({ more: 17, skipped: 1, hits: { length: 8 } })
    expect(json.beside).toBe('')

    const recent = await ran(root, (session) => recentCommand(session, {}))
    expect(recent.out.trim().split('\n')).toHaveLength(20)
    expect(recent.beside).toMatch(/5 more not shown \(--limit\)/)
    expect(recent.beside).toMatch(skipped)
    const all = await ran(root, (session) => recentCommand(session, { all: true }), true)
    expect(JSON.parse(all.out)).toHaveLength(20)
    expect(all.beside).toMatch(/6 more not shown/)
    expect((await ran(root, statusCommand)).out).toMatch(/broken\.md.*\n.*what to do: mnemos doctor\n$/)
  })

  it('is counted also where no index can tell', async () => {
    const root = await tempDir('store')
    for (let n = 0; n < 25; n++) note(root, `n-${n}`, `The lighthouse number ${n}`)
    writeFileSync(join(root, 'index'), 'in the way')
    expect((await ran(root, (session) => recentCommand(session, {}))).beside).toMatch(/5 more not shown/)
  })
})

describe('permissions', () => {
  it('are warned of only where others can come so far', async () => {
    const root = await tempDir('store')
    chmodSync(root, 0o700)
    note(root, 'kettle', 'The kettle whistles')
    const { session } = await inProcess(root)
    session.store.close()
    for (const [path, mode] of [
      ['memories', 0o700],
      ['memories/kettle.md', 0o644],
    ] as const)
      chmodSync(join(root, path), mode)
    const warned = async () => {
      out = ''
      await doctorCommand({ data: root, json: true }, {})
      const { findings } = JSON.parse(out) as { findings: { code: string; paths: string[] }[] }
      return findings.flatMap(({ code, paths }) => (code === 'PERMISSIONS' ? paths : []))
    }
    expect(await warned()).toEqual([])
    chmodSync(join(root, 'memories'), 0o755)
    expect(await warned()).toEqual([])
    chmodSync(root, 0o750)
    expect(await warned()).toEqual(['.', 'memories', 'memories/kettle.md'])
    // The group may pass the folder, and only others may read the file.
    chmodSync(join(root, 'memories/kettle.md'), 0o604)
    expect(await warned()).toEqual(['.', 'memories'])
    expect(readFileSync(join(root, 'memories', 'kettle.md'), 'utf8')).toBe('The kettle whistles')
  })
})

describe('what would steer a terminal', () => {
  it.each([
    ['an escape sequence', 'a\u001b[31mb', 'a\\x1b[31mb'],
    ['a line of its own', 'a\nmnemos: forged', 'a\\x0amnemos: forged'],
    ['letters in another order', 'a\u202eb\u2066c', 'a\\u{202E}b\\u{2066}c'],
    ['a bell and a tab', 'a\u0007\tb', 'a\\x07\tb'],
  ])('is shown as an escape: %s', (_, line, shown) => {
    expect(steady(line)).toBe(shown)
  })

  it('is shown as an escape in what is counted and listed, too', async () => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'memories'))
    writeFileSync(join(root, 'memories', 'a.md'), '---\nkind: "de\\e[31m"\n---\nhello\n')
    const { session, said } = await inProcess(root)
    await recentCommand(session, {})
    expect(said().text).toContain('de\\x1b[31m')
    await statusCommand(session)
    expect(said().text).toContain('1 de\\x1b[31m')
    session.store.close()
  })
})
