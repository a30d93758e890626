/** What recall is asked and what it answers, and the rules that a search and a listing share. */

import type { MemoryRecord } from '../../record/record.ts'
import type { Doc } from '../index/entries.ts'
import type { RecordIndex } from '../index/record-index.ts'
import { inScope, type RecallScope } from '../index/scope.ts'
import type { Matched } from './explain.ts'
import type { Hint } from './hints.ts'
import {
  type Include,
  isElsewhere,
  type LeftOut,
  leaveOutFacts,
  leftOutAs,
  type Rules,
} from './leave-outs.ts'

/** What recall is asked. */
export interface RecallRequest {
  /** Up to four phrasings of one question; none lists the scope, newest first. */
  queries: readonly string[]
  scope: RecallScope
  limit: number
  include: readonly Include[]
  /** The present workspace. */
  workspace?: string | undefined
  /** Keep records of other workspaces out. */
  isolate?: boolean | undefined
  /** Bytes above which a record's file is a giant. */
  giantBytes: number
  /** Milliseconds since the epoch. */
  now: number
  /** Days since a record was made or last opened: breaks ties, the less idle first. @param created milliseconds. */
  idleDaysOf?: ((id: string, created: number) => number | undefined) | undefined
}

/** A record that answers, and why. */
export interface RecallHit {
  record: MemoryRecord
  path: string
  /** Higher is better; comparable within one answer. */
  score: number
  matched: Matched[]
  /** The telling part of the content, at most 240 characters; empty without content. */
  snippet: string
  /** Of another workspace than the present one. */
  elsewhere: boolean
  /** Its `validUntil` is past. */
  expired: boolean
  /** Ids of the records that replaced it, as far as it or the other hits tell. */
  supersededBy: string[]
}

/** What recall answers. */
export interface RecallResult {
  hits: RecallHit[]
  /** Records that match and may be shown, hits among them; at most as many as are ranked closely. */
  total: number
  leftOut: Partial<Record<LeftOut, number>>
  hints: Hint[]
}

/** Reads one record file, now. Undefined: it is gone or bad. */
export type Load = (path: string) => MemoryRecord | undefined

/** The rules that a request sets. */
export const rulesOf = (request: RecallRequest): Rules => ({
  include: request.include,
  isolate: request.isolate ?? false,
})

/** Checks a record that was just read against what was asked; the file may have changed since it was indexed. */
export function stillWanted(
  record: MemoryRecord,
  doc: Doc,
  request: RecallRequest,
  archived: boolean,
): boolean {
  if (!inScope(record, request.scope)) return false
  const left = leftOutAs(leaveOutFacts(record, doc, request.giantBytes, request.workspace), rulesOf(request))
  return left === undefined || (archived && left === 'archived')
}

/** Why an indexed record is left out; undefined where it is shown. */
export function leftOutOf(index: RecordIndex, doc: Doc, request: RecallRequest): LeftOut | undefined {
  return leftOutAs(
    { ...doc, giant: isGiant(doc, request), elsewhere: docElsewhere(index, doc, request) },
    rulesOf(request),
  )
}

/** Whether an indexed record is left out for its size. */
export const isGiant = (doc: Doc, request: RecallRequest): boolean => doc.size > request.giantBytes

/** Whether an indexed record belongs to another workspace than the present one. */
export const docElsewhere = (index: RecordIndex, doc: Doc, request: RecallRequest): boolean =>
  request.workspace !== undefined && doc.workspace !== null && doc.workspace !== index.key(request.workspace)

/** Whether its `validUntil` is past. @param now milliseconds since the epoch. */
export const isExpired = ({ validUntil }: MemoryRecord, now: number): boolean =>
  validUntil !== undefined && Date.parse(validUntil) < now

/** The hit that a record makes. @param found with the ids of other hits that replaced it. */
export function hitOf(
  found: { record: MemoryRecord; doc: Doc; score: number; supersededBy: readonly string[] },
  why: { matched: Matched[]; snippet: string },
  request: RecallRequest,
): RecallHit {
  const { record } = found
  return {
    record,
    path: found.doc.path,
    score: found.score,
    ...why,
    elsewhere: isElsewhere(record.workspace, request.workspace),
    expired: isExpired(record, request.now),
    supersededBy: [...new Set([...record.supersededBy, ...found.supersededBy])],
  }
}
