/** Recall without a query: the records of a scope, newest first. */
import type { RecordIndex } from '../index/record-index.ts'
import type { RecallScope } from '../index/scope.ts'
import { explain } from './explain.ts'
import { leftOutHints, scopeHints } from './hints.ts'
import { inOrder, successorsOf } from './order.ts'
import {
  hitOf,
  type Load,
  leftOutOf,
  type RecallHit,
  type RecallRequest,
  type RecallResult,
  stillWanted,
} from './request.ts'

/** Records of a scope that a listing without a query looks at. */
const LISTED = 5000

/** The newest records of the scope. */
export function list(index: RecordIndex, load: Load, request: RecallRequest): RecallResult {
  const hits: RecallHit[] = []
  const leftOut: RecallResult['leftOut'] = {}
  let total = 0
  const part = { limit: LISTED, now: request.now }
  const allowed = index.list(request.scope, part).filter((doc) => {
    const left = leftOutOf(index, doc, request)
    if (left !== undefined) leftOut[left] = (leftOut[left] ?? 0) + 1
    return left === undefined
  })
  const successors = successorsOf(allowed)
  for (const doc of allowed) {
    if (hits.length >= request.limit) {
      total++
      continue
    }
    const record = load(doc.path)
    if (!record || !stillWanted(record, doc, request, false)) continue
    total++
    const supersededBy = successors.get(doc.id) ?? []
    hits.push(hitOf({ record, doc, score: 0, supersededBy }, explain(record, new Map(), index.salt), request))
  }
  const count = (scope: RecallScope) =>
    index.list(scope, part).filter((doc) => leftOutOf(index, doc, request) === undefined).length
  const hints = leftOutHints(leftOut)
  if (hits.length === 0) hints.push(...scopeHints(request.scope, count))
  return { hits: successorsFirst(hits), total, leftOut, hints }
}

/** Newest first, but a superseded record stands behind the one that replaced it. */
function successorsFirst(hits: readonly RecallHit[]): RecallHit[] {
  const places = new Map(hits.map((hit, at) => [hit, hits.length - at]))
  const ordered = hits.map((hit) => ({
    hit,
    ...hit.record,
    score: places.get(hit) ?? 0,
    elsewhere: false,
    idleDays: 0,
    created: 0,
  }))
  return inOrder(ordered).map(({ hit }) => hit)
}
