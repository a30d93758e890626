/** The filters of a search: as SQL over `docs`, and as a check of a record that was just read. */
import { DAY_MS } from '../../base/clock.ts'
import { isWholeDay, wholeDayOf } from '../../record/day.ts'
import { plainKind } from '../../record/kinds.ts'
import type { MemoryRecord } from '../../record/record.ts'
import { fold } from './stem.ts'
import { termHash } from './terms.ts'

/** The filters that a search can have; one that is left out excludes nothing. */
export interface RecallScope {
  task?: string
  /** All of them must be present; case does not matter. */
  tags?: string[]
  /** Case and width do not matter. */
  kind?: string
  source?: string
  /** Earliest `created` that counts: an ISO date or time. */
  since?: string
  /** Latest `created` that counts. A date alone means to the end of that day, UTC. */
  until?: string
  session?: string
}

/** The names of the filters. */
export const SCOPE_KEYS = ['task', 'tags', 'kind', 'source', 'since', 'until', 'session'] as const
/** The name of a filter. */
export type ScopeKey = (typeof SCOPE_KEYS)[number]

/** `since` as milliseconds; a text that is no date excludes nothing. */
export function sinceMs(scope: RecallScope): number {
  const ms = scope.since ? Date.parse(scope.since) : Number.NaN
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms
}

/** `until` as milliseconds, inclusive. */
export function untilMs(scope: RecallScope): number {
  const ms = scope.until ? Date.parse(scope.until) : Number.NaN
  if (Number.isNaN(ms)) return Number.POSITIVE_INFINITY
  return /^\d{4}-\d{2}-\d{2}$/.test(scope.until?.trim() ?? '') ? ms + DAY_MS - 1 : ms
}

/** The key under which tags, ids and names are compared and stored: the hash of their folded form. */
export const keyOf = (name: string, salt: number): number => termHash(fold(name.trim()), salt)

/** A condition and the values of its parameters. */
export interface Where {
  sql: string
  values: (string | number)[]
}

/** For a day without a time a bound is the day that it falls on. */
const BOUND = 'CASE WHEN d.created % ? = 0 THEN ? ELSE ? END'
const boundFor = (created: number, bound: number): number =>
  Number.isFinite(bound) && isWholeDay(created) ? wholeDayOf(bound) : bound

/** Conditions over `docs d`; always leaves out bad files and copies that another file of the same id outranks. */
export function whereOf(scope: RecallScope, salt: number): Where {
  const parts = ['d.bad IS NULL', 'd.shadowed = 0']
  const values: (string | number)[] = []
  const add = (sql: string, ...more: (string | number)[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (scope.task !== undefined) add('d.task = ?', keyOf(scope.task, salt))
  if (scope.session !== undefined) add('d.session = ?', keyOf(scope.session, salt))
  if (scope.kind !== undefined) add('d.kind = ?', plainKind(scope.kind))
  if (scope.source !== undefined) add('d.source = ?', scope.source)
  const [since, until] = [sinceMs(scope), untilMs(scope)]
  if (Number.isFinite(since)) add(`d.created >= ${BOUND}`, DAY_MS, wholeDayOf(since), since)
  if (Number.isFinite(until)) add(`d.created <= ${BOUND}`, DAY_MS, wholeDayOf(until), until)
  for (const tag of scope.tags ?? []) add('d.doc IN (SELECT doc FROM tags WHERE tag = ?)', keyOf(tag, salt))
  return { sql: parts.join(' AND '), values }
}

const sameName = (a: string | undefined, b: string): boolean =>
  a !== undefined && fold(a.trim()) === fold(b.trim())

/** Whether a record that was just read lies within the scope. */
export function inScope(record: MemoryRecord, scope: RecallScope): boolean {
  const created = Date.parse(record.created)
  return (
    (scope.task === undefined || sameName(record.task, scope.task)) &&
    (scope.session === undefined || sameName(record.session, scope.session)) &&
    (scope.kind === undefined || plainKind(record.kind) === plainKind(scope.kind)) &&
    (scope.source === undefined || record.source === scope.source) &&
    created >= boundFor(created, sinceMs(scope)) &&
    created <= boundFor(created, untilMs(scope)) &&
    (scope.tags ?? []).every((tag) => record.tags.some((own) => sameName(own, tag)))
  )
}

/** The scope without one of its filters. */
export function without(scope: RecallScope, key: ScopeKey): RecallScope {
  const { [key]: _, ...rest } = scope
  return rest
}

/** The names of the filters that the scope has. */
export const filtersOf = (scope: RecallScope): ScopeKey[] =>
  SCOPE_KEYS.filter((key) => (key === 'tags' ? (scope.tags?.length ?? 0) > 0 : scope[key] !== undefined))
