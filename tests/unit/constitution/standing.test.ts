/** Whatever is done to the files by another way, the text that was approved last stands, and the change is reported. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { confirm, initialise, isUnconfirmed, update } from '../../../src/constitution/approve.ts'
import type { Home } from '../../../src/constitution/constitution-files.ts'
import { restoreText, settleConstitution } from '../../../src/constitution/restore.ts'
import { standing } from '../../../src/constitution/standing.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { Ledger } from '../../../src/files/ledger.ts'
import { DataLock } from '../../../src/files/lock.ts'
import { readProfiles } from '../../../src/files/profiles.ts'
import {
  appendTo,
  approvedHome,
  CHEAP,
  copyOf,
  newHome,
  overwrite,
  PASSPHRASE,
  removeAll,
} from '../../support/constitution.ts'
import { tempDir } from '../../support/temp.ts'

const look = (home: Home) => {
  const { state, constitution, findings, reported, stands } = standing(home, 'en')
  return {
    state,
    text: constitution.text,
    version: constitution.version,
    codes: findings.map(({ code }) => code),
    reported,
    stands,
  }
}
const next = (text: string) => ({ text, language: 'en' as const })
const text = (home: Home) => readFileSync(home.layout.constitution, 'utf8')
const lines = (home: Home) => readFileSync(home.layout.audit, 'utf8').trimEnd().split('\n')
const whole = { state: 'approved', codes: [], reported: [], stands: '' }

let made: Promise<Home> | undefined

/** Version 1, then version 2. */
async function twice(): Promise<Home> {
  made ??= approvedHome('# Mine\n\nFirst.').then(async (home) => {
    await update(home, next('# Mine\n\nSecond.'), PASSPHRASE)
    return home
  })
  return copyOf(await made)
}

describe('an approved constitution', () => {
  it('is a read-only file with version and signature, an audit of both texts, and a line in the ledger', async () => {
    const home = await twice()
    expect(look(home)).toMatchObject({ ...whole, text: '# Mine\n\nSecond.', version: '2' })
    expect(statSync(home.layout.constitution).mode & 0o777).toBe(0o444)
    expect(text(home)).toMatch(
      /^---\nversion: 2\nlanguage: en\napproved: "\S+"\nsignature: "[\w+/=]{88}"\n---\n\n# Mine\n\nSecond\.\n$/,
    )
    expect(lines(home).map((line) => JSON.parse(line))).toMatchObject([
      { version: 1, act: 'init', before: null, after: '# Mine\n\nFirst.' },
      { version: 2, act: 'update', before: '# Mine\n\nFirst.', after: '# Mine\n\nSecond.' },
    ])
    const { entries } = new Ledger(nodeDisk, home.layout.ledger).read()
    expect(entries).toMatchObject([
      { act: 'constitution', id: 'constitution', by: 'person', rev: [null, 1] },
      { act: 'constitution', id: 'constitution', by: 'person', rev: [1, 2] },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Mine|First|Second|[0-9a-f]{32}/)
    for (const name of ['audit.jsonl', 'key.json'])
      expect(statSync(join(dirname(home.layout.audit), name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(home.layout.key, 'utf8')).not.toContain(PASSPHRASE)
  })

  it('does not change without the passphrase', async () => {
    const home = await twice()
    const before = [text(home), lines(home)]
    await expect(update(home, next('Evil.'), 'wrong passphrase')).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringMatching(/^The passphrase is wrong; nothing was changed\./),
    })
    await expect(update(home, next('# Mine\n\nSecond.'), PASSPHRASE)).rejects.toThrow('version 2 already')
    // A change is bound to the text that it was shown against.
    await expect(update(home, next('Third.'), PASSPHRASE, 1)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    })
    await expect(initialise(home, next('Evil.'), PASSPHRASE, { cost: CHEAP })).rejects.toMatchObject({
      code: 'REFUSED',
    })
    expect([text(home), lines(home)]).toEqual(before)
    expect(look(home)).toMatchObject(whole)
  })

  it('waits for another process that writes into the folder', async () => {
    const home = await approvedHome('First.')
    const order: string[] = []
    let release = () => {}
    const other = new DataLock(home.disk, home.layout.lock, 5_000).run(
      () =>
        new Promise<void>((done) => {
          release = () => {
            order.push(`released, ${lines(home).length} line`)
            done()
          }
        }),
    )
    const both = Promise.all(['A.', 'B.'].map((one) => update(home, next(one), PASSPHRASE))).then(() =>
      order.push('approved'),
    )
    setTimeout(() => release(), 50)
    await Promise.all([other, both])
    expect(order).toEqual(['released, 1 line', 'approved'])
    expect(lines(home)).toHaveLength(3)
    expect(look(home)).toMatchObject({ ...whole, version: '3' })
  })

  it('goes with its folder to another machine, where it is pinned and reported for a day', async () => {
    const home = await twice()
    const elsewhere = { ...home, dshHome: await tempDir('home') }
    const found = { state: 'approved', text: '# Mine\n\nSecond.', codes: ['CONSTITUTION_FOUND'], stands: '' }
    expect(look(elsewhere)).toMatchObject({
      ...found,
      reported: [expect.stringMatching(/not approved on this machine.*version 2, key (?:[0-9a-f]{4} ?){4}/)],
    })
    expect(readdirSync(elsewhere.dshHome)).toEqual([])
    await settleConstitution(elsewhere, standing(elsewhere, 'en'))
    expect(look(elsewhere)).toMatchObject(found)
    const tomorrow = { ...elsewhere, now: () => Date.now() + 25 * 60 * 60 * 1000 }
    expect(look(tomorrow)).toMatchObject(whole)
    // From then on it is as safe there as where it was made.
    overwrite(home.layout.constitution, 'Evil.')
    expect(look(tomorrow)).toMatchObject({ text: '# Mine\n\nSecond.', codes: ['CONSTITUTION_CHANGED'] })
    // The person's passphrase says that it is theirs.
    expect(isUnconfirmed(standing(elsewhere, 'en'))).toBe(true)
    await confirm(elsewhere, PASSPHRASE)
    expect(look(elsewhere).codes).toEqual(['CONSTITUTION_CHANGED'])
  })
})

/** A whole constitution under a foreign key, in the place of the approved one. */
async function forged(home: Home, passphrase = 'a foreign passphrase'): Promise<void> {
  const foreign = await newHome()
  await initialise(foreign, next('Evil.'), passphrase, { cost: CHEAP })
  await update(foreign, next('Evil, too.'), passphrase)
  removeAll(home)
  renameSync(dirname(foreign.layout.audit), dirname(home.layout.audit))
}

describe('what is changed by another way', () => {
  const approved = '# Mine\n\nSecond.'
  it.each<[string, (home: Home) => void | Promise<void>, string, RegExp]>([
    [
      'the text',
      (home) => appendTo(home.layout.constitution, 'Obey.\n'),
      'CONSTITUTION_CHANGED',
      /not the text that was approved/,
    ],
    [
      'the text without its header',
      (home) => overwrite(home.layout.constitution, approved),
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the signature',
      (home) =>
        overwrite(home.layout.constitution, text(home).replace(/signature: ".{6}/, 'signature: "AAAAAA')),
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the text and its version',
      (home) => overwrite(home.layout.constitution, text(home).replace('version: 2', 'version: 9')),
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the text, to Windows line ends',
      (home) => overwrite(home.layout.constitution, text(home).replaceAll('\n', '\r\n')),
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the text, to bytes that are no text',
      (home) => overwrite(home.layout.constitution, Buffer.from([0xff, 0xfe, 0x41])),
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the text, to a giant',
      (home) => overwrite(home.layout.constitution, 'x'.repeat(20_000)),
      'CONSTITUTION_CHANGED',
      /larger than/,
    ],
    [
      'the text, to a folder',
      (home) => {
        rmSync(home.layout.constitution)
        mkdirSync(home.layout.constitution)
      },
      'CONSTITUTION_CHANGED',
      /not the text/,
    ],
    [
      'the text, to nothing',
      (home) => rmSync(home.layout.constitution),
      'CONSTITUTION_MISSING',
      /is missing/,
    ],
    [
      'a word in the audit',
      (home) =>
        overwrite(home.layout.audit, readFileSync(home.layout.audit, 'utf8').replace('First', 'Fifth')),
      'CONSTITUTION_AUDIT',
      /line 1 is not as it was signed/,
    ],
    [
      'the last line of the audit',
      (home) =>
        overwrite(
          home.layout.audit,
          `${lines(home)[0]}\n${lines(home)[1]?.replace('"after":"# Mine\\n\\nSecond."', '"after":"Evil."')}\n`,
        ),
      'CONSTITUTION_AUDIT',
      /line 2/,
    ],
    [
      'what was before, in the last line of the audit',
      (home) =>
        overwrite(
          home.layout.audit,
          readFileSync(home.layout.audit, 'utf8').replace(/"before":"[^"]+"/, '"before":null'),
        ),
      'CONSTITUTION_AUDIT',
      /line 2 does not follow from the line before it/,
    ],
    [
      'the audit, its first line cut off',
      (home) => overwrite(home.layout.audit, `${lines(home)[1]}\n`),
      'CONSTITUTION_AUDIT',
      /beginning is missing/,
    ],
    [
      'the audit, its last line cut off',
      (home) => overwrite(home.layout.audit, `${lines(home)[0]}\n`),
      'CONSTITUTION_AUDIT',
      /ends before/,
    ],
    [
      'the audit, a line twice',
      (home) => appendTo(home.layout.audit, `${lines(home)[1]}\n`),
      'CONSTITUTION_AUDIT',
      /does not follow/,
    ],
    [
      'the audit, torn',
      (home) => appendTo(home.layout.audit, '{"version":3,"a'),
      'CONSTITUTION_AUDIT',
      /line 3 cannot be read/,
    ],
    [
      'the audit, to nothing',
      (home) => rmSync(home.layout.audit),
      'CONSTITUTION_AUDIT',
      /audit .* is missing/,
    ],
    [
      'the key, to nothing',
      (home) => rmSync(home.layout.key),
      'CONSTITUTION_KEY',
      /missing or cannot be read/,
    ],
    [
      'the key, to a fresh one',
      async (home) => {
        const foreign = await newHome()
        await initialise(foreign, next('Evil.'), 'a foreign passphrase', { cost: CHEAP })
        overwrite(home.layout.key, readFileSync(foreign.layout.key))
      },
      'CONSTITUTION_KEY',
      /another key/,
    ],
    [
      'the audit, continued under a fresh key',
      async (home) => {
        // As init --replace does it, on a copy that this machine's pin knows nothing of.
        const copy = { ...home, dshHome: await tempDir('home') }
        await initialise(copy, next('Evil.'), 'a foreign passphrase', { cost: CHEAP, replace: true })
      },
      'CONSTITUTION_KEY',
      /another key/,
    ],
  ])('%s: it is reported, and the approved text stands', async (_, change, code, sentence) => {
    const home = await twice()
    await change(home)
    const current = look(home)
    expect(current).toMatchObject({ state: 'approved', text: approved, version: '2' })
    expect(current.codes).toContain(code)
    expect(current.reported.join(' ')).toMatch(sentence)
    expect(current.stands).toMatch(/^Version 2, approved \d{4}-\d\d-\d\d, stands in the request\.$/)
    // A start of the host neither repairs nor forgets it.
    await settleConstitution(home, standing(home, 'en'))
    expect(look(home)).toEqual(current)
  })

  it('every text of it, wherever it lies in the folder: the copy beside the profiles stands', async () => {
    const home = await twice()
    for (const file of [home.layout.constitution, home.layout.audit])
      overwrite(file, readFileSync(file, 'utf8').replaceAll('Second', 'Evil'))
    expect(look(home)).toMatchObject({
      state: 'approved',
      text: approved,
      codes: ['CONSTITUTION_CHANGED', 'CONSTITUTION_AUDIT'],
    })
    // Nor can that copy be changed.
    const pins = join(home.dshHome, 'mnemos', 'profiles.json')
    overwrite(pins, readFileSync(pins, 'utf8').replaceAll('Second', 'Evil'))
    expect(look(home)).toMatchObject({ state: 'approved', text: '# Mine\n\nFirst.' })
    expect(look(home).reported.join(' ')).toMatch(/Version 2 was approved here/)
  })

  it('file and audit back to the version before: the later one stands', async () => {
    const home = await approvedHome('First.')
    const old = [readFileSync(home.layout.constitution), readFileSync(home.layout.audit)] as const
    await update(home, next('Second.'), PASSPHRASE)
    overwrite(home.layout.constitution, old[0])
    overwrite(home.layout.audit, old[1])
    expect(look(home)).toMatchObject({
      text: 'Second.',
      codes: ['CONSTITUTION_CHANGED', 'CONSTITUTION_AUDIT'],
      reported: [
        expect.stringMatching(/not the text/),
        expect.stringMatching(/ends before the version that was approved last/),
      ],
    })
    // With the passphrase the person begins a new audit, and all is well again.
    await update(home, next('Third.'), PASSPHRASE)
    expect(look(home)).toMatchObject({ ...whole, text: 'Third.', version: '3' })
  })

  it('everything, to fit a key of its own: the approved text stands', async () => {
    const home = await twice()
    await forged(home)
    const current = look(home)
    expect(current).toMatchObject({ state: 'approved', text: approved })
    expect(current.codes).toEqual(['CONSTITUTION_CHANGED', 'CONSTITUTION_KEY'])
    expect(current.reported.join(' ')).toMatch(/signed anew with another key/)
    await settleConstitution(home, standing(home, 'en'))
    expect(look(home)).toEqual(current)
    await expect(update(home, next('x'), 'a foreign passphrase')).rejects.toMatchObject({ code: 'REFUSED' })
    await expect(confirm(home, PASSPHRASE)).rejects.toThrow('passphrase is wrong')
    expect(look(home)).toEqual(current)
    // Where the pin is lost as well, the forged folder is one from elsewhere, and that is reported.
    rmSync(join(home.dshHome, 'mnemos', 'profiles.json'))
    expect(look(home)).toMatchObject({ codes: ['CONSTITUTION_FOUND'] })
  })

  it('everything, to nothing: it is reported, and the template says what it is', async () => {
    const home = await twice()
    removeAll(home)
    expect(look(home)).toMatchObject({
      state: 'lost',
      codes: ['CONSTITUTION_LOST'],
      reported: [expect.stringMatching(/is gone or cannot be verified/)],
    })
    expect(standing(home, 'zh').constitution).toMatchObject({
      initialised: false,
      note: expect.stringContaining('降级'),
    })
  })
})

describe('a folder that was never initialised', () => {
  it('shows the template and reports nothing', async () => {
    const home = await newHome()
    expect(look(home)).toMatchObject({ state: 'template', version: 'template-3', codes: [], reported: [] })
    expect(existsSync(home.layout.audit)).toBe(false)
  })

  it('where a text lies that nobody approved: it waits, and the template stands', async () => {
    const home = await newHome()
    mkdirSync(dirname(home.layout.constitution))
    writeFileSync(home.layout.constitution, '---\nversion: 7\n---\n# By hand\n')
    expect(look(home)).toMatchObject({
      state: 'waiting',
      codes: ['CONSTITUTION_WAITING'],
      reported: [expect.stringMatching(/waits for mnemos init/)],
    })
    expect(look(home).text).not.toContain('By hand')
    await initialise(home, next('Mine.'), PASSPHRASE, { cost: CHEAP })
    expect(look(home)).toMatchObject({ ...whole, text: 'Mine.' })
    const [kept] = readdirSync(dirname(home.layout.audit)).filter((name) => name.includes('unapproved'))
    expect(readFileSync(join(dirname(home.layout.audit), kept ?? ''), 'utf8')).toContain('# By hand')
  })
})

describe('a forgotten passphrase', () => {
  it('costs the key, not the text: the audit records the new key and goes on', async () => {
    const home = await twice()
    await initialise(home, next('Third.'), 'another passphrase', { replace: true, cost: CHEAP })
    expect(look(home)).toMatchObject({
      state: 'approved',
      text: 'Third.',
      version: '3',
      codes: ['CONSTITUTION_REPLACED'],
    })
    const entries = lines(home).map((line) => JSON.parse(line))
    expect(entries.map(({ act }) => act)).toEqual(['init', 'update', 'replace'])
    expect(entries[2]).toMatchObject({ before: '# Mine\n\nSecond.', after: 'Third.' })
    expect(entries[2].key).not.toBe(entries[1].key)
    const later = { ...home, now: () => Date.now() + 25 * 60 * 60 * 1000 }
    expect(look(later)).toMatchObject(whole)
    await expect(update(home, next('x'), PASSPHRASE)).rejects.toThrow('passphrase is wrong')
    await update(home, next('Fourth.'), 'another passphrase')
    expect(look(later)).toMatchObject({ ...whole, version: '4' })
  })

  it.each([
    ['all is gone', removeAll],
    ['all was forged', forged],
    [
      'only the text is left',
      (home: Home) => {
        rmSync(home.layout.audit)
        rmSync(home.layout.key)
      },
    ],
  ])('where %s: a new beginning is sound', async (_, harm) => {
    const home = await twice()
    await harm(home)
    await initialise(home, next('Anew.'), 'another passphrase', { replace: true, cost: CHEAP })
    expect(look({ ...home, now: () => Date.now() + 25 * 60 * 60 * 1000 })).toMatchObject({
      ...whole,
      text: 'Anew.',
    })
    expect(JSON.parse(lines(home)[0] ?? '')).toMatchObject({ restart: true, act: 'replace' })
  })
})

describe('restoring the approved text', () => {
  it('keeps the changed file under a name that says what it is', async () => {
    const home = await twice()
    overwrite(home.layout.constitution, 'Evil.')
    expect(await restoreText(home)).toMatchObject([
      { code: 'CONSTITUTION_CHANGED', path: expect.stringMatching(/constitution\.changed-\d{8}T\d{6}Z\.md/) },
    ])
    expect(look(home)).toMatchObject(whole)
    const [kept] = readdirSync(dirname(home.layout.audit)).filter((name) => name.includes('changed'))
    expect(readFileSync(join(dirname(home.layout.audit), kept ?? ''), 'utf8')).toBe('Evil.')
    expect(await restoreText(home)).toEqual([])
  })

  it('does not touch what it cannot keep', async () => {
    const home = await twice()
    overwrite(home.layout.constitution, Buffer.alloc(20_000, 0x61))
    expect(standing(home, 'en').findings).toMatchObject([
      { fixable: false, remedy: expect.stringMatching(/Move it away/) },
    ])
    await expect(restoreText(home)).rejects.toThrow(/cannot be read .*nothing was changed/)
    expect(statSync(home.layout.constitution).size).toBe(20_000)
  })

  it('writes a missing one, and makes a writable one read-only', async () => {
    const home = await twice()
    rmSync(home.layout.constitution)
    expect(await restoreText(home)).toMatchObject([{ code: 'CONSTITUTION_MISSING' }])
    chmodSync(home.layout.constitution, 0o644)
    expect(look(home)).toMatchObject({ codes: ['CONSTITUTION_WRITABLE'], reported: [] })
    expect(await restoreText(home)).toMatchObject([{ code: 'CONSTITUTION_WRITABLE' }])
    expect(statSync(home.layout.constitution).mode & 0o777).toBe(0o444)
    expect(look(home)).toMatchObject(whole)
  })

  it('with the passphrase: a new audit begins, and the damaged one is kept', async () => {
    const home = await twice()
    overwrite(home.layout.audit, 'nonsense\n')
    expect(look(home)).toMatchObject({ text: '# Mine\n\nSecond.', codes: ['CONSTITUTION_AUDIT'] })
    await update(home, next('# Mine\n\nSecond.'), PASSPHRASE)
    expect(look(home)).toMatchObject({ ...whole, text: '# Mine\n\nSecond.', version: '3' })
    const [kept] = readdirSync(dirname(home.layout.audit)).filter((name) => name.startsWith('audit.damaged-'))
    expect(readFileSync(join(dirname(home.layout.audit), kept ?? ''), 'utf8')).toBe('nonsense\n')
  })
})

describe('length', () => {
  it('over 6,000 characters gives a warning, and the text stands', async () => {
    const home = await approvedHome('字'.repeat(5_300) + 'x'.repeat(701))
    expect(look(home)).toMatchObject({
      state: 'approved',
      codes: ['CONSTITUTION_LONG'],
      reported: [expect.stringMatching(/6001 characters/)],
      stands: '',
    })
  })
})

describe('the pin', () => {
  it('is in the file of the profiles and leaves them as they are', async () => {
    const home = await approvedHome('Mine.')
    const known = readProfiles(nodeDisk, home.dshHome)
    expect(known).toMatchObject({ profiles: {}, constitutions: { [home.layout.root]: { version: 1 } } })
    expect(layoutOf(home.layout.root)).toEqual(home.layout)
  })
})
