import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareHits, inOrder, type Ordered, successorsOf } from '../../../../src/search/recall/order.ts'
import { runs } from '../../../support/runs.ts'

const hit = (id: string, more: Partial<Ordered> = {}): Ordered => ({
  id,
  score: 1,
  elsewhere: false,
  idleDays: 0,
  created: 0,
  supersedes: [],
  supersededBy: [],
  ...more,
})
const idsOf = (hits: readonly Ordered[]) => hits.map(({ id }) => id)

describe('equal scores', () => {
  it('are ordered by nearness, idleness, age and id', () => {
    const hits = [
      hit('b'),
      hit('a'),
      hit('younger', { created: 1 }),
      hit('idle', { idleDays: 3 }),
      hit('away', { elsewhere: true, created: 9 }),
      hit('best', { score: 2, elsewhere: true, idleDays: 9 }),
    ]
    expect(idsOf(hits.toSorted(compareHits))).toEqual(['best', 'younger', 'a', 'b', 'idle', 'away'])
  })

  it('may differ by what a sum of fractions differs by', () => {
    expect(compareHits(hit('a', { score: 0.1 + 0.2 }), hit('b', { score: 0.3 }))).toBeLessThan(0)
  })
})

describe('a superseded hit', () => {
  it('stands behind its successors over a chain, with a score no higher than theirs', () => {
    const ordered = inOrder([
      hit('old', { score: 9, supersededBy: ['middle'] }),
      hit('other', { score: 5 }),
      hit('middle', { score: 3, supersededBy: ['new'] }),
      hit('new', { score: 1 }),
    ])
    expect(idsOf(ordered)).toEqual(['other', 'new', 'middle', 'old'])
    expect(ordered.map(({ score }) => score)).toEqual([5, 1, 1, 1])
  })

  it('is told by either of the two records', () => {
    expect(idsOf(inOrder([hit('old', { score: 2 }), hit('new', { supersedes: ['old'] })]))).toEqual([
      'new',
      'old',
    ])
    expect(
      successorsOf([hit('new', { supersedes: ['old', 'new'] }), hit('also', { supersedes: ['old'] })]),
    ).toEqual(new Map([['old', ['new', 'also']]]))
  })
})

it('whatever supersedes what, every hit is there once, best first, and the input keeps its order', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const any = fc.record({
    score: fc.integer({ min: 0, max: 3 }),
    supersedes: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
    supersededBy: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.tuple(any, any, any, any, any), (all) => {
      const hits = all.map((more, at) => hit(ids[at] ?? '', more))
      const ordered = inOrder(hits)
      expect(idsOf(hits)).toEqual(ids)
      expect(idsOf(ordered).toSorted()).toEqual(ids)
      const scores = ordered.map(({ score }) => score)
      // Records that supersede each other have no order among themselves.
      const isCircle = ordered.some((one, at) =>
        ordered
          .slice(at + 1)
          .some((later) => one.supersededBy.includes(later.id) || later.supersedes.includes(one.id)),
      )
      if (!isCircle) expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }),
    runs(100),
  )
})
