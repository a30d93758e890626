/** The files of a constitution after an attack or an accident: reading them stays quick, and nothing is lost. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { confirm, initialise, isUnconfirmed, update } from '../../../src/constitution/approve.ts'
import { AUDIT_LIMIT_BYTES, auditLine, newAuditEntry } from '../../../src/constitution/audit.ts'
import type { Home } from '../../../src/constitution/constitution-files.ts'
import { parseConstitutionDraft } from '../../../src/constitution/draft.ts'
import { ConstitutionKeeper } from '../../../src/constitution/keeper.ts'
import { settleConstitution } from '../../../src/constitution/restore.ts'
import { newKeyPair } from '../../../src/constitution/signing.ts'
import { standing } from '../../../src/constitution/standing.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { approvedHome, CHEAP, newHome, overwrite, PASSPHRASE, removeAll } from '../../support/constitution.ts'
import { tempDir } from '../../support/temp.ts'
import { workOf } from '../../support/work.ts'

const next = (text: string) => ({ text, language: 'en' as const })
const look = (home: Home) => {
  const { state, constitution, findings, reported } = standing(home, 'en')
  return {
    state,
    text: constitution.text,
    codes: findings.map(({ code }) => code),
    reported: reported.join(' '),
  }
}
const pins = ({ dshHome }: Home) => join(dshHome, 'mnemos', 'profiles.json')

describe('an audit with forged lines', () => {
  /** A look verifies the last hundred lines and a hundred of those that are newer than what they prove. */
  const MOST_SIGNATURES = 210
  const forgedLines = (home: Home, from: number, count: number): string => {
    const [first = ''] = readFileSync(home.layout.audit, 'utf8').split('\n')
    const line = JSON.stringify({ ...JSON.parse(first), version: from, after: 'x' })
    return Array.from({ length: count }, (_, n) => line.replace(`${from}`, `${from + n}`)).join('\n')
  }
  const forgedLine = (home: Home, version: number) => forgedLines(home, version, 1)

  it.each([
    ['beyond any size', 100_000, 10],
    ['within its size', 12_000, 10_010],
  ])(
    'of higher versions, %s: a turn does little for them, and the approved text stands',
    async (_, copies, mostParsed) => {
      const home = await approvedHome('Mine.')
      const keeper = new ConstitutionKeeper(home, 'en')
      const lines = forgedLines(home, 9_000_000, copies)
      overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines}\n`)
      expect(lines.length > AUDIT_LIMIT_BYTES).toBe(copies === 100_000)
      const { parsed, verified } = workOf(() => keeper.refresh())
      expect(verified).toBeGreaterThan(0)
      expect(verified).toBeLessThan(MOST_SIGNATURES)
      expect(parsed).toBeLessThan(mostParsed)
      expect(keeper.constitution.text).toBe('Mine.')
      expect(keeper.reported).toMatch(/audit of the constitution was changed/)
    },
  )

  it('that a foreign key signed: a turn does little for them, and the approved text stands', async () => {
    const home = await approvedHome('Mine.')
    const pair = newKeyPair()
    const lines: string[] = []
    for (let version = 2; version < 500; version++) {
      const act = version === 2 ? ('replace' as const) : ('update' as const)
      const before = version === 2 ? 'Mine.' : 'x'
      const draft = { act, version, at: '2026-01-01T00:00:00.000Z', language: 'en' as const }
      lines.push(auditLine(newAuditEntry({ ...draft, before, text: 'x', restart: false }, pair)))
    }
    overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines.join('\n')}\n`)
    const { result: current, verified } = workOf(() => look(home))
    expect(verified).toBeGreaterThan(0)
    expect(verified).toBeLessThan(MOST_SIGNATURES)
    expect(current).toMatchObject({ state: 'approved', text: 'Mine.' })
    expect(current.reported).toMatch(/another key/)
  })

  it('on a machine without a pin: what was approved before them stands', async () => {
    const home = await approvedHome('Mine.')
    const lines = forgedLines(home, 1_000, 500)
    overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines}\n`)
    rmSync(home.layout.constitution)
    rmSync(pins(home))
    expect(look(home)).toMatchObject({ state: 'approved', text: 'Mine.' })
  })

  it('of the same version and key: they are not written into the text file', async () => {
    const home = await approvedHome('Mine.')
    const before = readFileSync(home.layout.constitution)
    const pinned = readFileSync(pins(home))
    await update(home, next('Second.'), PASSPHRASE)
    // As if the approval had been cut off before the text file was written.
    overwrite(home.layout.constitution, before)
    writeFileSync(pins(home), pinned)
    const [first = '', second = ''] = readFileSync(home.layout.audit, 'utf8').split('\n')
    overwrite(home.layout.audit, `${first}\n${forgedLine(home, 2)}\n${second}\n`)
    await settleConstitution(home, standing(home, 'en'))
    expect(readFileSync(home.layout.constitution, 'utf8')).toMatch(/\n\nSecond\.\n$/)
  })

  it('of the highest version that a number can hold: the next approval begins a new, sound audit', async () => {
    const home = await approvedHome('Mine.')
    overwrite(home.layout.audit, `${forgedLine(home, Number.MAX_SAFE_INTEGER)}\n`)
    await update(home, next('Second.'), PASSPHRASE)
    expect(look(home)).toMatchObject({ state: 'approved', text: 'Second.', codes: [] })
  })
})

describe('the header of a text', () => {
  const draft = (source: string) => parseConstitutionDraft(Buffer.from(source), 'mine.md')

  it.each([
    ['a sentence with a colon', '---\nRed line: never lie.\n---\n\n# Who I am'],
    ['broken YAML', '---\nversion: "1\n  - never: lie\n---\n\n# Who I am'],
    ['a known key beside another', '---\nversion: 1\nRed line: never lie.\n---\n\n# Who I am'],
    ['a key twice', '---\nversion: 1\nversion: never lie\n---\n\n# Who I am'],
    ['a known key that holds a sentence', '---\nversion: never lie, not even once.\n---\n\n# Who I am'],
    ['a language that there is none of', '---\nlanguage: plain words only\n---\n\n# Who I am'],
    ['a remark', '---\nversion: 1 # never lie\n---\n\n# Who I am'],
    ['a heading', '---\n# Never lie\nversion: 1\n---\n\n# Who I am'],
    ['nothing', '---\n\n---\n\n# Who I am'],
    ['a list', '---\n- never lie\n---\n\n# Who I am'],
    ['much', `---\nsignature: "${'A'.repeat(2_000)}"\n---\n\n# Who I am`],
  ])('that is %s is text, and nothing of it is dropped', (_, source) => {
    expect(draft(source).text).toBe(source)
  })

  it('of 40 KB is text, and too much of it', () => {
    const source = `---\nversion: 1\nrules: "${'never lie. '.repeat(4_000)}"\n---\n\n# Who I am`
    expect(() => draft(source)).toThrow(/16384 is the most/)
  })

  it('is removed where it holds only what Mnemos writes there', () => {
    expect(draft('---\nlanguage: zh\n---\n# Mine')).toEqual({ text: '# Mine', language: 'zh' })
    expect(draft('\ufeff---\r\nversion: 2\r\nlanguage: en\r\n---\r\n\r\n# Mine').text).toBe('# Mine')
  })
})

describe('a constitution whose files are gone', () => {
  it.each([
    ['text and audit', ['constitution', 'audit']],
    ['text, audit and a key that can be read', ['constitution', 'audit', 'garble']],
  ])('%s: the approved text stands', async (_, gone) => {
    const home = await approvedHome('Mine.')
    rmSync(home.layout.constitution)
    rmSync(home.layout.audit)
    if (gone.includes('garble')) overwrite(home.layout.key, 'nonsense')
    const current = look(home)
    expect(current).toMatchObject({ state: 'approved', text: 'Mine.' })
    expect(current.reported).toMatch(/constitution\.md is missing\..*audit of the constitution is missing\./)
  })

  it('all three: the template stands', async () => {
    const home = await approvedHome('Mine.')
    for (const file of ['constitution', 'audit', 'key'] as const) rmSync(home.layout[file])
    expect(look(home)).toMatchObject({ state: 'lost', codes: ['CONSTITUTION_LOST'] })
  })
})

describe('a damaged profiles.json', () => {
  it('is kept under another name by the next approval, which says so', async () => {
    const home = await approvedHome('Mine.')
    const damaged = `${readFileSync(pins(home), 'utf8')}}`
    writeFileSync(pins(home), damaged)
    const { warning } = await update(home, next('Second.'), PASSPHRASE)
    const [kept = ''] = readdirSync(dirname(pins(home))).filter((name) => name.includes('.damaged-'))
    expect(warning).toContain(kept)
    expect(readFileSync(join(dirname(pins(home)), kept), 'utf8')).toBe(damaged)
    writeFileSync(pins(home), damaged)
    expect(isUnconfirmed(standing(home, 'en'))).toBe(true)
    expect(await confirm(home, PASSPHRASE)).toMatchObject({
      version: 2,
      warning: expect.stringMatching(/damaged/),
    })
  })

  it('is kept at a start, which says so', async () => {
    const home = await approvedHome('Mine.')
    writeFileSync(pins(home), `${readFileSync(pins(home), 'utf8')}}`)
    const keeper = new ConstitutionKeeper(home, 'en')
    await keeper.settle()
    expect(keeper.reported).toMatch(/profiles\.json was damaged .*profiles\.json\.damaged-/)
  })
})

describe('a passphrase that is not text', () => {
  it('is refused: other bytes would open the key too', async () => {
    const home = await newHome()
    const broken = Buffer.from([0x70, 0x61, 0x73, 0x73, 0xff, 0xfe, 0xfd, 0xfc, 0xfb]).toString()
    await expect(initialise(home, next('Mine.'), broken, { cost: CHEAP })).rejects.toThrow(/is not UTF-8/)
    expect(existsSync(home.layout.key)).toBe(false)
  })
})

describe('a folder that is reached by a link', () => {
  it('is the one that it is a link to', async () => {
    const home = await approvedHome('Mine.')
    const link = join(await tempDir('links'), 'memory')
    symlinkSync(home.layout.root, link)
    const linked = { ...home, layout: layoutOf(link) }
    expect(look(linked)).toMatchObject({ state: 'approved', codes: [] })
    await update(linked, next('Second.'), PASSPHRASE)
    expect(look(home)).toMatchObject({ text: 'Second.', codes: [] })
    removeAll(home)
    expect(look(linked).state).toBe('lost')
  })

  it('keeps what was pinned while it lay at the place of the link', async () => {
    const home = await approvedHome('Mine.')
    const moved = join(await tempDir('moved'), 'memory')
    renameSync(home.layout.root, moved)
    symlinkSync(moved, home.layout.root)
    expect(look(home)).toMatchObject({ state: 'approved', codes: [] })
  })

  it('is pinned by its real path also where it was not there yet', async () => {
    const real = await tempDir('real')
    const link = join(await tempDir('links'), 'all')
    symlinkSync(real, link)
    const home = await newHome({ root: join(link, 'memory') })
    await initialise(home, next('Mine.'), PASSPHRASE, { cost: CHEAP })
    rmSync(home.layout.root, { recursive: true })
    expect(look(home).state).toBe('lost')
  })
})

describe('a folder that never had a constitution', () => {
  const pipes = ({ layout }: Home) => {
    mkdirSync(dirname(layout.key))
    for (const file of [layout.constitution, layout.audit, layout.key]) execFileSync('mkfifo', [file])
  }
  const circle = ({ layout }: Home) => symlinkSync('constitution', dirname(layout.key))

  it.skipIf(process.platform === 'win32').each([
    ['pipes for files', pipes, /is a link, a pipe, a device or a folder/],
    ['a link to itself for a folder', circle, /is a link, a pipe, a device or a folder/],
  ])('but has %s: that is reported, and nothing is written', async (_, harm, why) => {
    const home = await newHome()
    harm(home)
    const current = look(home)
    expect(current.reported).toMatch(why)
    expect(current.reported).toMatch(/cannot be read/)
    expect(current.reported).not.toMatch(/gone|was approved for this folder/)
    await expect(initialise(home, next('Mine.'), PASSPHRASE, { cost: CHEAP })).rejects.toMatchObject({
      code: 'STORAGE',
      remedy: expect.stringMatching(/[Mm]ove it away/),
    })
    expect(readdirSync(home.layout.root)).toEqual(['constitution'])
    expect(readdirSync(home.dshHome)).toEqual([])
  })
})

describe('an approval that cannot be written', () => {
  it('where an audit cannot be read: the key stays as it is', async () => {
    const home = await approvedHome('Mine.')
    const key = readFileSync(home.layout.key, 'utf8')
    rmSync(home.layout.audit)
    mkdirSync(home.layout.audit)
    const again = initialise(home, next('New.'), 'another passphrase', { cost: CHEAP, replace: true })
    await expect(again).rejects.toMatchObject({ code: 'STORAGE' })
    expect(readFileSync(home.layout.key, 'utf8')).toBe(key)
  })

  it.each<[string, (home: Home) => string]>([
    ['the folder beside the profiles', ({ dshHome }) => join(dshHome, 'mnemos')],
    ['the folder of the constitution', ({ layout }) => dirname(layout.key)],
  ])('since %s is a file: one sentence, and nothing was changed', async (_, place) => {
    const home = await newHome()
    writeFileSync(place(home), 'a file')
    await expect(initialise(home, next('Mine.'), PASSPHRASE, { cost: CHEAP })).rejects.toMatchObject({
      code: 'STORAGE',
      problem: expect.stringMatching(/nothing was changed\.$/),
      remedy: expect.stringMatching(/Move it away/),
    })
    expect([...readdirSync(home.layout.root), ...readdirSync(home.dshHome)]).toHaveLength(1)
    expect(readFileSync(place(home), 'utf8')).toBe('a file')
  })
})

describe('a key with a foreign cost', () => {
  it.each([{ N: 3 }, { N: 2 ** 19 }, { N: 2 ** 18, r: 64 }, { p: 3 }])(
    '%o is refused in one sentence',
    async (cost) => {
      const home = await approvedHome('Mine.')
      const file = JSON.parse(readFileSync(home.layout.key, 'utf8'))
      overwrite(home.layout.key, JSON.stringify({ ...file, sealed: { ...file.sealed, ...cost } }))
      expect(look(home)).toMatchObject({ text: 'Mine.', codes: ['CONSTITUTION_KEY'] })
      await expect(update(home, next('Second.'), PASSPHRASE)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringMatching(/key\.json\) is missing or cannot be read; nothing was changed\./),
      })
    },
  )
})
