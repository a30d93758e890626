/** What to try next when little or nothing was found, as codes with details. */
import type { RecordIndex } from '../index/record-index.ts'
import { filtersOf, type RecallScope, without } from '../index/scope.ts'
import { LEFT_OUTS, type LeftOut } from './leave-outs.ts'
import type { Query } from './query.ts'
import { NEAR_TERMS_MS } from './tuning.ts'

export type Hint =
  /** Records that match are not shown, for these reasons; the answer has counted them already. */
  | { code: 'LEFT_OUT'; reasons: readonly LeftOut[] }
  /** Records that would match without these filters of the scope. */
  | { code: 'WITHOUT_FILTERS'; filters: readonly (keyof RecallScope)[]; count: number }
  /** A word that no record holds, and words that records hold and that look alike. */
  | { code: 'NEAR_TERMS'; word: string; near: readonly string[] }
  /** No active record answers well, so archived ones stand among the hits. */
  | { code: 'ARCHIVED_SHOWN' }
  /** The query has no words to search for. */
  | { code: 'NO_WORDS' }
  | { code: 'NOTHING_MATCHES' }

/** Near terms offered for one word, and words for which they are offered. */
const NEAR_LIMIT = 3
const WORDS_LIMIT = 3

/** Letters of a word from which on one slip, and two, still leave it recognisable. A shorter word is another word then. */
const ONE_SLIP = 4
const TWO_SLIPS = 8
const LONGEST_WORD = 40

/** Words of the query that no record holds, with words that records do hold and that may be what was meant. */
export function nearTermHints(index: RecordIndex, queries: readonly Query[]): Hint[] {
  const terms = queries.flatMap((query) => query.terms)
  const asked = new Set(terms.flatMap(({ word }) => word ?? []))
  const unknown = new Set(
    terms.flatMap(({ word, frequency, filler }) =>
      word !== undefined && frequency === 0 && !filler && slipsOf(word) > 0 ? [word] : [],
    ),
  )
  const until = performance.now() + NEAR_TERMS_MS
  return [...unknown].slice(0, WORDS_LIMIT).flatMap((word) => {
    const near = nearTerms(index, word, until).filter((other) => !asked.has(other))
    return near.length === 0 ? [] : [{ code: 'NEAR_TERMS' as const, word, near }]
  })
}

/** How many slips of the pen a word may hold and still be told for what it is. */
function slipsOf(word: string): number {
  const { length } = [...word]
  if (length < ONE_SLIP || length > LONGEST_WORD) return 0
  return length < TWO_SLIPS ? 1 : 2
}

function nearTerms(index: RecordIndex, word: string, until: number): string[] {
  const most = slipsOf(word)
  const { length } = [...word]
  const known = index.words(length - most, length + most)
  const found: { word: string; distance: number; n: number }[] = []
  for (const [at, candidate] of known.entries()) {
    if (at % 256 === 0 && performance.now() > until) break
    if (!isSpeltAlike(word, candidate.word)) continue
    // One that is itself too short for so many slips is another word.
    const slips = Math.min(most, slipsOf(candidate.word))
    const distance = editDistance(word, candidate.word, slips)
    if (distance > 0 && distance <= slips) found.push({ word: candidate.word, distance, n: candidate.n })
  }
  return found
    .sort((a, b) => a.distance - b.distance || b.n - a.n || (a.word < b.word ? -1 : 1))
    .slice(0, NEAR_LIMIT)
    .map((entry) => entry.word)
}

/** Whether one word may be a slip of the other: another number is another thing, and no slip leads to another script. */
const isSpeltAlike = (one: string, other: string): boolean =>
  digitsOf(one) === digitsOf(other) && scriptsOf(one) === scriptsOf(other)

const digitsOf = (word: string): string => word.replace(/\P{N}+/gu, '')

/** Scripts whose words are told apart by spaces, those beyond the list as one: of others there are no words. */
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

const scriptsOf = (word: string): string => SCRIPTS.map((letter) => letter.test(word)).join()

/** Insertions, deletions, replacements and swaps of neighbours between two words; stops above `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}

/** Filters that hide records which would match. @param found - how many records match within a scope. */
export function scopeHints(scope: RecallScope, found: (scope: RecallScope) => number): Hint[] {
  const filters = filtersOf(scope)
  const hint = (names: typeof filters, count: number): Hint[] =>
    count > 0 ? [{ code: 'WITHOUT_FILTERS', filters: names, count }] : []
  const hints = filters.flatMap((key) => hint([key], found(without(scope, key))))
  return hints.length > 0 || filters.length < 2 ? hints : hint(filters, found({}))
}

export function leftOutHints(leftOut: Partial<Record<LeftOut, number>>): Hint[] {
  const reasons = LEFT_OUTS.filter((reason) => leftOut[reason] !== undefined)
  return reasons.length === 0 ? [] : [{ code: 'LEFT_OUT', reasons }]
}
