/** The self-history's budgets: whatever lies in the folder, the part keeps within them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCharacters } from '../../../src/base/text.ts'
import { type MemoryRecord, recordSchema } from '../../../src/record/record.ts'
import {
  AROUND_CHARACTERS,
  IDENTITY_BLOCK_CHARACTERS,
  IDENTITY_CHARACTERS,
  SELF_HISTORY_CHARACTERS,
} from '../../../src/self-history/budget.ts'
import { drawSelfHistory } from '../../../src/self-history/self-history.ts'
import { waitingLine } from '../../../src/self-history/waiting.ts'

let serial = 0
/** Records made one after the other are a day apart. */
function record(kind: string, summary: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  const n = ++serial
  const at = new Date(Date.UTC(2026, 0, n)).toISOString()
  return recordSchema.parse({ id: `id${n}`, kind, summary, created: at, updated: at, ...more })
}
const reader = { workspace: 'here', isolate: false, now: Date.UTC(2100, 0, 1) }
const draw = (records: MemoryRecord[], more: Partial<typeof reader> = {}) =>
  drawSelfHistory(records, { ...reader, ...more }, 'en')

const long = (word: string) => word.repeat(200).slice(0, 200)

const record0 = record('note', 'waits', { confirmed: false })

describe('the self-history', () => {
  it('shows identity oldest first, the last 3 decisions and the newest 5 experiences, and counts the rest', () => {
    serial = 0
    const records = [
      record('identity', 'plain words'),
      ...[1, 2, 3, 4].map((n) => record('decision', `decision ${n}`)),
      record('identity', 'short answers'),
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => record('experience', `lesson ${n}`)),
      record('note', 'no part of it'),
    ]
    expect(draw(records)).toBe(
      [
        'Identity:',
        '- plain words (id1)',
        '- short answers (id6)',
        'Last decisions:',
        '- 2026-01-05 decision 4 (id5)',
        '- 2026-01-04 decision 3 (id4)',
        '- 2026-01-03 decision 2 (id3)',
        'Last decisions: 1 more not shown',
        'Experience:',
        '- 2026-01-13 lesson 7 (id13)',
        '- 2026-01-12 lesson 6 (id12)',
        '- 2026-01-11 lesson 5 (id11)',
        '- 2026-01-10 lesson 4 (id10)',
        '- 2026-01-09 lesson 3 (id9)',
        'Experience: 2 more not shown',
      ].join('\n'),
    )
    expect(draw(records, { now: Date.UTC(2101, 0, 1) })).toBe(draw(records))
  })

  it('of nothing is nothing', () => {
    expect(draw([])).toBe('')
    expect(draw([record('note', 'a note')])).toBe('')
  })

  it.each([
    ['external', { source: 'external' as const }],
    ['deprecated', { status: 'deprecated' as const }],
    ['a candidate for reason untrusted', { status: 'candidate' as const, candidateReason: 'untrusted' }],
    ['unconfirmed', { confirmed: false }],
    ['expired', { validUntil: '2027-01-01T00:00:00.000Z' }],
    ['superseded', { supersededBy: ['other'] }],
    ['archived by hand', { status: 'archived' as const }],
  ])('never shows what is %s, nor counts it', (_, more) => {
    for (const kind of ['identity', 'decision', 'experience'])
      expect(draw([record(kind, 'x', more)])).toBe('')
  })

  it('counts the identity that became a candidate for want of room', () => {
    const overflow = record('identity', 'x', { status: 'candidate', candidateReason: 'overflow' })
    expect(draw([record('identity', 'plain words', { id: 'one' }), overflow])).toBe(
      'Identity:\n- plain words (one)\nIdentity: 1 more not shown',
    )
  })

  it('keeps workspaces apart where that is wanted, the counts too', () => {
    const records = [
      record('identity', 'everywhere', { id: 'a' }),
      record('identity', 'here', { id: 'b', workspace: 'here' }),
      record('identity', 'elsewhere', { id: 'c', workspace: 'elsewhere' }),
      record('identity', 'waits elsewhere', {
        workspace: 'elsewhere',
        status: 'candidate',
        candidateReason: 'overflow',
      }),
    ]
    expect(draw(records)).toContain('elsewhere (c)')
    expect(draw(records, { isolate: true })).toBe('Identity:\n- everywhere (a)\n- here (b)')
  })

  it('lets a curator choose the experiences', () => {
    const records = [1, 2, 3].map((n) => record('experience', `lesson ${n}`, { id: `e${n}` }))
    const text = drawSelfHistory(records, reader, 'en', (all) => all.slice(0, 1))
    expect(text).toMatch(/lesson 1 \(e1\)\nExperience: 2 more not shown$/)
  })

  it('shows 800 characters of identity as a person counts them, and not one more', () => {
    const families = (n: number) => '👨‍👩‍👧‍👦'.repeat(n)
    const four = Array.from({ length: 4 }, () => record('identity', families(200)))
    expect(draw(four)).not.toContain('not shown')
    expect(draw([...four, record('identity', 'x')])).toContain('Identity: 1 more not shown')
    const nearly = [...four.slice(0, 3), record('identity', families(199)), record('identity', 'x')]
    expect(draw(nearly)).not.toContain('not shown')
  })

  it('is full at 8 long entries and full identity, and every id still stands whole', () => {
    serial = 0
    const records = [
      ...Array.from({ length: 4 }, () => record('identity', long('ok '))),
      ...Array.from({ length: 4 }, () => record('decision', long('中文'))),
      ...Array.from({ length: 6 }, () => record('experience', long('word '))),
    ]
    const text = draw(records)
    expect(countCharacters(text)).toBeGreaterThan(2_000)
    expect(AROUND_CHARACTERS + countCharacters(text)).toBeLessThanOrEqual(SELF_HISTORY_CHARACTERS)
    const lines = text.split('\n').filter((line) => line.startsWith('- '))
    expect(lines).toHaveLength(4 + 3 + 5)
    for (const line of lines) expect(line).toMatch(/ \(id\d+\)$/)
  })

  it('draws every line from its own record, whatever the others are', () => {
    const one = record('decision', long('mine '), { id: 'mine' })
    const lineAmong = (word: string) => {
      const others = [1, 2, 3, 4, 5].map((n) =>
        record(n % 2 ? 'decision' : 'experience', word, { id: `o${n}` }),
      )
      const text = draw([...others.slice(0, 4), one, ...others.slice(4)])
      return text.split('\n').find((line) => line.endsWith('(mine)'))
    }
    expect(lineAmong('short')).toMatch(/^- \S+ mine mine .*… \(mine\)$/)
    expect(lineAmong(long('word '))?.slice(13)).toBe(lineAmong('short')?.slice(13))
  })

  it('cuts between characters alone', () => {
    const family = '👨‍👩‍👧‍👦'
    const records = Array.from({ length: 8 }, (_, n) =>
      record(n < 3 ? 'decision' : 'experience', family.repeat(200)),
    )
    const lines = draw(records)
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(lines).toHaveLength(8)
    for (const line of lines) expect(line).toMatch(new RegExp(`^- \\S+ (?:${family}){100,}… \\(id\\d+\\)$`))
  })

  const summary = fc
    .array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', minLength: 50, maxLength: 220 })),
    )
    .map((parts) => parts.join(''))
  const anyRecord = fc.record({
    kind: fc.constantFrom('identity', 'identity', 'decision', 'experience'),
    summary,
    id: fc.oneof(fc.constant('hvmmft4gks'), fc.stringMatching(/^[\p{L}\p{N}_-]{1,64}$/u)),
  })

  const many = Array.from({ length: 99_999 }, () => record0)
  const waiting = waitingLine(many, reader, 'en')

  it('keeps within its characters whatever it holds, each record on a line of its own', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 40 }), (all) => {
        const records = all.map((one, at) => ({
          ...record('note', 'x'),
          ...one,
          created: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
        }))
        const text = `${draw(records)}\n${waiting}`
        expect(AROUND_CHARACTERS + countCharacters(text)).toBeLessThanOrEqual(SELF_HISTORY_CHARACTERS)
        for (const line of text.split('\n'))
          expect(line).toMatch(
            /^(?:(?:Identity|Last decisions|Experience):(?: \d+ more not shown)?|- .* \(.*\)|\d+ entries wait for the person: mnemos candidates|)$/u,
          )
        expect(draw(records)).toBe(draw(structuredClone(records)))
        const identity = draw(records.filter(({ kind }) => kind === 'identity'))
          .split('\n')
          .filter((line) => line.startsWith('- '))
        expect(countCharacters(identity.join('\n'))).toBeLessThanOrEqual(IDENTITY_BLOCK_CHARACTERS)
        const texts = identity.map((line) => line.replace(/^- /, '').replace(/ \([^(]*\)$/, ''))
        expect(texts.reduce((n, one) => n + countCharacters(one), 0)).toBeLessThanOrEqual(IDENTITY_CHARACTERS)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the line of what waits', () => {
  it('counts what the person alone can decide on', () => {
    const waiting = [
      record('experience', 'x', { confirmed: false, workspace: 'elsewhere' }),
      record('identity', 'x', { status: 'candidate', candidateReason: 'untrusted' }),
      record('identity', 'x', { status: 'candidate', candidateReason: 'overflow' }),
    ]
    expect(waitingLine(waiting, reader, 'en')).toBe('2 entries wait for the person: mnemos candidates')
    expect(waitingLine(waiting, { ...reader, isolate: true }, 'en')).toBe(
      '1 entry waits for the person: mnemos candidates',
    )
    expect(waitingLine(waiting.slice(2), reader, 'en')).toBe('')
  })
})
