/**
 * The file format: Markdown with YAML front matter, as `docs/note-format.md` describes it for people.
 *
 * A rewrite changes only the fields that changed: keys that the schema does not know, comments and the person's
 * own spelling of the rest stay as they are.
 */
import { type Document, isMap, parseDocument } from 'yaml'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { cut, oneLine } from '../base/text.ts'
import {
  ASKED_AS_LIMIT,
  FIELD_ORDER,
  firstIssue,
  ID_PATTERN,
  type MemoryRecord,
  recordSchema,
  SUMMARY_LIMIT,
} from './record.ts'

/** What the file itself gives a record that leaves it out. */
export interface FileFacts {
  /** The file's name without `.md`. */
  stem: string
  /** The file's time, milliseconds since the epoch. */
  mtimeMs: number
}

const bad = (reason: string) => new MnemosError('INVALID_INPUT', reason)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a record file's bytes.
 * @throws MnemosError naming what is wrong: empty, a byte order mark, Windows line ends, another encoding.
 */
export function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw bad('the file is empty')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw bad('it begins with a byte order mark (BOM)')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw bad('it is not UTF-8 text')
  }
  if (text.includes('\0')) throw bad('it holds NUL bytes')
  if (text.includes('\r')) throw bad('it has Windows line ends (CRLF)')
  if (text.trim() === '') throw bad('it holds no text')
  return text
}

interface Parts {
  /** YAML between the fences; undefined where there are none. */
  front: string | undefined
  body: string
}

const OPEN = /^---[ \t]*\n/
const CLOSE = /^---[ \t]*(?:\n|$)/m

function split(text: string): Parts {
  const open = OPEN.exec(text)
  if (!open) return { front: undefined, body: text }
  const rest = text.slice(open[0].length)
  const close = CLOSE.exec(rest)
  if (!close) throw bad('its front matter is not closed by a line "---": perhaps it was written only in part')
  return { front: rest.slice(0, close.index), body: rest.slice(close.index + close[0].length) }
}

function frontDocument(front: string): Document {
  const document = parseDocument(front, { prettyErrors: false, uniqueKeys: true })
  const error = document.errors[0]
  if (error) throw bad(`its YAML cannot be read (${reasonOf(error).slice(0, 120)})`)
  if (document.contents !== null && !isMap(document.contents)) {
    throw bad('its front matter is not a list of "key: value" lines')
  }
  return document
}

function fieldsOf(document: Document): Record<string, unknown> {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 })
    return z.record(z.string(), z.unknown()).nullable().parse(value) ?? {}
  } catch (error) {
    throw bad(`its YAML cannot be read (${reasonOf(error).slice(0, 120)})`)
  }
}

/** One blank line after the front matter and one line end at the end belong to the file, not to the content. */
const contentOf = (body: string) => body.replace(/^\n/, '').replace(/\n$/, '')

/** A value that a person spread over several lines becomes one; any other keeps its own white space. */
const flat = (text: string) => (/[\r\n\u2028\u2029\u0085]/.test(text) ? oneLine(text) : text.trim())

/** What people write by hand: one tag instead of a list, numbers as tags, a summary over several lines. */
function asWritten(fields: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue
    out[key] = value
  }
  for (const key of ['tags', 'askedAs'] as const) {
    const value = out[key]
    if (typeof value === 'string') out[key] = key === 'tags' ? value.split(/[,，]/) : [value]
    const list = out[key]
    if (Array.isArray(list)) {
      const words = list
        .map((item) => (typeof item === 'number' || typeof item === 'boolean' ? String(item) : item))
        .map((item) =>
          typeof item === 'string' ? cut(flat(item), key === 'tags' ? 64 : SUMMARY_LIMIT, '') : item,
        )
        .filter((item) => item !== '')
      out[key] = key === 'askedAs' ? words.slice(0, ASKED_AS_LIMIT) : words
    }
  }
  for (const key of ['summary', 'id', 'kind', 'task', 'session', 'workspace', 'author', 'why'] as const) {
    if (typeof out[key] === 'number') out[key] = String(out[key])
  }
  if (typeof out.summary === 'string') out.summary = cut(flat(out.summary), SUMMARY_LIMIT, '')
  return out
}

/**
 * A record from the text of its file. The least it needs is one line of text.
 * @throws MnemosError with the reason why the file cannot be a record.
 */
export function parse(text: string, facts: FileFacts): MemoryRecord {
  const { front, body } = split(text)
  const fields = front === undefined ? {} : asWritten(fieldsOf(frontDocument(front)))
  let content = contentOf(body)
  if (typeof fields.summary !== 'string' || fields.summary === '') {
    const lines = content.replace(/^\s*\n/, '').split('\n')
    const first = lines[0] ?? ''
    const summary = cut(oneLine(first), SUMMARY_LIMIT, '')
    if (summary === '') throw bad('it has neither a summary nor a line of text')
    fields.summary = summary
    // A first line that had to be cut stays in the content, so that none of it is lost to search.
    content = summary === oneLine(first) ? lines.slice(1).join('\n').replace(/^\n+/, '') : content
  }
  const time = new Date(facts.mtimeMs).toISOString()
  const name = fields.id ?? facts.stem
  const id = typeof name === 'string' ? name.normalize('NFC') : name
  if (typeof id !== 'string' || !ID_PATTERN.test(id)) {
    throw bad(`its name "${cut(String(id), 80)}" is no id: 1 to 64 letters, digits, "-" or "_" are`)
  }
  const parsed = recordSchema.safeParse({ created: time, updated: time, ...fields, id, content })
  if (!parsed.success) throw bad(firstIssue(parsed.error))
  return parsed.data
}

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

/**
 * The text of a record's file.
 * @param previous the record and text that stand in the file now: whatever did not change keeps its spelling.
 */
export function format(record: MemoryRecord, previous?: { record: MemoryRecord; text: string }): string {
  const parts = previous ? split(previous.text) : undefined
  const document = frontDocument(parts?.front ?? '')
  const whole = parts?.front === undefined
  for (const key of FIELD_ORDER) {
    const value = record[key]
    const before = whole ? undefined : previous?.record[key]
    if (!whole && same(value, before)) continue
    const isDefault = value === undefined || same(value, DEFAULTS[key])
    if (!isDefault || ALWAYS_SHOWN.has(key)) document.set(key, value)
    else if (document.has(key)) document.delete(key)
  }
  // A hand-written file may keep its summary in the body's first line; once a field is written it stands above.
  const body =
    !whole && previous && record.content === previous.record.content && parts && document.has('summary')
      ? previousBody(parts.body, previous.record)
      : bodyOf(record.content)
  if (!document.has('summary')) document.set('summary', record.summary)
  return `---\n${document.toString({ lineWidth: 0 }).replace(/\n*$/, '\n')}---\n${body}`
}

const bodyOf = (content: string) => (content === '' ? '' : `\n${content}\n`)

/** The body as it stands, unless part of it was taken as the summary. */
const previousBody = (body: string, record: MemoryRecord) =>
  contentOf(body) === record.content ? body : bodyOf(record.content)
