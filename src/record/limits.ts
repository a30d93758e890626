/** The limits of the record schema, and the rules that tie kind, source and layer together. */

import { MnemosError, ReasonedError } from '../base/errors.ts'
import { UnreadableText } from './fault.ts'
import { format } from './format.ts'
import { AUTOBIOGRAPHICAL_KINDS, plainKind } from './kinds.ts'
import { parse, withoutLineReturns } from './parse.ts'
import { FILE_LIMIT, firstIssue, type MemoryRecord, recordSchema } from './record.ts'

/** Line ends and characters that a text file cannot hold or that would make it unreadable. */
const cleanText = (text: string): string => text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '')

/** Applies {@link cleanText} to every string of a value. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
  }
  return value
}

/** What did not change stays as it is read; in a text that has carriage returns within its lines they are the person's. */
function cleanRecord(next: MemoryRecord, previous: MemoryRecord | undefined): unknown {
  const entries = Object.entries(next).map(([key, value]) => {
    const before = previous?.[key as keyof MemoryRecord]
    if (previous && JSON.stringify(value) === JSON.stringify(before)) return [key, value]
    if (key === 'content' && previous?.content.includes('\r'))
      return [key, withoutLineReturns(String(value)).split('\r').map(cleanText).join('\r')]
    return [key, clean(value)]
  })
  return Object.fromEntries(entries)
}

/**
 * The source that belongs to a kind: the self-history is autobiographical, verdicts are validated, and neither
 * name is free for anything else. External stays external, whatever the kind.
 */
function sourceFor(record: MemoryRecord): MemoryRecord['source'] {
  if (record.source === 'external') return 'external'
  if (AUTOBIOGRAPHICAL_KINDS.has(record.kind)) return 'autobiographical'
  if (record.kind === 'validation') return 'validated'
  return 'internal'
}

function layerFor(record: MemoryRecord): MemoryRecord['layer'] {
  if (record.source === 'autobiographical') return 'permanent'
  if (record.source === 'external' && record.layer === 'permanent') return 'long'
  if (record.source === 'validated') return 'short'
  return record.layer
}

/** What a file would not give back must not be written into one. @throws ReasonedError RECORD_NOT_KEPT. */
function refuseUnreadable(record: MemoryRecord, text: string): void {
  let back: MemoryRecord
  try {
    back = parse(text, { stem: record.id, mtimeMs: 0 })
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    throw new ReasonedError(
      'INVALID_INPUT',
      { code: 'RECORD_NOT_KEPT', fault: error.fault },
      { cause: error },
    )
  }
  const field = (Object.keys(record) as (keyof MemoryRecord)[]).find(
    (key) => JSON.stringify(back[key]) !== JSON.stringify(record[key]),
  )
  if (field !== undefined) throw new ReasonedError('INVALID_INPUT', { code: 'RECORD_NOT_KEPT', field })
}

/** Gives a new record the source and layer that its kind has, and says what was changed against the caller's words. */
function belong(record: MemoryRecord): string[] {
  const warnings: string[] = []
  record.kind = plainKind(record.kind) || 'note'
  const source = sourceFor(record)
  if (source !== record.source && record.source !== 'internal') {
    warnings.push(
      `The source "${record.source}" does not belong to the kind "${record.kind}": stored as ${source}.`,
    )
  }
  record.source = source
  const layer = layerFor(record)
  if (layer !== record.layer && record.layer !== 'long') {
    warnings.push(`A record of source ${source} is kept in the layer ${layer}, not ${record.layer}.`)
  }
  record.layer = layer
  return warnings
}

/** What no rewrite changes, whoever rewrites: external stays external, and the self-history what its kind makes it. */
function stay(record: MemoryRecord, previous: MemoryRecord): void {
  if (previous.source === 'external') record.source = 'external'
  const kind = plainKind(record.kind)
  if (record.source !== 'external' && AUTOBIOGRAPHICAL_KINDS.has(kind)) {
    record.kind = kind
    record.source = sourceFor(record)
  }
  if (record.source === 'external' || AUTOBIOGRAPHICAL_KINDS.has(kind)) record.layer = layerFor(record)
}

/** No ageing and no clearing up takes the self-history out of sight. */
function refuseArchiving(record: MemoryRecord, previous: MemoryRecord | undefined): void {
  if (record.status !== 'archived' || previous?.status === 'archived') return
  if (record.source !== 'autobiographical') return
  throw new MnemosError(
    'REFUSED',
    `A record of the kind "${record.kind}" is never archived; nothing was written.`,
    'Where it no longer holds, supersede or deprecate it.',
  )
}

/**
 * A record as it may be stored: cleaned, valid, with the source and layer that its kind has.
 * @param previous the record as it stands now; undefined for a new one.
 * @returns the record, and what was changed against the caller's words.
 * @throws MnemosError INVALID_INPUT or REFUSED where it may not be stored at all.
 */
export function withinLimits(
  next: MemoryRecord,
  previous: MemoryRecord | undefined,
): { record: MemoryRecord; warnings: string[] } {
  const parsed = recordSchema.safeParse(cleanRecord(next, previous))
  if (!parsed.success) {
    throw new MnemosError(
      'INVALID_INPUT',
      `The record is not valid (${firstIssue(parsed.error)}); nothing was written.`,
      'Correct that field and write it again.',
    )
  }
  const record = parsed.data
  const warnings = previous ? [] : belong(record)
  if (previous) stay(record, previous)
  refuseArchiving(record, previous)
  const text = format(record)
  refuseUnreadable(record, text)
  refuseTooLarge(text)
  return { record, warnings }
}

/** @throws MnemosError INVALID_INPUT where a text has more bytes than a record file may have. */
export function refuseTooLarge(text: string): void {
  const bytes = Buffer.byteLength(text, 'utf8')
  if (bytes <= FILE_LIMIT) return
  throw new MnemosError(
    'INVALID_INPUT',
    `The record would be ${bytes} bytes and a file holds at most ${FILE_LIMIT}; nothing was written.`,
    'Split it, or keep the long text in a file of its own and its path in the record.',
  )
}
