/** The audit: which lines are sound, and files that an earlier version wrote. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { confirm, initialise, update } from '../../../src/constitution/approve.ts'
import {
  type AuditDraft,
  type AuditEntry,
  auditLine,
  newAuditEntry,
  readAudit,
} from '../../../src/constitution/audit.ts'
import type { Home } from '../../../src/constitution/constitution-files.ts'
import { newKeyPair } from '../../../src/constitution/signing.ts'
import { standing } from '../../../src/constitution/standing.ts'
import { approvedHome, CHEAP, copyOf, newHome, overwrite, PASSPHRASE } from '../../support/constitution.ts'

const next = (text: string) => ({ text, language: 'en' as const })
const codes = (home: Home) => standing(home, 'en').findings.map(({ code }) => code)
const pins = ({ dshHome }: Home) => join(dshHome, 'mnemos', 'profiles.json')
const fault = ({ disk, layout }: Home) => readAudit(disk, layout.audit).fault
const read = ({ layout }: Home): AuditEntry[] =>
  readFileSync(layout.audit, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const write = ({ layout }: Home, entries: readonly AuditEntry[]) =>
  overwrite(layout.audit, entries.map((entry) => `${auditLine(entry)}\n`).join(''))

const TEXTS = ['First.', 'Second.', 'Third.', 'Fourth.']
let made: Promise<Home> | undefined

/** A constitution with a version for each of the texts. */
async function fourTimes(): Promise<Home> {
  made ??= approvedHome('First.').then(async (home) => {
    for (const text of TEXTS.slice(1)) await update(home, next(text), PASSPHRASE)
    return home
  })
  return copyOf(await made)
}

const draft = (version: number, more: Partial<AuditDraft> = {}): AuditDraft => ({
  act: 'update',
  version,
  at: '2026-01-01T00:00:00.000Z',
  language: 'en',
  before: TEXTS[version - 2] ?? null,
  text: TEXTS[version - 1] ?? 'Fifth.',
  restart: false,
  ...more,
})

describe('a line of the audit', () => {
  it('of an approval holds the texts before and after, and the signature of the new one', async () => {
    const home = await fourTimes()
    expect(fault(home)).toBeUndefined()
    expect(read(home).map((entry) => Object.keys(entry))).toEqual(
      TEXTS.map(() => ['version', 'at', 'act', 'language', 'before', 'after', 'key', 'signature']),
    )
  })

  it.each<[string, string, (lines: AuditEntry[]) => AuditEntry[]]>([
    [
      'with another text',
      'line 2 is not as it was signed',
      (lines) => lines.map((one) => (one.version === 2 ? { ...one, after: 'Evil.' } : one)),
    ],
    [
      'with another text, to which the next line is changed to fit',
      'line 2 is not as it was signed',
      (lines) =>
        lines.map((one) =>
          one.version === 2
            ? { ...one, after: 'Evil.' }
            : one.version === 3
              ? { ...one, before: 'Evil.' }
              : one,
        ),
    ],
    [
      'with another text before',
      'line 3 does not follow from the line before it',
      (lines) => lines.map((one) => (one.version === 3 ? { ...one, before: 'Evil.' } : one)),
    ],
    [
      'with another time',
      'line 2 is not as it was signed',
      (lines) => lines.map((one) => (one.version === 2 ? { ...one, at: '2020-01-01T00:00:00.000Z' } : one)),
    ],
    [
      'with another version',
      'line 4 is not as it was signed',
      (lines) => lines.map((one) => (one.version === 4 ? { ...one, version: 5 } : one)),
    ],
    [
      'that names a new key where there is none',
      'line 3 does not follow from the line before it',
      (lines) => lines.map((one) => (one.version === 3 ? { ...one, act: 'replace' } : one)),
    ],
    [
      'that names a beginning where there is none',
      'line 3 does not follow from the line before it',
      (lines) => lines.map((one) => (one.version === 3 ? { ...one, act: 'init' } : one)),
    ],
    [
      'that names a new audit where there is none',
      'line 3 does not follow from the line before it',
      (lines) => lines.map((one) => (one.version === 3 ? { ...one, restart: true } : one)),
    ],
    [
      'that is left out',
      'line 2 does not follow from the line before it',
      (lines) => lines.filter(({ version }) => version !== 2),
    ],
    [
      'that is left out, to which the next line is changed to fit',
      'line 2 does not follow from the line before it',
      (lines) =>
        lines
          .filter(({ version }) => version !== 2)
          .map((one) => (one.version === 3 ? { ...one, before: 'First.' } : one)),
    ],
    ['the first, that is left out', 'its beginning is missing', (lines) => lines.slice(1)],
    [
      'that is there twice',
      'line 3 does not follow from the line before it',
      (lines) => lines.toSpliced(2, 0, ...lines.slice(1, 2)),
    ],
    [
      'in another place',
      'line 2 does not follow from the line before it',
      (lines) => [0, 2, 1, 3].flatMap((at) => lines.slice(at, at + 1)),
    ],
    [
      'that a foreign key put in',
      'line 5 changes the key without saying so',
      (lines) => [...lines, newAuditEntry(draft(5), newKeyPair())],
    ],
    [
      'that a foreign key put in for an approved one',
      'line 3 changes the key without saying so',
      (lines) => [...lines.slice(0, 2), newAuditEntry(draft(3), newKeyPair()), ...lines.slice(3)],
    ],
  ])('%s is found, and the approved text stands', async (_, sentence, change) => {
    const home = await fourTimes()
    write(home, change(read(home)))
    expect(fault(home)).toBe(sentence)
    expect(standing(home, 'en')).toMatchObject({
      state: 'approved',
      constitution: { text: 'Fourth.', version: '4' },
      reported: [`The audit of the constitution was changed: ${sentence}.`],
      stands: expect.stringMatching(/^Version 4, approved \S+, stands in the request\.$/),
    })
  })

  it('that continues under a foreign key and says so is sound, and the pinned key decides', async () => {
    const home = await fourTimes()
    write(home, [...read(home), newAuditEntry(draft(5, { act: 'replace', text: 'Evil.' }), newKeyPair())])
    expect(fault(home)).toBeUndefined()
    expect(standing(home, 'en').constitution.text).toBe('Fourth.')
    expect(codes(home)).toEqual(['CONSTITUTION_KEY'])
  })
})

describe('two machines that approve the same version', () => {
  it('find the text of the other one, and the next approval begins a new audit', async () => {
    const home = await fourTimes()
    const other = await copyOf(home)
    await update(home, next('Here.'), PASSPHRASE)
    await update(other, next('There.'), PASSPHRASE)
    overwrite(home.layout.audit, readFileSync(other.layout.audit))
    expect(standing(home, 'en')).toMatchObject({
      constitution: { text: 'Here.', version: '5' },
      reported: ['Version 5 in the audit of the constitution is another one than was approved here.'],
    })
    await update(home, next('Sixth.'), PASSPHRASE)
    expect(codes(home)).toEqual([])
    expect(read(home)).toMatchObject([{ version: 6, restart: true, before: 'Here.', after: 'Sixth.' }])
  })

  it('are not reported where only the copy in profiles.json was changed', async () => {
    const home = await fourTimes()
    writeFileSync(pins(home), readFileSync(pins(home), 'utf8').replace('Fourth.', 'Evil.'))
    expect(standing(home, 'en').constitution.text).toBe('Fourth.')
    expect(codes(home)).toEqual([])
  })
})

describe('a key that is confirmed', () => {
  it('pins the last text that it signed, not a forged line with its name', async () => {
    const home = await fourTimes()
    const lines = read(home)
    const forged = lines.slice(-1).map((one) => ({ ...one, version: 9_000, after: 'Evil.' }))
    write(home, [...lines, ...forged])
    rmSync(pins(home))
    expect(await confirm(home, PASSPHRASE)).toMatchObject({ version: 4 })
    expect(standing(home, 'en').constitution.text).toBe('Fourth.')
  })
})

/**
 * A constitution of the version that also wrote `prev` and `seal` into each line, and `head` into the pin: two
 * approvals, one under a new key, and one more.
 */
const EARLIER = {
  'audit.jsonl': [
    '{"version":1,"at":"2026-01-02T03:08:05.000Z","act":"init","language":"en","before":null,"after":"First.","key":"MCowBQYDK2VwAyEAOQLq63K+lYqfLiphcQe3JB8mJemKXl9+ZmZgI/9j/NM=","prev":"","signature":"ktzxKZXXfafkzu9T4/Tt1CpYoPUINSdKWBmukF+NUrRdehItguaqbfs5KdOgtm8ZQYiM5/1DBGxK0hqNrf3uCg==","seal":"uxPlFK5aqNX2ujKF4wVkIO4qoAY5W7AnLryJK82O+HiPoN3HiPzMx7Le0fdyRjNy3ki5FeDmsmJV1BgZbDqhDA=="}',
    '{"version":2,"at":"2026-01-02T03:12:05.000Z","act":"update","language":"en","before":"First.","after":"Second.","key":"MCowBQYDK2VwAyEAOQLq63K+lYqfLiphcQe3JB8mJemKXl9+ZmZgI/9j/NM=","prev":"39200af9785774cf492a0b2cc9b4684834d691b0e66050b71bc0a2d4e644ce41","signature":"rokXhMRmtL6kbZ5XEM1kzLCp9vtDbbO03mSqeGXUjUNEs/xxQC6hyU4DvhM5tZEZivtGItPRNRdOxjG4wcmQAw==","seal":"1JQaXw/imNZNbyHcKDT8jciZIbS4QmJIsUvb50YgmQP0vxZppAmYZPvxjsnwHQT/WsWgUKftHQXINSQKwyvmCQ=="}',
    '{"version":3,"at":"2026-01-02T03:16:05.000Z","act":"replace","language":"en","before":"Second.","after":"Third.","key":"MCowBQYDK2VwAyEAs1G3ouSQnuipixJcfi2mbhUrQQvQmJT4QJY54YC7MKk=","prev":"99e4af8d3af762d9fb33616f68f253ea7ddb14dd29fd568078c5c8560e29fc89","signature":"Nxm6qiWHoSZAa8gzvkF5/HiIBa6fyiL/D5CG4U3P2i+BXnRROGsK5atBylVSKP3HcS9f1eC/y2aYK3/DzfJAAQ==","seal":"bl3f1wxIcwZHYN8lfKw7g3M+ymawOCvOb/Touf7e1oW1x7ameune7FXFHvCG9ueQakAoYOxhn4TzPeIZPSq2DQ=="}',
    '{"version":4,"at":"2026-01-02T03:20:05.000Z","act":"update","language":"en","before":"Third.","after":"Fourth.","key":"MCowBQYDK2VwAyEAs1G3ouSQnuipixJcfi2mbhUrQQvQmJT4QJY54YC7MKk=","prev":"b0e188cce1bac84044fe68807fe680750a845cd8e5bea935988616aeccb98043","signature":"UUxz5+Cw0cQvAPL/zs4TpJQ0RDD7WWMBaCmZP2VDe+6Obf0FDcYDsE1A6AgJmQ6V/pry4r/Y2wscaqpLRj8IBw==","seal":"UQkBslt2q72+G+3NcvU7bvmZ+i2s9egYypFQScPkxuktLYXpYnUzxlIBwHZhmxnFMHx9Jp1i8bkuZU9xjj4vAA=="}',
    '',
  ].join('\n'),
  'constitution.md':
    '---\nversion: 4\nlanguage: en\napproved: "2026-01-02T03:20:05.000Z"\nsignature: "UUxz5+Cw0cQvAPL/zs4TpJQ0RDD7WWMBaCmZP2VDe+6Obf0FDcYDsE1A6AgJmQ6V/pry4r/Y2wscaqpLRj8IBw=="\n---\n\nFourth.\n',
  'key.json':
    '{"publicKey":"MCowBQYDK2VwAyEAs1G3ouSQnuipixJcfi2mbhUrQQvQmJT4QJY54YC7MKk=","sealed":{"kdf":"scrypt","N":16,"r":1,"p":1,"salt":"g+6m0WDEq60bfhfHO8IwLw==","cipher":"aes-256-gcm","iv":"itoD0CMpzrBJfDIB","tag":"772c2sn6P6GK2/Maj0qs2A==","data":"rEAYpJoYgfFCXgu0lslL2iV49HtHvrF67V+Sd65Lnp5AbBpZvDIHx3WU5JZnjJyO"}}\n',
}
const EARLIER_PIN = {
  publicKey: 'MCowBQYDK2VwAyEAs1G3ouSQnuipixJcfi2mbhUrQQvQmJT4QJY54YC7MKk=',
  version: 4,
  head: 'f7c87050c0d6235e0e32ffb19bba0d2148b3ee54c5a6e2d869d5b7fbeb48b268',
  at: '2026-01-02T03:21:05.000Z',
  approved: {
    language: 'en',
    at: '2026-01-02T03:20:05.000Z',
    text: 'Fourth.',
    signature: 'UUxz5+Cw0cQvAPL/zs4TpJQ0RDD7WWMBaCmZP2VDe+6Obf0FDcYDsE1A6AgJmQ6V/pry4r/Y2wscaqpLRj8IBw==',
  },
}

async function earlierHome(): Promise<Home> {
  const home = await newHome()
  const folder = dirname(home.layout.audit)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(EARLIER)) {
    const mode = name === 'constitution.md' ? 0o444 : 0o600
    writeFileSync(join(folder, name), content, { mode })
  }
  mkdirSync(dirname(pins(home)))
  const profiles = { profiles: {}, constitutions: { [home.layout.root]: EARLIER_PIN } }
  writeFileSync(pins(home), JSON.stringify(profiles))
  return home
}

describe('files of an earlier version', () => {
  it('are sound, and go on with the passphrase: the old lines stay as they are', async () => {
    const home = await earlierHome()
    expect(fault(home)).toBeUndefined()
    expect(standing(home, 'en')).toMatchObject({
      state: 'approved',
      constitution: { text: 'Fourth.', version: '4' },
      findings: [],
      nextPin: undefined,
    })
    await update(home, next('Fifth.'), PASSPHRASE)
    expect(readFileSync(home.layout.audit, 'utf8').startsWith(EARLIER['audit.jsonl'])).toBe(true)
    expect(fault(home)).toBeUndefined()
    expect(standing(home, 'en')).toMatchObject({ constitution: { text: 'Fifth.' }, findings: [] })
    await initialise(home, next('Sixth.'), 'another passphrase', { cost: CHEAP, replace: true })
    expect(fault(home)).toBeUndefined()
    expect(codes(home)).toEqual(['CONSTITUTION_REPLACED'])
  })

  it.each([
    ['a word of an old line', 'Second."', 'Evil."', 'line 2 is not as it was signed'],
    [
      'the text before of an old line',
      '"before":"Second."',
      '"before":"Evil."',
      'line 3 does not follow from the line before it',
    ],
    [
      'the act of the line with the new key',
      '"act":"replace"',
      '"act":"update"',
      'line 3 changes the key without saying so',
    ],
  ])('with %s changed: it is found', async (_, from, to, sentence) => {
    const home = await earlierHome()
    overwrite(home.layout.audit, EARLIER['audit.jsonl'].replace(from, to))
    expect(fault(home)).toBe(sentence)
    expect(standing(home, 'en').constitution.text).toBe('Fourth.')
    expect(codes(home)).toEqual(['CONSTITUTION_AUDIT'])
  })

  it('with the pin of version 4, where file and audit are put back to version 3: version 4 stands', async () => {
    const home = await earlierHome()
    const lines = EARLIER['audit.jsonl'].split('\n')
    overwrite(home.layout.audit, `${lines.slice(0, 3).join('\n')}\n`)
    rmSync(home.layout.constitution)
    expect(standing(home, 'en').constitution.text).toBe('Fourth.')
    expect(standing(home, 'en').reported.join(' ')).toMatch(/ends before the version that was approved last/)
  })
})
