/**
 * Writing the file format: Markdown with YAML front matter, as `docs/note-format.md` describes it for people.
 *
 * A rewrite changes only the fields that changed: keys that the schema does not know, comments and the person's
 * own spelling of the rest stay as they are.
 */
import { type Document, isScalar } from 'yaml'
import { fieldsOf, frontDocument, OPEN, split } from './front-matter.ts'
import { FIELD_ORDER, type MemoryRecord, recordSchema } from './record.ts'

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

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const DEFAULTS = recordSchema.parse({
  id: 'x',
  summary: 'x',
  created: '2000-01-01T00:00:00.000Z',
  updated: '2000-01-01T00:00:00.000Z',
})

/** What a rewrite would otherwise lose: without them a file is as old as its last change. */
const FROM_THE_FILE = ['created', 'updated'] as const

/** A record and the text that says it. */
export interface Written {
  record: MemoryRecord
  text: string
}

/** Keys that stand in a text's front matter and that the schema does not know. */
export type UnknownKeys = Record<string, unknown>

const isKnown = (key: string) => Object.hasOwn(recordSchema.shape, key)

export function unknownKeys(text: string): UnknownKeys {
  const { front } = split(text)
  if (front === undefined) return {}
  return Object.fromEntries(Object.entries(fieldsOf(frontDocument(front))).filter(([key]) => !isKnown(key)))
}

/** Whether a text has front matter; one without is a person's plain note. */
export const hasFront = (text: string): boolean => split(text).front !== undefined

/** Whether a key stands in a text's front matter. */
export function shows(text: string, key: string): boolean {
  const { front } = split(text)
  return front !== undefined && frontDocument(front).has(key)
}

/** `text` with other values of keys that its front matter shows; every other character stays where it is. */
export function stamped(text: string, values: Record<string, string | number>): string {
  const { front } = split(text)
  if (front === undefined) return text
  const start = OPEN.exec(text)?.[0].length ?? 0
  const document = frontDocument(front)
  const places = Object.entries(values).flatMap(([key, value]) => {
    const node = document.get(key, true)
    return isScalar(node) && node.range ? [{ from: node.range[0], to: node.range[1], value }] : []
  })
  places.sort((a, b) => b.from - a.from)
  let out = front
  for (const { from, to, value } of places) out = `${out.slice(0, from)}${value}${out.slice(to)}`
  return `${text.slice(0, start)}${out}${text.slice(start + front.length)}`
}

/**
 * The text of a record's file.
 * @param previous the record and text that stand in the file now: whatever did not change keeps its spelling, and a
 * summary that is the text's first line stays there.
 * @param unknown keys unknown to the schema as they are to be; left out, they stay as they stand.
 */
export function format(record: MemoryRecord, previous?: Written, unknown?: UnknownKeys): string {
  if (previous && unknown === undefined && saysAlready(previous.record, record)) return previous.text
  const parts = previous ? split(previous.text) : undefined
  const document = frontDocument(parts?.front ?? '')
  const bodyStays =
    previous !== undefined &&
    record.summary === previous.record.summary &&
    record.content === previous.record.content
  for (const key of FIELD_ORDER) {
    const value = record[key]
    if (key === 'summary' && bodyStays) continue
    if (previous && same(value, previous.record[key])) continue
    if (!isDefault(key, value) || (!previous && ALWAYS_SHOWN.has(key))) document.set(key, value)
    else if (document.has(key)) document.delete(key)
  }
  for (const key of FROM_THE_FILE) if (!document.has(key)) document.set(key, record[key])
  if (!bodyStays && !document.has('summary')) document.set('summary', record.summary)
  if (unknown) setUnknown(document, unknown)
  const body =
    bodyStays && parts ? (parts.front === undefined ? `\n${parts.body}` : parts.body) : bodyOf(record.content)
  return `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false }).replace(/\n*$/, '\n')}---\n${body}`
}

const isDefault = (key: (typeof FIELD_ORDER)[number], value: unknown): boolean =>
  value === undefined || same(value, DEFAULTS[key])

const saysAlready = (one: MemoryRecord, other: MemoryRecord) =>
  one.content === other.content && FIELD_ORDER.every((key) => same(one[key], other[key]))

function setUnknown(document: Document, unknown: UnknownKeys): void {
  const before = fieldsOf(document)
  for (const key of new Set([...Object.keys(before), ...Object.keys(unknown)])) {
    if (isKnown(key) || same(before[key], unknown[key])) continue
    if (unknown[key] === undefined) document.delete(key)
    else document.set(key, unknown[key])
  }
}

const bodyOf = (content: string) => (content === '' ? '' : `\n${content}\n`)
