/**
 * The file format: Markdown with YAML front matter, as `docs/note-format.md` describes it for people.
 *
 * A rewrite changes only the fields that changed: keys that the schema does not know, comments and the person's
 * own spelling of the rest stay as they are.
 */
import { type Document, isMap, isScalar, Lexer, parseDocument } from 'yaml'
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

export interface Parts {
  /** YAML between the fences; undefined where there are none. */
  front: string | undefined
  body: string
}

const OPEN = /^---[ \t]*\n/
/** A line of its own; only a line feed ends a line here, not every character that an `m` flag takes for one. */
const CLOSE = /(?<=^|\n)---[ \t]*(?:\n|$)/
/** Front matter beyond this is no note of a person, and a parser takes its time with it: bytes, marks of values, keys. */
const FRONT_BYTES = 128 * 1024
const FRONT_MARKS = 8_192
const FRONT_KEYS = 200
/** Nesting, and all of tags, anchors, aliases and explicit keys: a parser takes seconds, or an hour, with thousands of them. */
const FRONT_DEPTH = 32
const FRONT_SIGNS = 64
const FRONT_COLLECTIONS = 2_000
/** What could be one of these, or only text: where there are few, nothing more has to be looked at. */
const SIGN = /[[\]{}!&*]|[-?:][ \t\n]/g

/** @throws MnemosError where front matter was begun and not closed. */
export function split(text: string): Parts {
  const open = OPEN.exec(text)
  if (!open) return { front: undefined, body: text }
  const rest = text.slice(open[0].length)
  const close = CLOSE.exec(rest)
  if (!close) throw bad('its front matter is not closed by a line "---": perhaps it was written only in part')
  return { front: rest.slice(0, close.index), body: rest.slice(close.index + close[0].length) }
}

/**
 * The front matter of a file, still as YAML.
 * @param schema what scalars become; `failsafe` leaves every one a text.
 * @throws MnemosError naming what is wrong with it.
 */
export function frontDocument(front: string, schema: 'core' | 'failsafe' = 'core'): Document {
  if (Buffer.byteLength(front) > FRONT_BYTES)
    throw bad(`its front matter is larger than ${FRONT_BYTES} bytes`)
  if ((front.match(/[:\n,&*]/g)?.length ?? 0) > FRONT_MARKS) throw bad('its front matter has too many values')
  if ((front.match(/^[^\s#-][^\n]*:/gm)?.length ?? 0) > FRONT_KEYS)
    throw bad(`its front matter has more than ${FRONT_KEYS} keys`)
  if ((front.match(SIGN)?.length ?? 0) > FRONT_DEPTH) refuseTangled(front)
  const document = parseDocument(front, { prettyErrors: false, uniqueKeys: true, schema })
  const error = document.errors[0]
  if (error) throw bad(`its YAML cannot be read (${reasonOf(error).slice(0, 120)})`)
  if (document.contents !== null && !isMap(document.contents)) {
    throw bad('its front matter is not a list of "key: value" lines')
  }
  return document
}

/** A key of which a Chinese keyboard wrote the colon, and a list in brackets with its comma. */
const WIDE_COLON = /^[ \t]*([\p{L}\p{N}_-]{1,40})[ \t]*：/mu
const WIDE_COMMA = /\[[^\]\n]*，/

/**
 * Reads something of a front matter; what is wrong with it is said together with what is likely to be behind it. Only
 * said: which signs a person meant is theirs to say.
 */
export function withHint<T>(front: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MnemosError)) throw error
    const key = WIDE_COLON.exec(front)?.[1]
    const hints = [
      ...(key === undefined ? [] : [`"${key}：" has a full-width colon: ： is not :`]),
      ...(WIDE_COMMA.test(front) ? ['a list has a full-width comma: ， is not ,'] : []),
    ]
    throw hints.length === 0 ? error : bad(`${error.problem}; ${hints.join('; ')}`)
  }
}

/** Tells structure from text as YAML does, without building anything. @throws MnemosError at the first sign too many. */
function refuseTangled(front: string): void {
  let signs = 0
  let open = 0
  let onLine = 0
  let collections = 0
  for (const token of new Lexer().lex(front)) {
    const [first = ''] = token
    if (token === '[' || token === '{') {
      open++
      collections++
    }
    if (token === ']' || token === '}') open--
    else if (token === '-' || token === ':') onLine++
    else if (first === '\n' || first === '\r') onLine = 0
    else if (token === '?' || first === '!' || first === '&' || first === '*') signs++
    if (open > FRONT_DEPTH || (open === 0 && onLine > FRONT_DEPTH))
      throw bad('its front matter is nested too deeply')
    // YAML finds these, too, but goes on to the end and collects a mistake for each.
    if (open < 0 || (open > 0 && token === '-'))
      throw bad('its YAML cannot be read (brackets that do not match)')
    if (collections > FRONT_COLLECTIONS) throw bad('its front matter has too many values')
    if (signs > FRONT_SIGNS)
      throw bad(`its front matter has more than ${FRONT_SIGNS} tags, anchors, aliases or explicit keys`)
  }
}

/** The keys and values of a front matter. @throws MnemosError naming what is wrong with it. */
export function fieldsOf(document: Document): Record<string, unknown> {
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
  for (const key of ['tags', 'askedAs', 'supersedes', 'supersededBy', 'derivedFrom', 'exposedTo'] as const) {
    const value = out[key]
    if (typeof value === 'string') out[key] = key === 'askedAs' ? [value] : value.split(/[,，]/)
    const list = out[key]
    if (Array.isArray(list)) {
      const words = list
        .map((item) => (typeof item === 'number' || typeof item === 'boolean' ? String(item) : item))
        .map((item) =>
          typeof item === 'string' ? cut(flat(item), key === 'askedAs' ? SUMMARY_LIMIT : 64, '') : item,
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
  const parts = split(text)
  return parts.front === undefined
    ? recordOf(parts, facts)
    : withHint(parts.front, () => recordOf(parts, facts))
}

function recordOf({ front, body }: Parts, facts: FileFacts): MemoryRecord {
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
  const id =
    typeof fields.id === 'string'
      ? fields.id.trim().normalize('NFC')
      : (fields.id ?? facts.stem.normalize('NFC'))
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
