import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, leftOutHints } from '../../../../src/search/recall/hints.ts'

describe('the distance between two words', () => {
  it('counts insertions, deletions, replacements and swaps of neighbours', () => {
    for (const [a, b, distance] of [
      ['redis', 'redis', 0],
      ['redis', 'reds', 1],
      ['redis', 'redist', 1],
      ['redis', 'radis', 1],
      ['redis', 'rdeis', 1],
      ['zebrafihs', 'zebrafish', 1],
      ['kitten', 'sitting', 3],
    ] as const)
      expect([a, b, editDistance(a, b, 3)]).toEqual([a, b, distance])
  })

  it('is anything above the most that is asked for where it is more', () => {
    expect(editDistance('abc', 'xyz', 1)).toBeGreaterThan(1)
    expect(editDistance('a', 'abcdef', 2)).toBe(3)
  })

  it('is the same both ways, and one for one change', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b, 9)).toBe(editDistance(b, a, 9))
        expect(editDistance(a, a, 9)).toBe(0)
        expect(editDistance(a, `${a}x`, 9)).toBe(1)
      }),
    )
  })
})

it('the reasons for which records are left out are one hint', () => {
  expect(leftOutHints({ giant: 1, candidate: 2 })).toEqual([
    { code: 'LEFT_OUT', reasons: expect.arrayContaining(['candidate', 'giant']) },
  ])
  expect(leftOutHints({})).toEqual([])
})
