/** Records that answer a question, each with why it matched. */
import { type Hit, hitValue } from '../search/recall/hit.ts'
import type { Include } from '../search/recall/leave-outs.ts'
import { type Filters, questionOf } from '../search/recall/question.ts'
import type { RecallResult } from '../search/recall/request.ts'
import type { Store } from '../store/store.ts'

export interface SearchRequest {
  /** Several phrasings of one question; none lists what the filters leave, newest first. */
  phrasings: readonly string[]
  filters: Filters
  /** As configured where it is not given. */
  limit?: number | undefined
  include?: readonly Include[] | undefined
  /** The folder that the question is asked in, absolute. */
  folder?: string | undefined
}

export interface SearchAnswer {
  /** How many more match. */
  more: number
  /** How many files were skipped because they cannot be read. */
  skipped: number
  /** Best first. */
  hits: Hit[]
  leftOut: RecallResult['leftOut']
  hints: RecallResult['hints']
}

/** @throws MnemosError INVALID_INPUT when nothing is asked, UNAVAILABLE when there is no index. */
export async function answerSearch(
  store: Store,
  { phrasings, filters, limit = store.config.recallLimit, include = [], folder }: SearchRequest,
): Promise<SearchAnswer> {
  const question = questionOf(phrasings, filters)
  const workspace = await store.workspaceOf(folder)
  const { hits, total, leftOut, hints } = await store.recall({ ...question, limit, include, workspace })
  return {
    more: Math.max(0, total - hits.length),
    skipped: store.bad().length,
    hits: hits.map(hitValue),
    leftOut,
    hints,
  }
}
