import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fields, merge } from '../../../src/record/merge.ts'

const base: Fields = {
  id: 'x',
  summary: 'the mill is old',
  content: 'one\ntwo\nthree\nfour\nfive',
  tags: ['a', 'b'],
  status: 'active',
  source: 'internal',
  layer: 'long',
  keep: false,
  updated: '2026-11-30T00:00:00.000Z',
  rev: 3,
}
const later = (change: Fields, minute = 1): Fields => ({
  ...base,
  rev: 4,
  updated: `2026-11-30T00:0${minute}:00.000Z`,
  ...change,
})

/** A side: any of the fields changed, to one of few values, so that both sides often meet. */
const side = fc.record({
  summary: fc.constantFrom('the mill is old', 'the mill is new', 'the mill is gone'),
  content: fc.constantFrom(
    'one\ntwo\nthree\nfour\nfive',
    'one\n2\nthree\nfour\nfive',
    'ONE\ntwo\nthree\nfour\nfive',
    'one\ntwo\nthree\nfour\nV',
    '',
  ),
  tags: fc.subarray(['a', 'b', 'c', 'd']),
  status: fc.constantFrom('active', 'deprecated', 'archived'),
  layer: fc.constantFrom('short', 'long', 'permanent'),
  why: fc.option(fc.constantFrom('because', 'for'), { nil: undefined }),
  mood: fc.option(fc.constantFrom('glad', 'sad', 3), { nil: undefined }),
  updated: fc.constantFrom('2026-11-30T00:01:00.000Z', '2026-11-30T00:02:00.000Z'),
  rev: fc.constantFrom(4, 5),
})
const made = (change: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...base, ...change }).filter(([, value]) => value !== undefined))

describe('the three-way merge', () => {
  it('gives the same whichever side is called which', () => {
    fc.assert(
      fc.property(side, side, (one, two) => {
        expect(merge(base, made(one), made(two))).toEqual(merge(base, made(two), made(one)))
      }),
      { numRuns: 250 },
    )
  })

  it('loses no field that only one side changed, and no text that both did', () => {
    fc.assert(
      fc.property(side, side, (one, two) => {
        const [a, b] = [made(one), made(two)]
        const { fields, conflicts } = merge(base, a, b)
        for (const key of ['summary', 'status', 'layer', 'why', 'mood'] as const) {
          const [was, x, y] = [base[key], a[key], b[key]]
          if (x !== was && y === was) expect([key, fields[key]]).toEqual([key, x])
          if (y !== was && x === was) expect([key, fields[key]]).toEqual([key, y])
        }
        for (const { summary } of [a, b]) {
          if (summary !== base.summary)
            expect(`${fields.summary}\n${fields.content}`).toContain(String(summary))
        }
        for (const line of [a, b].flatMap(({ content }) => String(content).split('\n'))) {
          if (!String(base.content).split('\n').includes(line)) expect(fields.content).toContain(line)
        }
        const tags = fields.tags as string[]
        for (const tag of ['a', 'b', 'c', 'd']) {
          const [was, x, y] = [base, a, b].map((fieldsOf) => (fieldsOf.tags as string[]).includes(tag))
          expect([tag, tags.includes(tag)]).toEqual([tag, was ? x && y : x || y])
        }
        if (conflicts.length === 0) expect(String(fields.content)).not.toContain('<<<<<<<')
      }),
      { numRuns: 250 },
    )
  })

  it('merges a side with itself, and with an unchanged one, without a conflict', () => {
    fc.assert(
      fc.property(side, (one) => {
        const a = made(one)
        expect(merge(base, a, a)).toEqual({ fields: a, conflicts: [] })
        expect(merge(base, a, base).fields).toMatchObject({ summary: a.summary, content: a.content })
      }),
    )
  })

  it('merges changes of different lines, and keeps both of the same line', () => {
    expect(
      merge(
        base,
        later({ content: 'ONE\ntwo\nthree\nfour\nfive' }),
        later({ content: 'one\ntwo\nthree\nfour\nV' }),
      ).fields.content,
    ).toBe('ONE\ntwo\nthree\nfour\nV')
    const { fields, conflicts } = merge(
      base,
      later({ content: 'one\n2\nthree\nfour\nfive' }),
      later({ content: 'one\nzwei\nthree\nfour\nfive' }, 2),
    )
    expect(fields.content).toBe(
      'one\n<<<<<<< one version\nzwei\n=======\n2\n>>>>>>> other version\nthree\nfour\nfive',
    )
    expect(conflicts).toEqual([{ field: 'content', kept: 'zwei', other: '2' }])
  })

  it('never loses a deprecation, nor that something is external', () => {
    expect(merge(base, later({ status: 'archived' }, 5), later({ status: 'deprecated' })).fields.status).toBe(
      'deprecated',
    )
    expect(merge(base, later({ source: 'validated' }, 5), later({ source: 'external' })).fields.source).toBe(
      'external',
    )
  })

  it('keeps a fourth question below the content', () => {
    const { fields } = merge(
      later({ askedAs: ['1?'] }),
      later({ askedAs: ['1?', '2?', '3?'] }),
      later({ askedAs: ['1?', '4?'] }, 2),
    )
    expect(fields.askedAs).toHaveLength(3)
    expect(`${fields.askedAs} ${fields.content}`).toMatch(/1\?.*2\?.*3\?[\s\S]*4\?/)
  })
})
