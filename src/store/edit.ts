/**
 * A person's edit of a record's file, carried into what stands in the file by then. Where nobody else wrote meanwhile
 * the person's text is the file; else both are merged by fields, unknown keys among them, and comments stay.
 */
import { localMinute } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { oneLine } from '../base/text.ts'
import { type GoodFile, stemOf } from '../files/record-files.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { UnreadableText } from '../record/fault.ts'
import { format, hasFront, shows, unknownKeys, type Written, withValues } from '../record/format.ts'
import { type Conflict, type Fields, merge, mergeLines } from '../record/merge.ts'
import { type FileFacts, foreignValues, parse } from '../record/parse.ts'
import { FIELD_ORDER, firstIssue, type MemoryRecord, recordSchema } from '../record/record.ts'

interface Edited extends Written {
  /** Undefined where nobody else had written. */
  merged?: { conflicts: Conflict[] }
}

/** What an edit makes of a record: the text that its file's new text is made from, and the record as it is to be. */
export interface PlannedEdit {
  previous: Written
  wanted: MemoryRecord
  merged?: { conflicts: Conflict[] }
}

/**
 * Plans an edit onto the file as it stands. Where nothing is to be written, `previous` is that file.
 * @param base the text that the person was shown, `mine` as they left it.
 * @throws MnemosError INVALID_INPUT when what they left cannot be this record.
 */
export function editOf(
  { id, base, mine }: { id: string; base: string; mine: string },
  before: GoodFile,
  tombstones: Tombstones,
  now: string,
): PlannedEdit {
  const { path, mtimeMs } = before.file
  const { merged, ...edit } = edited(base, mine, before.text, { stem: stemOf(path), mtimeMs })
  if (edit.text === before.text) return { previous: before, wanted: before.record }
  if (edit.record.id !== id) {
    throw new MnemosError(
      'INVALID_INPUT',
      `An edit cannot rename "${id}" to "${edit.record.id}"; nothing was written.`,
      'Leave its id as it was.',
    )
  }
  const deletedAt = tombstones.deletedAt(id)
  if (deletedAt !== undefined && tombstones.isDeleted(id, edit.record.created)) {
    throw new MnemosError(
      'INVALID_INPUT',
      `A record named "${id}" was deleted on ${localMinute(deletedAt)}, and this one would have the time of creation that it had; nothing was written.`,
      'Leave its "created" as it was.',
    )
  }
  return { ...withRevision(edit, before, now), ...(merged ? { merged } : {}) }
}

/** Who edited a file sees the file: what a gate made of it is said. */
export const changedByGates = (wanted: MemoryRecord, admitted: MemoryRecord): string[] =>
  [...FIELD_ORDER, 'content' as const]
    .filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(admitted[key]))
    .map((key) => `The field "${key}" is stored as ${JSON.stringify(admitted[key]) ?? 'nothing'}.`)

/** @throws MnemosError when what the person left cannot be a record. */
function edited(base: string, mine: string, theirs: string, facts: FileFacts): Edited {
  const record = parse(mine, facts)
  refuseNewForeign(base, mine)
  if (theirs === base || theirs === mine) return { record, text: mine }
  const sides = [base, mine, theirs].map((text) => fieldsIn(text, facts))
  const [before = {}, one = {}, two = {}] = sides
  const { fields, conflicts } = merge(before, one, two)
  const lines = mergeLines(base, mine, theirs)
  if (lines !== undefined && textHolds(lines, fields, facts)) {
    return { record: parse(lines, facts), text: lines, merged: { conflicts: [] } }
  }
  return { ...fromFields(fields, base, mine, theirs, facts), merged: { conflicts } }
}

/** A value that the schema does not take is kept where another program wrote it; who edits a record meant a value of ours. */
function refuseNewForeign(base: string, mine: string): void {
  const before = new Set(foreignValues(base).map(({ key }) => key))
  const spoilt = foreignValues(mine).find(({ key }) => !before.has(key))
  if (spoilt) throw new UnreadableText({ code: 'FIELD', field: spoilt.key, wrong: spoilt.wrong })
}

const fieldsIn = (text: string, facts: FileFacts): Fields => ({ ...unknownKeys(text), ...parse(text, facts) })

/** Whether a text merged by lines holds what the merge by fields found right. */
function textHolds(text: string, fields: Fields, facts: FileFacts): boolean {
  try {
    return sorted(fieldsIn(text, facts)) === sorted(fields)
  } catch {
    // Lines that fit together by chance need not be a record.
    return false
  }
}

const sorted = (fields: Fields) =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

function fromFields(
  fields: Fields,
  base: string,
  mine: string,
  theirs: string,
  facts: FileFacts,
): { record: MemoryRecord; text: string } {
  const parsed = recordSchema.safeParse(fields)
  if (!parsed.success) {
    throw new MnemosError(
      'INVALID_INPUT',
      `What was changed on disk meanwhile and what you wrote do not fit together (${firstIssue(parsed.error)}); nothing was written.`,
      'Edit it again.',
    )
  }
  const record = parsed.data
  if (!hasFront(mine) && !hasFront(theirs)) {
    const text = plainNote(record)
    if (textHolds(text, fields, facts)) return { record, text }
  }
  const ground = hasFront(mine) ? mine : theirs
  const unknown = Object.fromEntries(
    Object.entries(fields).filter(([key]) => !Object.hasOwn(recordSchema.shape, key)),
  )
  const text = format(record, { record: parse(ground, facts), text: ground }, unknown)
  return { record, text: withComments(text, base, theirs) }
}

/** A record as a person's plain note: its summary is the first line. */
function plainNote({ summary, content }: MemoryRecord): string {
  // A first line that was cut for the summary stands whole in the content.
  if (oneLine(content.split('\n')[0] ?? '').startsWith(summary)) return `${content}\n`
  return content === '' ? `${summary}\n` : `${summary}\n\n${content}\n`
}

const COMMENT = /^[ \t]*#.*$/gm

/** Comment lines that the other writer added to the front matter and that the merge by fields did not carry over. */
function withComments(text: string, base: string, theirs: string): string {
  const has = (where: string, line: string) => where.split('\n').some((one) => one.trim() === line.trim())
  const front = (hasFront(theirs) ? /^---[ \t]*\n([\s\S]*?)^---[ \t]*$/m.exec(theirs)?.[1] : undefined) ?? ''
  const lost = (front.match(COMMENT) ?? []).filter((line) => !has(base, line) && !has(text, line))
  return lost.length === 0 ? text : text.replace(/\n/, `\n${lost.map((line) => `${line.trim()}\n`).join('')}`)
}

/**
 * The edit with its revision counted, as far as the file counts revisions: a plain note stays one.
 * @param before what stands in the file.
 * @returns what the text says, and the record that it is to say.
 */
function withRevision({ record, text }: Written, before: Written, now: string): PlannedEdit {
  const values = { updated: now, rev: Math.max(before.record.rev, record.rev) + 1 }
  if (!hasFront(text)) return { previous: { record, text }, wanted: record }
  const inText = Object.fromEntries(Object.entries(values).filter(([key]) => shows(text, key)))
  const inEither = Object.fromEntries(
    Object.entries(values).filter(([key]) => shows(text, key) || shows(before.text, key)),
  )
  return {
    previous: { record: { ...record, ...inText }, text: withValues(text, inText) },
    wanted: { ...record, ...inEither },
  }
}
