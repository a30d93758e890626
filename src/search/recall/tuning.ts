/** The numbers of the ranking, each with the reason for its size. All were chosen on several kinds of text. */
import type { Field } from '../index/terms.ts'

/** A word in the fact itself says more than one in the text below; a question that a record names is nearly a hit. */
export const FIELD_WEIGHT: Record<Field, number> = { summary: 1.6, askedAs: 1.4, tags: 1.2, content: 1 }

/** BM25: how fast further occurrences of a term stop counting. Below the usual 1.2: minutes that repeat a word say it once. */
export const SATURATION = 0.7
/** BM25: how much the length of a field lowers the score. More, and short remarks push out longer ones that say more. */
export const LENGTH_WEIGHT = 0.6

/** Share of the score that depends on how much of the query a record covers. */
export const COVERAGE_WEIGHT = 0.5
/** What two neighbouring terms of the query add when they stand together in a record, as a share of their idf. */
export const PROXIMITY_WEIGHT = 0.3
/** Terms in between that still count as together. */
export const PROXIMITY_REACH = 3

/** Terms of the query by how they were read. */
export const TERM_WEIGHT = {
  /** A word, or a pair of characters within one. */
  word: 1,
  /** A pair of characters across a border of words: kept, because dictionaries err. */
  across: 0.3,
  /** One character of a word: finds what pairs miss, adds noise. */
  character: 0.25,
  /** A whole identifier, path or version beside its parts: who types one means it. */
  whole: 1.2,
  /** Beside words that carry meaning, stop words only break ties. */
  stop: 0.1,
}

/** Records of the cold tier were condensed into others. */
export const COLD = 0.8
/** Past `validUntil`. */
export const EXPIRED = 0.7
/** Another workspace: enough to lose against an equal, too little to lose against a better hit. */
export const ELSEWHERE = 0.95

/** Reciprocal rank fusion: 60 is the usual constant; the phrasings are few and all meant, so ranks may count more. */
export const FUSION = 20

/** Share of a query's weight that a hit must cover to answer it; below that, archived records are searched too. */
export const CONFIDENT = 0.5
/** Hits below this share of the best score say nothing beside it and are not shown as left out. */
export const WORTH_COUNTING = 0.25

/** Records that are ranked closely, out of all that hold a term. */
export const CANDIDATES = 250
/** Sum of document frequencies that one search may visit: 0.4 µs each. Rare terms come first. */
export const VISITS = 40_000
/** Terms that choose candidates. */
export const CHOOSING_TERMS = 48
/** Terms that rank them. */
export const RANKING_TERMS = 160
/** Distinct terms of an over-long query that are looked up before the rarest are taken. */
export const LOOKED_UP_TERMS = 512

/** UTF-16 units of a snippet at most. */
export const SNIPPET_LENGTH = 240
/** Milliseconds that looking for near terms may take. */
export const NEAR_TERMS_MS = 25
