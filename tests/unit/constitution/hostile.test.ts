/** What a hostile hand, or an unlucky one, does to the files of a constitution: it costs nothing and nothing is lost. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { confirm, initialise, isUnconfirmed, update } from '../../../src/constitution/approve.ts'
import {
  AUDIT_LIMIT_BYTES,
  AUDIT_LIMIT_LINES,
  hashOf,
  lineOf,
  newEntry,
  readAudit,
} from '../../../src/constitution/audit.ts'
import { draftOf } from '../../../src/constitution/constitution.ts'
import { ConstitutionKeeper } from '../../../src/constitution/keeper.ts'
import { settle } from '../../../src/constitution/restore.ts'
import { openKey } from '../../../src/constitution/seal.ts'
import type { Home } from '../../../src/constitution/seen.ts'
import { newKeyPair } from '../../../src/constitution/signing.ts'
import { standing } from '../../../src/constitution/standing.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { approvedHome, CHEAP, newHome, overwrite, PASSPHRASE, removeAll } from '../../support/constitution.ts'
import { tempDir } from '../../support/temp.ts'
import { workOf } from '../../support/work.ts'

const next = (text: string) => ({ text, language: 'en' as const })
const see = (home: Home) => {
  const { state, constitution, findings, reported } = standing(home, 'en')
  return {
    state,
    text: constitution.text,
    codes: findings.map(({ code }) => code),
    reported: reported.join(' '),
  }
}
const pins = ({ dshHome }: Home) => join(dshHome, 'mnemos', 'profiles.json')

describe('an audit that was stuffed', () => {
  /** A look at it checks the last hundred lines, each text and line, and as many texts of newer lines. */
  const MOST_SIGNATURES = 310
  const forgedLines = (home: Home, from: number, count: number): string => {
    const [first = ''] = readFileSync(home.layout.audit, 'utf8').split('\n')
    const line = JSON.stringify({ ...JSON.parse(first), version: from, after: 'x' })
    return Array.from({ length: count }, (_, n) => line.replace(`${from}`, `${from + n}`)).join('\n')
  }
  const forgedLine = (home: Home, version: number) => forgedLines(home, version, 1)

  it.each([
    ['beyond any size', 45_000, 10],
    ['within its size', 12_000, AUDIT_LIMIT_LINES + 10],
  ])(
    'with lines of higher versions, %s: a turn does little for it, and the approved text stands',
    async (_, copies, mostParsed) => {
      const home = await approvedHome('Mine.')
      const keeper = new ConstitutionKeeper(home, 'en')
      const lines = forgedLines(home, 9_000_000, copies)
      overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines}\n`)
      expect(statSync(home.layout.audit).size > AUDIT_LIMIT_BYTES).toBe(copies === 45_000)
      const { parsed, verified } = workOf(() => keeper.refresh())
      expect(verified).toBeGreaterThan(0)
      expect(verified).toBeLessThan(MOST_SIGNATURES)
      expect(parsed).toBeLessThan(mostParsed)
      expect(keeper.constitution.text).toBe('Mine.')
      expect(keeper.reported).toMatch(/audit of the constitution was changed/)
    },
  )

  it('with lines that a foreign key signed: a look does as little', async () => {
    const home = await approvedHome('Mine.')
    const pair = newKeyPair()
    let audit = readAudit(home.disk, home.layout.audit)
    const lines: string[] = []
    for (let version = 2; version < 500; version++) {
      const act = version === 2 ? ('replace' as const) : ('update' as const)
      const draft = { act, version, at: '2026-01-01T00:00:00.000Z', language: 'en' as const }
      const entry = newEntry(audit, { ...draft, before: null, text: 'x', restart: false }, pair)
      lines.push(lineOf(entry))
      audit = { ...audit, hashes: [hashOf(lineOf(entry))] }
    }
    overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines.join('\n')}\n`)
    const { result: seen, verified } = workOf(() => see(home))
    expect(verified).toBeGreaterThan(0)
    expect(verified).toBeLessThan(MOST_SIGNATURES)
    expect(seen).toMatchObject({ state: 'approved', text: 'Mine.' })
    expect(seen.reported).toMatch(/another key/)
  })

  it('on a machine that knows nothing of it: what was approved before the stuffing stands', async () => {
    const home = await approvedHome('Mine.')
    const lines = forgedLines(home, 1_000, 500)
    overwrite(home.layout.audit, `${readFileSync(home.layout.audit, 'utf8')}${lines}\n`)
    rmSync(home.layout.constitution)
    rmSync(pins(home))
    expect(see(home)).toMatchObject({ state: 'approved', text: 'Mine.' })
  })

  it('with a false line of the very version and key: it is not written into the text file', async () => {
    const home = await approvedHome('Mine.')
    const before = readFileSync(home.layout.constitution)
    const pinned = readFileSync(pins(home))
    await update(home, next('Second.'), PASSPHRASE)
    // As if the approval had been cut off before the text file was written.
    overwrite(home.layout.constitution, before)
    writeFileSync(pins(home), pinned)
    const [first = '', second = ''] = readFileSync(home.layout.audit, 'utf8').split('\n')
    overwrite(home.layout.audit, `${first}\n${forgedLine(home, 2)}\n${second}\n`)
    await settle(home, standing(home, 'en'))
    expect(readFileSync(home.layout.constitution, 'utf8')).toMatch(/\n\nSecond\.\n$/)
  })

  it('with the highest version that a number can hold: the next approval begins anew and is sound', async () => {
    const home = await approvedHome('Mine.')
    overwrite(home.layout.audit, `${forgedLine(home, Number.MAX_SAFE_INTEGER)}\n`)
    await update(home, next('Second.'), PASSPHRASE)
    expect(see(home)).toMatchObject({ state: 'approved', text: 'Second.', codes: [] })
  })

  it('is told from one of hundreds of approvals of the largest texts', async () => {
    const home = await newHome()
    await initialise(home, next('0'.repeat(16_000)), PASSPHRASE, { cost: CHEAP })
    const pair = openKey(JSON.parse(readFileSync(home.layout.key, 'utf8')), PASSPHRASE)
    let text = '0'.repeat(16_000)
    let raw = readFileSync(home.layout.audit, 'utf8')
    let audit = readAudit(home.disk, home.layout.audit)
    for (let version = 2; version <= 120; version++) {
      const after = String(version % 10).repeat(16_000)
      const draft = {
        act: 'update' as const,
        version,
        at: '2026-01-01T00:00:00.000Z',
        language: 'en' as const,
      }
      const line = lineOf(newEntry(audit, { ...draft, before: text, text: after, restart: false }, pair))
      raw += `${line}\n`
      audit = { ...audit, hashes: [hashOf(line)] }
      text = after
    }
    // So many of them fit, and more are signed here than a look checks the signatures of.
    expect(AUDIT_LIMIT_BYTES / (raw.length / 120)).toBeGreaterThan(400)
    overwrite(home.layout.audit, raw)
    expect(readAudit(home.disk, home.layout.audit)).toMatchObject({ fault: undefined, unreadable: false })
    // One word in an old line still shows: the next line names it by its hash.
    overwrite(home.layout.audit, raw.replace('"after":"3', '"after":"4'))
    expect(readAudit(home.disk, home.layout.audit).fault).toMatch(/does not follow|not as it was signed/)
    // An approval goes on with it; one that would not fit begins anew, and the old lines are kept.
    overwrite(home.layout.audit, raw)
    await update(home, next('Last.'), PASSPHRASE)
    expect(readAudit(home.disk, home.layout.audit).entries).toHaveLength(121)
  })
})

describe('an audit that is full', () => {
  it('is kept under another name, and the next approval begins anew', async () => {
    const home = await approvedHome('Mine.')
    const pair = openKey(JSON.parse(readFileSync(home.layout.key, 'utf8')), PASSPHRASE)
    const first = readFileSync(home.layout.audit, 'utf8')
    const draft = {
      act: 'update' as const,
      version: 2,
      at: '2026-01-01T00:00:00.000Z',
      language: 'en' as const,
    }
    const giant = {
      ...draft,
      before: 'x'.repeat(AUDIT_LIMIT_BYTES - 10_000),
      text: 'Second.',
      restart: false,
    }
    const line = lineOf(newEntry(readAudit(home.disk, home.layout.audit), giant, pair))
    overwrite(home.layout.audit, `${first}${line}\n`)
    expect(see(home).text).toBe('Second.')
    await update(home, next('Third.'), PASSPHRASE)
    expect(see(home)).toMatchObject({ state: 'approved', text: 'Third.', codes: [] })
    expect(readAudit(home.disk, home.layout.audit).entries).toMatchObject([{ version: 3, restart: true }])
    const [kept = ''] = readdirSync(dirname(home.layout.audit)).filter((name) =>
      name.startsWith('audit.full-'),
    )
    expect(statSync(join(dirname(home.layout.audit), kept)).size).toBeGreaterThan(AUDIT_LIMIT_BYTES - 10_000)
  })
})

describe('the header of a text', () => {
  const draft = (source: string) => draftOf(Buffer.from(source), 'mine.md')

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

  it('is taken off where it holds only what we write there', () => {
    expect(draft('---\nlanguage: zh\n---\n# Mine')).toEqual({ text: '# Mine', language: 'zh' })
    expect(draft('\ufeff---\r\nversion: 2\r\nlanguage: en\r\n---\r\n\r\n# Mine').text).toBe('# Mine')
  })
})

describe('a constitution whose files are gone', () => {
  it.each([
    ['text and audit', ['constitution', 'audit']],
    ['text, audit and a key that can be read', ['constitution', 'audit', 'garble']],
  ])('%s: what is left of it keeps the approved text standing', async (_, gone) => {
    const home = await approvedHome('Mine.')
    rmSync(home.layout.constitution)
    rmSync(home.layout.audit)
    if (gone.includes('garble')) overwrite(home.layout.key, 'nonsense')
    const seen = see(home)
    expect(seen).toMatchObject({ state: 'approved', text: 'Mine.' })
    expect(seen.reported).toMatch(/constitution\.md is missing\..*audit of the constitution is missing\./)
  })

  it('all three: the template stands in', async () => {
    const home = await approvedHome('Mine.')
    for (const file of ['constitution', 'audit', 'key'] as const) rmSync(home.layout[file])
    expect(see(home)).toMatchObject({ state: 'lost', codes: ['CONSTITUTION_LOST'] })
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

describe('a passphrase that is no text', () => {
  it('is refused: any other bytes would open it', async () => {
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
    expect(see(linked)).toMatchObject({ state: 'approved', codes: [] })
    await update(linked, next('Second.'), PASSPHRASE)
    expect(see(home)).toMatchObject({ text: 'Second.', codes: [] })
    removeAll(home)
    expect(see(linked).state).toBe('lost')
  })

  it('keeps what was pinned while it lay at the place of the link', async () => {
    const home = await approvedHome('Mine.')
    const moved = join(await tempDir('moved'), 'memory')
    renameSync(home.layout.root, moved)
    symlinkSync(moved, home.layout.root)
    expect(see(home)).toMatchObject({ state: 'approved', codes: [] })
  })

  it('is pinned by its real path also where it was not there yet', async () => {
    const real = await tempDir('real')
    const link = join(await tempDir('links'), 'all')
    symlinkSync(real, link)
    const home = await newHome({ root: join(link, 'memory') })
    await initialise(home, next('Mine.'), PASSPHRASE, { cost: CHEAP })
    rmSync(home.layout.root, { recursive: true })
    expect(see(home).state).toBe('lost')
  })
})

describe('a folder that never had a constitution', () => {
  const pipes = ({ layout }: Home) => {
    mkdirSync(dirname(layout.key))
    for (const file of [layout.constitution, layout.audit, layout.key]) execFileSync('mkfifo', [file])
  }
  const circle = ({ layout }: Home) => symlinkSync('constitution', dirname(layout.key))

  it.skipIf(process.platform === 'win32').each([
    ['pipes for files', pipes, /is not a regular file/],
    ['a link to itself for a folder', circle, /ELOOP/],
  ])('but %s is told just that, and nothing is written', async (_, harm, why) => {
    const home = await newHome()
    harm(home)
    const seen = see(home)
    expect(seen.reported).toMatch(why)
    expect(seen.reported).toMatch(/cannot be read/)
    expect(seen.reported).not.toMatch(/gone|was approved for this folder/)
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
  ])('since a file lies in the place of %s: one sentence, and nothing was changed', async (_, place) => {
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
    '%o is no key, in one sentence',
    async (cost) => {
      const home = await approvedHome('Mine.')
      const file = JSON.parse(readFileSync(home.layout.key, 'utf8'))
      overwrite(home.layout.key, JSON.stringify({ ...file, sealed: { ...file.sealed, ...cost } }))
      expect(see(home)).toMatchObject({ text: 'Mine.', codes: ['CONSTITUTION_KEY'] })
      await expect(update(home, next('Second.'), PASSPHRASE)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringMatching(/key\.json\) is missing or cannot be read; nothing was changed\./),
      })
    },
  )
})
