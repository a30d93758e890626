/**
 * Writing the file format: Markdown with YAML front matter, as `docs/note-format.md` describes it for people.
 *
 * A rewrite changes only the fields that changed: keys that the schema does not know, comments and the person's
 * own spelling of the rest stay as they are.
 */
import { ReasonedError } from '../base/errors.ts'
import { split } from './front-matter.ts'
import { type FieldChange, patchFront, printFront } from './patch.ts'
import { FIELD_ORDER, type MemoryRecord, recordSchema } from './record.ts'
import { besideKey, fieldOfKey, keyFor, type StatedFields, statedFields, summaryOfTitle } from './values.ts'

/** Fields that a file shows even where they have their default: what a reader looks for first. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'summary',
  'layer',
  'status',
  'source',
  'author',
  'created',
  'updated',
  'rev',
])

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const DEFAULTS = recordSchema.parse({
  id: 'x',
  summary: 'x',
  created: '2000-01-01T00:00:00.000Z',
  updated: '2000-01-01T00:00:00.000Z',
})

/** Each field, and behind it what stands beside another program's value of it. */
const KEY_ORDER = FIELD_ORDER.flatMap((field) => [field, besideKey(field)])

/** What a rewrite would otherwise lose: without them a file is as old as its last change. */
const FROM_THE_FILE = ['created', 'updated'] as const

/** A record and the text that says it. */
export interface Written {
  record: MemoryRecord
  text: string
}

/** Keys that stand in a text's front matter and that the schema does not know; every scalar is a text. */
export type UnknownKeys = Record<string, unknown>

const isKnown = (key: string) => key === 'content' || fieldOfKey(key) !== undefined

/** The fields of a text's front matter as they stand there; empty where it has none. */
export const fieldsStated = (text: string): StatedFields => statedFields(split(text).front)

export const unknownKeys = (text: string): UnknownKeys =>
  Object.fromEntries(Object.entries(fieldsStated(text)).filter(([key]) => !isKnown(key)))

/** Whether a text has front matter; one without is a person's plain note. */
export const hasFront = (text: string): boolean => split(text).front !== undefined

/** Whether a text's front matter has a field of ours; another program's value under its name is none. */
export const shows = (text: string, field: string): boolean => {
  const there = fieldsStated(text)
  return Object.hasOwn(there, keyFor(there, field))
}

/** `text` with other values of fields that its front matter shows; every other character stays where it is. */
export function withValues(text: string, values: Record<string, string | number>): string {
  const parts = split(text)
  if (parts.front === undefined) return text
  const there = fieldsStated(text)
  const changes = Object.entries(values).flatMap(([field, value]) => {
    const key = keyFor(there, field)
    return Object.hasOwn(there, key) ? [{ key, value }] : []
  })
  return `${parts.head}${changedFields(parts.front, changes)}${parts.close}${parts.body}`
}

/**
 * The text of a record's file. Of a file that is there, only the fields that differ are changed, and no other byte.
 * @param previous the record and text that stand in the file now: whatever did not change keeps its spelling, and a
 * summary that is the text's first line stays there.
 * @param unknown keys unknown to the schema as they are to be; left out, they stay as they stand.
 * @throws ReasonedError where the file's front matter cannot be changed.
 */
export function format(record: MemoryRecord, previous?: Written, unknown?: UnknownKeys): string {
  if (!previous) return newText(record, unknown)
  if (unknown === undefined && saysAlready(previous.record, record)) return previous.text
  const parts = split(previous.text)
  if (parts.toml) throw new ReasonedError('REFUSED', { code: 'TOML_NOT_WRITTEN' })
  const there = fieldsStated(previous.text)
  const bodyStays = (['summary', 'title', 'content'] as const).every(
    (key) => record[key] === previous.record[key],
  )
  const changes: FieldChange[] = []
  for (const key of FIELD_ORDER) {
    const value = record[key]
    if (key === 'summary' && bodyStays) continue
    if (isSame(value, previous.record[key])) continue
    changes.push(...fieldChanges(there, key, isDefault(key, value) ? undefined : value))
  }
  const shown = (field: string) => {
    const key = keyFor(there, field)
    return Object.hasOwn(there, key) || changes.some((change) => change.key === key)
  }
  const show = (field: string, value: unknown) => {
    if (!shown(field)) changes.push({ key: keyFor(there, field), value })
  }
  for (const key of FROM_THE_FILE) show(key, record[key])
  // A title says it already.
  const titleSays = record.title !== undefined && summaryOfTitle(record.title) === record.summary
  if (!bodyStays && !titleSays) show('summary', record.summary)
  if (unknown) changes.push(...unknownChanges(there, unknown))
  const front = changedFields(parts.front ?? '', changes)
  const body = bodyStays ? parts.body : bodyOf(record.content, parts.eol)
  const { eol } = parts
  // The last fence of a file without text may end the file.
  const close = body === '' || parts.close.endsWith('\n') ? parts.close : `${parts.close}${eol}`
  if (parts.front !== undefined) return `${parts.head}${front}${close}${body}`
  return `${parts.head}---${eol}${front.replaceAll('\n', eol)}---${eol}${bodyStays ? `${eol}${body}` : body}`
}

/**
 * The changes of a front matter that give a field its value; undefined takes it out. Another program's value under the
 * field's name stays, and ours stands beside it.
 */
function fieldChanges(there: StatedFields, field: string, value: unknown): FieldChange[] {
  const key = keyFor(there, field)
  const left = key === field && Object.hasOwn(there, besideKey(field)) ? [besideKey(field)] : []
  return [
    ...(value !== undefined || Object.hasOwn(there, key) ? [{ key, value }] : []),
    ...left.map((one) => ({ key: one, value: undefined })),
  ]
}

function newText(record: MemoryRecord, unknown: UnknownKeys = {}): string {
  const fields = FIELD_ORDER.filter((key) => !isDefault(key, record[key]) || ALWAYS_SHOWN.has(key))
  const front = printFront([
    ...fields.map((key) => ({ key, value: record[key] })),
    ...Object.entries(unknown).map(([key, value]) => ({ key, value })),
  ])
  return `---\n${front}---\n${bodyOf(record.content, '\n')}`
}

/** @throws ReasonedError where a field cannot be changed without touching another. */
function changedFields(front: string, changes: readonly FieldChange[]): string {
  const text = patchFront(front, changes, KEY_ORDER)
  if (text === undefined) throw new ReasonedError('REFUSED', { code: 'FRONT_NOT_CHANGED' })
  return text
}

const isDefault = (key: (typeof FIELD_ORDER)[number], value: unknown): boolean =>
  value === undefined || isSame(value, DEFAULTS[key])

const saysAlready = (one: MemoryRecord, other: MemoryRecord) =>
  one.content === other.content && FIELD_ORDER.every((key) => isSame(one[key], other[key]))

function unknownChanges(there: Record<string, unknown>, unknown: UnknownKeys): FieldChange[] {
  const keys = new Set([...Object.keys(there), ...Object.keys(unknown)])
  return [...keys].flatMap((key) =>
    isKnown(key) || isSame(there[key], unknown[key]) ? [] : [{ key, value: unknown[key] }],
  )
}

const bodyOf = (content: string, eol: string) =>
  content === '' ? '' : `${eol}${content.replaceAll('\n', eol)}${eol}`
