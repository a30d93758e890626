/** An approval that is interrupted anywhere leaves the old or the new text in force, and no change is reported. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../src/base/disk.ts'
import { packagePath } from '../../src/base/package.ts'
import { initialise, update } from '../../src/constitution/approve.ts'
import type { Home } from '../../src/constitution/constitution-files.ts'
import { settleConstitution } from '../../src/constitution/restore.ts'
import { type ConstitutionStanding, standing } from '../../src/constitution/standing.ts'
import { Ledger } from '../../src/files/ledger.ts'
import { CHEAP, newHome, PASSPHRASE } from '../support/constitution.ts'
import { failingDisk, type MemoryDisk, memoryDisk } from '../support/store.ts'

const next = (text: string) => ({ text, language: 'en' as const })
/** What is reported for a disk in memory, which has no permissions, and for a replacement that was completed. */
const EXPECTED_CODES = new Set(['CONSTITUTION_WRITABLE', 'CONSTITUTION_REPLACED'])
const unexpected = ({ findings }: ConstitutionStanding) =>
  findings.filter(({ code }) => !EXPECTED_CODES.has(code))

interface Case {
  name: string
  /** What happened before on a sound disk. */
  before(home: Home): Promise<void>
  act(home: Home): Promise<unknown>
  /** Texts that may stand afterwards; undefined is the template. */
  texts: readonly (string | undefined)[]
  /** What may be reported, because it is true. */
  may?: RegExp
  /** What the person does next, whatever came of it. */
  afterwards(home: Home): Promise<unknown>
}

const initialised = async (home: Home) => {
  await initialise(home, next('First.'), PASSPHRASE, { cost: CHEAP })
}
const waiting = (text: string) => async (home: Home) => {
  home.disk.replace(home.layout.constitution, text)
}
const begin = (home: Home) => initialise(home, next('New.'), PASSPHRASE, { cost: CHEAP })
const orReplace = (home: Home) =>
  initialise(home, next('Last.'), 'a third passphrase', { cost: CHEAP, replace: true })

const CASES: Case[] = [
  { name: 'init', before: async () => {}, act: begin, texts: [undefined, 'New.'], afterwards: orReplace },
  {
    name: 'init over another text',
    before: waiting('By hand.'),
    act: begin,
    texts: [undefined, 'New.'],
    may: /waits for mnemos init/,
    afterwards: orReplace,
  },
  {
    name: 'init with the text that is there',
    before: waiting('New.\n'),
    act: begin,
    texts: [undefined, 'New.'],
    may: /waits for mnemos init/,
    afterwards: orReplace,
  },
  {
    name: 'update',
    before: initialised,
    act: (home) => update(home, next('New.'), PASSPHRASE),
    texts: ['First.', 'New.'],
    afterwards: (home) => update(home, next('Last.'), PASSPHRASE),
  },
  {
    name: 'init --replace',
    before: initialised,
    act: (home) => initialise(home, next('New.'), 'another passphrase', { cost: CHEAP, replace: true }),
    texts: ['First.', 'New.'],
    may: /replacement of the constitution was interrupted/,
    afterwards: orReplace,
  },
]

/** The person continues after every third step only, since each continuation takes several locks. */
const CONTINUES_EVERY = 3

/** The same home on another disk. */
const on = (home: Home, disk: Disk): Home => ({ ...home, disk })

describe.each(CASES)('$name, interrupted at every step', ({ name, before, act, texts, may, afterwards }) => {
  it.each([
    ['by the end of the process', true],
    ...(name === 'update' ? [['by a call that fails', false] as const] : []),
  ] as const)('%s', async (_, dead) => {
    // The locks are real folders; the files are not.
    const home = await newHome()
    mkdirSync(join(home.dshHome, 'mnemos'))
    const start = memoryDisk()
    const template = packagePath('constitution', 'en.md')
    start.replace(template, readFileSync(template))
    await before(on(home, start))
    const counting = failingDisk(Number.POSITIVE_INFINITY, 'EIO', false, memoryDisk(start))
    await act(on(home, counting.disk))
    const seen = new Set<string | undefined>()

    for (let step = 1; step <= counting.calls(); step++) {
      const real: MemoryDisk = memoryDisk(start)
      const { disk, failed } = failingDisk(step, 'EIO', dead, real)
      const done = await act(on(home, disk)).then(
        () => true,
        () => false,
      )
      const where = `step ${step} (${failed()})`
      const after = on(home, real)
      const stood = standing(after, 'en')
      const text = stood.approved?.text
      expect([where, texts.includes(text)]).toEqual([where, true])
      // What was answered is so: but for a file that is on disk and whose writer died in that moment.
      if (done) expect(text).toBe('New.')
      else if (!dead && failed() !== 'replace: after the rename') expect(text).not.toBe('New.')
      seen.add(text)
      const wrong = unexpected(stood).filter(
        ({ code, sentence }) => code !== 'CONSTITUTION_UNFINISHED' && !may?.test(sentence),
      )
      expect([where, wrong]).toEqual([where, []])

      // The next start finishes it, and only it.
      await settleConstitution(after, stood)
      const settled = standing(after, 'en')
      expect([where, settled.approved?.text, settled.unfinished]).toEqual([where, text, false])
      expect([where, unexpected(settled).filter(({ sentence }) => !may?.test(sentence))]).toEqual([where, []])
      const lines = new Ledger(real, after.layout.ledger).read()
      const versions = lines.entries.map(({ rev }) => rev[1])
      expect([where, versions]).toEqual([
        where,
        [...Array(settled.approved?.version ?? 0).keys()].map((n) => n + 1),
      ])

      if (step % CONTINUES_EVERY !== 0) continue
      await afterwards(after)
      const last = standing(after, 'en')
      expect([where, last.approved?.text, unexpected(last)]).toEqual([where, 'Last.', []])
    }
    // Both ends were met.
    expect([...seen].sort()).toEqual([...texts].sort())
  })
})
