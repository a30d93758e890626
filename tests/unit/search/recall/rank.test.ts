import { describe, expect, it } from 'vitest'
import { termsOf } from '../../../../src/search/index/terms.ts'
import { readQuery } from '../../../../src/search/recall/query.ts'
import { rankerOf } from '../../../../src/search/recall/rank.ts'
import { record, storeOf } from '../index/fixture.ts'

const { index } = storeOf([
  ...Array.from({ length: 40 }, (_, i) => record({ id: `c${i}`, summary: 'common words everywhere' })),
  record({ id: 'r', summary: 'rare thing' }),
])

/** The score of a record with that summary, for the first of the queries among all of them. */
function score(summary: string, query: string, ...others: string[]): number {
  const queries = [query, ...others].map((text) => readQuery(text, index))
  const asked = new Set(queries.flatMap(({ terms }) => terms.map((term) => term.hash)))
  const [first] = queries
  if (!first) throw new Error('no query')
  const { packed } = termsOf({ ...record({ id: 'x' }), summary }, index.salt)
  return rankerOf(first, index.stats().averages, asked).relevanceOf(packed).score
}

describe('a matching term never costs', () => {
  it('its own length', () => {
    const long = `rare ${'common '.repeat(30)}`.trim()
    expect(score(long, 'rare common')).toBeGreaterThan(score('rare', 'rare common'))
  })
  it('the length of another phrasing’s match', () => {
    expect(score(`rare x ${'common '.repeat(30)}y`, 'rare', 'common')).toBe(score('rare x', 'rare', 'common'))
  })
  it('the nearness of its neighbours', () => {
    const query = 'rare thing common'
    expect(score('rare common thing', query)).toBeGreaterThan(score('rare thing', query))
  })
})

it('a stop word alone is no match beside words that mean something', () => {
  expect(score('the other', 'the rare')).toBe(0)
  expect(score('the rare', 'the rare')).toBeGreaterThan(score('rare', 'the rare'))
})

describe('what counts more', () => {
  it.each([
    ['rare thing', 'rare common', 'rare thing common', 'rarer words'],
    ['x y z w rare thing', 'rare x y z w thing', 'rare thing', 'nearness'],
    ['rare thing', 'rare thing a b c d e f g h', 'rare thing', 'shortness'],
    ['rare rare', 'rare', 'rare', 'repetition'],
  ])('"%s" over "%s"', (better, worse, query) => {
    expect(score(better, query)).toBeGreaterThan(score(worse, query))
  })
})
