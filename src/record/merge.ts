/**
 * Three-way merge of a record: what was read, what one writer made of it, and what another made of it meanwhile.
 * A field that only one side changed is that side's. Lists take what either side added and lose what either side
 * took away. Where both changed the same words differently, both texts are kept and it is said so.
 *
 * The result does not depend on which side is called which.
 */
import { diff3Merge } from 'node-diff3'
import {
  ASKED_AS_LIMIT,
  type Layer,
  type MemoryRecord,
  recordSchema,
  type Source,
  type Status,
} from './record.ts'

/** A record's fields together with keys that the schema does not know. */
export type Fields = Record<string, unknown>

export interface Conflict {
  field: string
  /** The text that stands in the field now, and the one that is kept below the content. */
  kept: unknown
  other: unknown
}

export interface Merged {
  fields: Fields
  conflicts: Conflict[]
}

const LISTS: ReadonlySet<string> = new Set([
  'tags',
  'askedAs',
  'exposedTo',
  'derivedFrom',
  'verifiedBy',
  'supersedes',
  'supersededBy',
  'contested',
  'links',
])

/** Of two different decisions the one that must not get lost stands first. */
const PRECEDENCE: Record<string, readonly unknown[]> = {
  status: ['deprecated', 'archived', 'candidate', 'active'] satisfies Status[],
  source: ['external', 'validated', 'autobiographical', 'internal'] satisfies Source[],
  layer: ['permanent', 'long', 'short'] satisfies Layer[],
  tier: ['hot', 'cold'],
}

const canonicalJson = (value: unknown): string => JSON.stringify(value) ?? 'undefined'
const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Which of two sides stands first where a rule needs one: the one that was written later. */
function newerFirst(a: Fields, b: Fields): [Fields, Fields] {
  const order =
    compareTexts(String(b.updated ?? ''), String(a.updated ?? '')) ||
    compareTexts(canonicalJson(b), canonicalJson(a))
  return order <= 0 ? [a, b] : [b, a]
}

export function merge(base: Fields, one: Fields, two: Fields): Merged {
  const [newer, older] = newerFirst(one, two)
  const fields: Fields = {}
  const conflicts: Conflict[] = []
  const keys = new Set([...Object.keys(base), ...Object.keys(newer), ...Object.keys(older)])
  for (const key of keys) {
    const value = mergeField(key, base[key], newer[key], older[key], conflicts)
    if (value !== undefined) fields[key] = value
  }
  return { fields: keepBoth(fields, conflicts), conflicts }
}

function mergeField(
  key: string,
  base: unknown,
  newer: unknown,
  older: unknown,
  conflicts: Conflict[],
): unknown {
  if (key === 'rev') return Math.max(Number(newer ?? 1), Number(older ?? 1))
  if (key === 'updated') return String(newer ?? '') > String(older ?? '') ? newer : older
  if (isSameJson(newer, older) || isSameJson(older, base)) return newer
  if (isSameJson(newer, base)) return older
  if (LISTS.has(key))
    return withinLimit(key, mergeList(listOf(base), listOf(newer), listOf(older)), conflicts)
  if (key === 'content')
    return mergeText(String(base ?? ''), String(newer ?? ''), String(older ?? ''), conflicts)
  const order = PRECEDENCE[key]
  if (order) return order.find((value) => value === newer || value === older) ?? newer
  if (newer === undefined || older === undefined) return newer ?? older
  conflicts.push({ field: key, kept: newer, other: older })
  return newer
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** What stood there and nobody took away, then what was added, in an order that both sides agree on. */
function mergeList(base: unknown[], newer: unknown[], older: unknown[]): unknown[] {
  const [had, a, b] = [base, newer, older].map((list) => new Set(list.map(canonicalJson)))
  const stayed = base.filter((value) => a?.has(canonicalJson(value)) && b?.has(canonicalJson(value)))
  const added = new Map(
    [...newer, ...older]
      .filter((value) => !had?.has(canonicalJson(value)))
      .map((value) => [canonicalJson(value), value]),
  )
  return [...stayed, ...[...added].sort(([x], [y]) => compareTexts(x, y)).map(([, value]) => value)]
}

/** A record has room for three questions; one more is kept where a lost text is kept. */
function withinLimit(key: string, list: unknown[], conflicts: Conflict[]): unknown[] {
  if (key !== 'askedAs' || list.length <= ASKED_AS_LIMIT) return list
  const kept = list.slice(0, ASKED_AS_LIMIT)
  conflicts.push({ field: key, kept, other: list.slice(ASKED_AS_LIMIT).join(' / ') })
  return kept
}

/** Lines of three texts merged; undefined where both sides changed the same lines. */
export function mergeLines(base: string, one: string, two: string): string | undefined {
  const regions = diff3Merge(one.split('\n'), base.split('\n'), two.split('\n'), {
    excludeFalseConflicts: true,
  })
  return regions.every(({ ok }) => ok) ? regions.flatMap(({ ok }) => ok ?? []).join('\n') : undefined
}

const CONFLICT = { begins: '<<<<<<< one version', between: '=======', ends: '>>>>>>> other version' } as const

/** By lines; where both changed the same lines, both stand there, marked. */
function mergeText(base: string, newer: string, older: string, conflicts: Conflict[]): string {
  const regions = diff3Merge(newer.split('\n'), base.split('\n'), older.split('\n'), {
    excludeFalseConflicts: true,
  })
  const lines: string[] = []
  for (const region of regions) {
    if (region.ok) lines.push(...region.ok)
    else if (region.conflict) {
      const { a, b } = region.conflict
      conflicts.push({ field: 'content', kept: a.join('\n'), other: b.join('\n') })
      lines.push(CONFLICT.begins, ...a, CONFLICT.between, ...b, CONFLICT.ends)
    }
  }
  return lines.join('\n')
}

/** The texts that lost their field are kept below the content, where a person sees them and a search finds them. */
function keepBoth(fields: Fields, conflicts: readonly Conflict[]): Fields {
  const lost = conflicts.filter(({ field }) => field !== 'content')
  if (lost.length === 0) return fields
  const notes = lost.map(
    ({ field, other }) =>
      `Conflict: ${field} was also changed to: ${typeof other === 'string' ? other : canonicalJson(other)}`,
  )
  const content = [String(fields.content ?? ''), ...notes].filter((text) => text !== '').join('\n\n')
  return { ...fields, content }
}

/** The merge of whole records, for writers that know nothing of unknown keys. */
export function mergeRecords(
  base: MemoryRecord,
  one: MemoryRecord,
  two: MemoryRecord,
): { record: MemoryRecord; conflicts: Conflict[] } {
  const { fields, conflicts } = merge(base, one, two)
  return { record: recordSchema.parse(fields), conflicts }
}
