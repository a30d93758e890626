/** A query text to weighted terms. */
import type { RecordIndex } from '../index/record-index.ts'
import { segment, unspacedRuns } from '../index/segment.ts'
import { termHash } from '../index/terms.ts'
import { isStopStem, isStopWord } from './stop-words.ts'
import { LOOKED_UP_TERMS, RANKING_TERMS, TERM_WEIGHT } from './tuning.ts'

/** A term of a query. */
export interface QueryTerm {
  hash: number
  /** How many records hold it. */
  frequency: number
  /** What holding the term once is worth. */
  weight: number
  /** As the asker wrote it, when it is a plain word. */
  word: string | undefined
  /** One character of a longer word, or a stop word: says little by itself. */
  minor: boolean
  /** A stop word: breaks ties, but makes no hit. */
  filler: boolean
}

/** A query as it is searched for. */
export interface Query {
  /** Rarest and most telling first. */
  terms: QueryTerm[]
  /** Terms that follow each other in the query, as places in `terms`. */
  pairs: [number, number][]
  /** Sum of the terms' weights. */
  total: number
}

interface TermDraft {
  text: string
  weight: number
  word: string | undefined
  next: Set<string>
}

let wordSegmenter: Intl.Segmenter | undefined

/** Made when first used: it loads a dictionary. */
function words(): Intl.Segmenter {
  wordSegmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  return wordSegmenter
}

/** Inverse document frequency; above 0 even for a term that stands in every record. */
const idf = (records: number, frequency: number): number =>
  Math.log(1 + (records - frequency + 0.5) / (frequency + 0.5))

/** Reads a query: its terms with their weights, as they are in this index. */
export function readQuery(text: string, index: RecordIndex): Query {
  let drafts = draftsOf(text)
  if (![...drafts.values()].some((draft) => draft.weight > TERM_WEIGHT.stop)) drafts = draftsOf(text, true)
  const { docs } = index.stats()
  const terms = [...drafts.values()]
    .filter((draft) => draft.weight > 0)
    // Looking up costs: of a query as long as a page, the longest terms are the likeliest to be rare.
    .sort((a, b) => (drafts.size > LOOKED_UP_TERMS ? b.text.length - a.text.length : 0))
    .slice(0, LOOKED_UP_TERMS)
    .map((draft) => {
      const hash = termHash(draft.text, index.salt)
      const frequency = index.frequencyOf(hash)
      return {
        draft,
        hash,
        frequency,
        word: draft.word,
        minor: draft.weight <= TERM_WEIGHT.character,
        filler: draft.weight <= TERM_WEIGHT.stop,
        weight: draft.weight * idf(docs, Math.min(docs, frequency)),
      }
    })
    .sort((a, b) => b.weight - a.weight || (a.draft.text < b.draft.text ? -1 : 1))
    .slice(0, RANKING_TERMS)
  const place = new Map(terms.map((term, at) => [term.draft.text, at]))
  const pairs = terms.flatMap(({ draft }, at) =>
    [...draft.next].flatMap((text): [number, number][] => {
      const other = place.get(text)
      return other === undefined || other === at ? [] : [[at, other]]
    }),
  )
  return {
    terms: terms.map(({ draft: _, ...term }) => term),
    pairs,
    total: terms.reduce((sum, term) => sum + term.weight, 0),
  }
}

/** The distinct terms of a query. @param all - stop words count like other words. */
function draftsOf(text: string, all = false): Map<string, TermDraft> {
  const drafts = new Map<string, TermDraft>()
  const reading = new ScriptReading(text)
  let last: TermDraft | undefined
  for (const term of segment(text)) {
    const weight =
      all && reading.weightOf(term) === TERM_WEIGHT.stop ? TERM_WEIGHT.word : reading.weightOf(term)
    let draft = drafts.get(term.text)
    if (!draft) {
      draft = { text: term.text, weight: 0, word: undefined, next: new Set() }
      drafts.set(term.text, draft)
    }
    draft.weight = Math.max(draft.weight, weight)
    draft.word ??= term.word
    if (term.extra || weight <= TERM_WEIGHT.stop) continue
    last?.next.add(term.text)
    last = draft
  }
  return drafts
}

/** Where the words of a script without spaces are, as far as the dictionary of this Node knows. */
class ScriptReading {
  /** For each place in the text: which word it belongs to, 0 where no dictionary applies. */
  readonly #word: Int32Array
  readonly #stop = new Set<number>()
  readonly #single = new Set<number>()

  constructor(text: string) {
    this.#word = new Int32Array(text.length)
    let n = 0
    for (const run of unspacedRuns(text)) {
      const pieces = [...words().segment(run.text)]
      // A build without dictionaries cuts every character: then all pairs are equal.
      if (pieces.length > 3 && pieces.every((piece) => piece.segment.length === 1)) continue
      for (const piece of pieces) {
        n++
        this.#word.fill(n, run.start + piece.index, run.start + piece.index + piece.segment.length)
        if (isStopWord(piece.segment)) this.#stop.add(n)
        if ([...piece.segment].length === 1) this.#single.add(n)
      }
    }
  }

  /** The weight of a term of the text, by what the dictionary says of its place. */
  weightOf(term: { text: string; start: number; end: number; extra: boolean }): number {
    const from = this.#word[term.start] ?? 0
    const to = this.#word[term.end - 1] ?? 0
    const unspaced = /^[\p{Lo}\p{Lm}]/u.test(term.text)
    if (!unspaced)
      return isStopStem(term.text) ? TERM_WEIGHT.stop : term.extra ? TERM_WEIGHT.whole : TERM_WEIGHT.word
    if (term.extra) {
      if (this.#stop.has(from)) return TERM_WEIGHT.stop
      return this.#single.has(from) ? TERM_WEIGHT.word : TERM_WEIGHT.character
    }
    const stops = [from, to].filter((word) => this.#stop.has(word))
    // Two single characters, one of them a stop word, may be a word that the dictionary does not know.
    if (stops.length === 1 && this.#single.has(from) && this.#single.has(to)) return TERM_WEIGHT.across
    if (stops.length > 0) return TERM_WEIGHT.stop
    return from === to ? TERM_WEIGHT.word : TERM_WEIGHT.across
  }
}
