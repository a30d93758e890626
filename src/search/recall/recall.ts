/** Recall: questions and a scope to the records that answer them, each with its reason. */
import { knownTime } from '../../record/times.ts'
import type { Doc } from '../index/entries.ts'
import type { RecordIndex } from '../index/record-index.ts'
import type { RecallScope } from '../index/scope.ts'
import type { PackedTerms } from '../index/terms.ts'
import { explain, type TermTable } from './explain.ts'
import { leftOutHints, nearTermHints, scopeHints } from './hints.ts'
import { allowedSql, type LeftOut } from './leave-outs.ts'
import { list } from './listing.ts'
import { inOrder, type Ordered, successorsOf } from './order.ts'
import { type Query, readQuery } from './query.ts'
import { type Ranker, rankerOf } from './rank.ts'
import {
  docElsewhere,
  hitOf,
  type Load,
  leftOutOf,
  type RecallHit,
  type RecallRequest,
  type RecallResult,
  rulesOf,
  stillWanted,
} from './request.ts'
import {
  CANDIDATES,
  CHOOSING_TERMS,
  COLD,
  CONFIDENT,
  ELSEWHERE,
  EXPIRED,
  FUSION,
  VISITS,
  WORTH_COUNTING,
} from './tuning.ts'

/** Phrasings that one question may have. */
export const QUERIES_LIMIT = 4
/** A record that matches, while it is being ranked. */
interface RankedDoc extends Ordered {
  doc: Doc
  coverage: number
}

/**
 * @throws IndexDamaged when the index must be opened anew; no text of a query can make it throw.
 */
export function recall(index: RecordIndex, load: Load, request: RecallRequest): RecallResult {
  const texts = request.queries.slice(0, QUERIES_LIMIT).filter((text) => text.trim() !== '')
  return texts.length === 0 ? list(index, load, request) : new Search(index, load, request, texts).run()
}

/** One question in all its phrasings. */
class Search {
  readonly #index: RecordIndex
  readonly #load: Load
  readonly #request: RecallRequest
  readonly #queries: Query[]
  readonly #rankers: Ranker[]
  readonly #terms: TermTable

  constructor(index: RecordIndex, load: Load, request: RecallRequest, texts: readonly string[]) {
    this.#index = index
    this.#load = load
    this.#request = request
    this.#queries = texts.map((text) => readQuery(text, index)).filter((query) => query.terms.length > 0)
    const { averages } = index.stats()
    this.#terms = new Map(this.#queries.flatMap(({ terms }) => terms).map((term) => [term.hash, term]))
    this.#rankers = this.#queries.map((query) => rankerOf(query, averages, this.#terms))
  }

  run(): RecallResult {
    const request = this.#request
    const all = this.#rank(this.#candidates(request.scope, false))
    let allowed = all.filter(({ left }) => left === undefined)
    const best = Math.max(0, ...allowed.map(({ found }) => found.coverage))
    // Archived records step in where the active ones do not answer.
    const archived = best < CONFIDENT && all.some(({ left }) => left === 'archived')
    if (archived) allowed = all.filter(({ left }) => left === undefined || left === 'archived')
    const order = inOrder(allowed.map(({ found }) => found))

    const leftOut: RecallResult['leftOut'] = {}
    const worth = WORTH_COUNTING * Math.max(0, ...all.map(({ found }) => found.score))
    for (const { found, left } of all) {
      if (left === undefined || (archived && left === 'archived') || found.score < worth) continue
      leftOut[left] = (leftOut[left] ?? 0) + 1
    }

    const { hits, gone } = this.#read(order, archived)
    const hints = leftOutHints(leftOut)
    if (hits.length === 0) hints.push(...scopeHints(request.scope, (scope) => this.#count(scope)))
    // The vocabulary is that of all workspaces.
    if (!request.isolate && (hits.length === 0 || best < CONFIDENT))
      hints.push(...nearTermHints(this.#index, this.#queries))
    if (archived && hits.some((hit) => hit.record.status === 'archived'))
      hints.push({ code: 'ARCHIVED_SHOWN' })
    if (hits.length === 0 && hints.length === 0)
      hints.push({ code: this.#terms.size === 0 ? 'NO_WORDS' : 'NOTHING_MATCHES' })
    return { hits, total: order.length - gone, leftOut, hints }
  }

  /** Records that hold the telling terms of at least one phrasing. */
  #candidates(scope: RecallScope, archived: boolean): Doc[] {
    const docs = new Map<number, Doc>()
    const request = this.#request
    const allow = allowedSql({
      ...rulesOf(request),
      giantBytes: request.giantBytes,
      workspace: request.workspace === undefined ? undefined : this.#index.key(request.workspace),
      archived,
    })
    const add = (found: readonly Doc[]) => {
      for (const doc of found) docs.set(doc.doc, doc)
      return found
    }
    for (const query of this.#queries) {
      const { choosing, rest } = chooseTerms(query)
      const first = add(this.#index.candidates(choosing, scope, CANDIDATES))
      // What is left out by rule must not crowd out what may be shown.
      const shown = first.filter((doc) => leftOutOf(this.#index, doc, request) === undefined).length
      if (first.length >= CANDIDATES && shown < CANDIDATES / 2)
        add(this.#index.candidates(choosing, scope, CANDIDATES, allow))
      // Rare terms first is a matter of time only: common ones get their turn when the rare ones found little.
      else if (shown < request.limit && rest.length > 0)
        add(this.#index.candidates(rest, scope, CANDIDATES, allow))
    }
    return [...docs.values()]
  }

  #rank(docs: readonly Doc[]): { found: RankedDoc; left: LeftOut | undefined }[] {
    const request = this.#request
    const scored = docs.map((doc) => ({ doc, per: this.#relevance(this.#index.packedOf(doc.doc), doc) }))
    const places = this.#queries.map((_, at) => {
      const order = scored
        .filter(({ per }) => (per[at]?.score ?? 0) > 0)
        .sort((a, b) => (b.per[at]?.score ?? 0) - (a.per[at]?.score ?? 0) || a.doc.doc - b.doc.doc)
      return new Map(order.map((entry, place) => [entry, place]))
    })
    return scored.flatMap((entry) => {
      const coverage = Math.max(0, ...entry.per.map((relevance) => relevance.coverage))
      if (coverage === 0) return []
      const { doc } = entry
      const found: RankedDoc = {
        doc,
        id: doc.id,
        score: this.#fuse(entry.per, (at) => places[at]?.get(entry)),
        coverage,
        elsewhere: docElsewhere(this.#index, doc, request),
        idleDays: request.idleDaysOf ? request.idleDaysOf(doc.id, doc.created) : 0,
        created: knownTime(doc.created, request.now),
        supersedes: doc.supersedes,
        supersededBy: doc.supersededBy,
      }
      return [{ found, left: leftOutOf(this.#index, doc, request) }]
    })
  }

  /** How well each phrasing is answered, what is known of the record besides its words counted in. */
  #relevance(packed: PackedTerms, doc: Doc): { score: number; coverage: number }[] {
    const factor =
      (doc.tier === 'cold' ? COLD : 1) *
      (doc.validUntil !== null && doc.validUntil < this.#request.now ? EXPIRED : 1) *
      (docElsewhere(this.#index, doc, this.#request) ? ELSEWHERE : 1)
    return this.#rankers.map((ranker) => {
      const { score, coverage } = ranker.relevanceOf(packed)
      return { score: score * factor, coverage }
    })
  }

  /**
   * One phrasing: its score. Several: reciprocal rank fusion, each rank made finer by the score, so that a weaker
   * match is a lower number also where it keeps its rank.
   */
  #fuse(per: readonly { score: number }[], placeIn: (query: number) => number | undefined): number {
    if (per.length === 1) return per[0]?.score ?? 0
    return per.reduce((sum, { score }, at) => {
      const place = placeIn(at)
      if (place === undefined || score === 0) return sum
      const strength = score / (score + (this.#queries[at]?.total ?? 1))
      return sum + 1 / (FUSION + place + 1 - strength)
    }, 0)
  }

  /** Reads the best records until there are enough. What has gone or no longer answers makes room for the next. */
  #read(order: readonly RankedDoc[], archived: boolean): { hits: RecallHit[]; gone: number } {
    const request = this.#request
    const successors = successorsOf(order)
    const hits: RecallHit[] = []
    let gone = 0
    for (const found of order) {
      if (hits.length >= request.limit) break
      const record = this.#load(found.doc.path)
      const why =
        record && stillWanted(record, found.doc, request, archived)
          ? explain(record, this.#terms, this.#index.salt)
          : undefined
      if (!record || !why || why.matched.length === 0) gone++
      else
        hits.push(
          hitOf(
            { record, doc: found.doc, score: found.score, supersededBy: successors.get(found.id) ?? [] },
            why,
            request,
          ),
        )
    }
    return { hits, gone }
  }

  /** How many records a search within another scope would have to offer. */
  #count(scope: RecallScope): number {
    return this.#candidates(scope, true).filter(
      (doc) => leftOutOf(this.#index, doc, this.#request) === undefined,
    ).length
  }
}

/** The rarest terms up to what one search may visit, and the others. */
function chooseTerms(query: Query): { choosing: number[]; rest: number[] } {
  const known = query.terms.filter((term) => term.frequency > 0 && !term.filler)
  const choosing: number[] = []
  const rest: number[] = []
  let visits = 0
  for (const term of known) {
    if (choosing.length > 0 && (visits + term.frequency > VISITS || choosing.length >= CHOOSING_TERMS))
      rest.push(term.hash)
    else {
      choosing.push(term.hash)
      visits += term.frequency
    }
  }
  return { choosing, rest: rest.slice(0, CHOOSING_TERMS) }
}
