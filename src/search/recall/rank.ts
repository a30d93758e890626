/**
 * How well a record answers a query, from its terms alone. Every rule here only ever adds for what matches: taking
 * a matching term out of a record can lower its score and never raise it. That is why lengths and distances are
 * counted in terms that do not match.
 */
import { EXTRA_BIT, FIELDS, type PackedTerms, termsByField } from '../index/terms.ts'
import type { Query } from './query.ts'
import {
  COVERAGE_WEIGHT,
  FIELD_WEIGHT,
  LENGTH_WEIGHT,
  PROXIMITY_REACH,
  PROXIMITY_WEIGHT,
  SATURATION,
} from './tuning.ts'

/** How well a record answers a query. */
export interface Relevance {
  /** 0 when nothing matches; comparable within one query only. */
  score: number
  /** Share of the query's weight that the record holds, 0 to 1. */
  coverage: number
}

/** A query prepared for ranking many records. */
export interface Ranker {
  relevanceOf(packed: PackedTerms): Relevance
}

/**
 * Prepares a query for ranking.
 * @param averages - average length of each field over all records, in terms.
 * @param asked - hashes of the terms of all phrasings.
 */
export function rankerOf(
  query: Query,
  averages: readonly number[],
  asked: { has(hash: number): boolean },
): Ranker {
  const place = new Map(query.terms.map((term, at) => [term.hash, at]))
  const found = new Float64Array(query.terms.length)
  const before = new Map<number, Set<number>>()
  for (const [a, b] of query.pairs) before.set(b, (before.get(b) ?? new Set()).add(a))

  function relevanceOf(packed: PackedTerms): Relevance {
    found.fill(0)
    const together = new Map<number, number>()
    termsByField(packed).forEach((terms, at) => {
      const counts = new Map<number, number>()
      let others = 0
      // The last place of each term, counted in terms that the query does not have.
      const stood = new Map<number, number>()
      let passed = 0
      // A pair of characters shares one with each neighbour: beside a match it is no text of its own.
      let free = true
      let pending = false
      for (const term of terms) {
        const match = place.get((term & ~EXTRA_BIT) >>> 0)
        const extra = (term & EXTRA_BIT) === 1
        if (match === undefined) {
          if (asked.has((term & ~EXTRA_BIT) >>> 0)) {
            // A term of another phrasing counts as little as one of this.
            pending = false
            free = false
            continue
          }
          if (extra) continue
          if (pending) others++
          pending = free
          free = true
          passed++
          continue
        }
        pending = false
        free = false
        counts.set(match, (counts.get(match) ?? 0) + 1)
        if (extra) continue
        for (const first of before.get(match) ?? []) {
          const gap = passed - (stood.get(first) ?? Number.NEGATIVE_INFINITY)
          if (gap > PROXIMITY_REACH) continue
          const key = first * query.terms.length + match
          together.set(key, Math.max(together.get(key) ?? 0, 1 / (1 + gap)))
        }
        stood.set(match, passed)
      }
      if (pending) others++
      const field = FIELDS[at] ?? 'content'
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * others) / Math.max(1, averages[at] ?? 1)
      for (const [match, n] of counts) found[match] = (found[match] ?? 0) + (FIELD_WEIGHT[field] * n) / length
    })

    let sum = 0
    let covered = 0
    let telling = false
    for (const [at, term] of query.terms.entries()) {
      const n = found[at] ?? 0
      if (n === 0) continue
      sum += (term.weight * (SATURATION + 1) * n) / (SATURATION + n)
      covered += term.weight
      telling ||= !term.filler
    }
    if (!telling) return { score: 0, coverage: 0 }
    for (const [key, near] of together) {
      const a = query.terms[Math.floor(key / query.terms.length)]?.weight ?? 0
      const b = query.terms[key % query.terms.length]?.weight ?? 0
      sum += PROXIMITY_WEIGHT * near * Math.min(a, b)
    }
    const coverage = covered / query.total
    return { score: sum * (1 - COVERAGE_WEIGHT + COVERAGE_WEIGHT * coverage), coverage }
  }
  return { relevanceOf }
}
