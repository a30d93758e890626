/** A record from the text of its file, as `docs/note-format.md` describes it for people. */
import { cut, oneLine } from '../base/text.ts'
import { UnreadableText } from './fault.ts'
import { fieldsOf, frontDocument, fullWidthIn, lineOfKey, split, type TextParts } from './front-matter.ts'
import {
  ASKED_AS_LIMIT,
  firstFieldIssue,
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

/** One blank line after the front matter and one line end at the end belong to the file, not to the content. */
const contentOf = (body: string) => body.replaceAll('\r\n', '\n').replace(/^\n/, '').replace(/\n$/, '')

/** A value that a person spread over several lines becomes one; any other keeps its own white space. */
const flat = (text: string) => (/[\r\n\u2028\u2029\u0085]/.test(text) ? oneLine(text) : text.trim())

/** What stands for no value. */
const NOTHING: ReadonlySet<unknown> = new Set(['', '~', 'null', 'Null', 'NULL'])
const TRUE: ReadonlySet<unknown> = new Set(['true', 'True', 'TRUE', 'yes', 'Yes', 'on', 'On'])
const FALSE: ReadonlySet<unknown> = new Set(['false', 'False', 'FALSE', 'no', 'No', 'off', 'Off'])

const WORD_LISTS = ['tags', 'supersedes', 'supersededBy', 'derivedFrom', 'exposedTo'] as const
const TRUTHS: ReadonlySet<string> = new Set(['confirmed', 'keep', 'rewrite'])
const NUMBERS: ReadonlySet<string> = new Set(['order', 'rev'])
/** Characters of a tag or an id. */
const WORD_CHARACTERS = 64

/** A value as the schema takes it, from the text that stands there. */
function ownValue(key: string, value: unknown): unknown {
  if (NOTHING.has(value)) return undefined
  if (TRUTHS.has(key)) return TRUE.has(value) ? true : FALSE.has(value) ? false : value
  if (NUMBERS.has(key)) return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (WORD_LISTS.some((list) => list === key)) return wordsOf(value)
  if (key === 'askedAs') return questionsOf(value)
  if (key === 'summary' && typeof value === 'string') return cut(flat(value), SUMMARY_LIMIT, '')
  if (key === 'id' && typeof value === 'string') return value.trim().normalize('NFC')
  return value
}

/** What people write by hand: one word, words with commas, a list with empty items. */
function wordsOf(value: unknown): unknown {
  const list = typeof value === 'string' ? value.split(/[,，]/) : value
  if (!Array.isArray(list)) return value
  return list
    .map((item) => (typeof item === 'string' ? cut(flat(item), WORD_CHARACTERS, '') : item))
    .filter((item) => !NOTHING.has(item))
}

function questionsOf(value: unknown): unknown {
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list)) return value
  return list
    .map((item) => (typeof item === 'string' ? cut(flat(item), SUMMARY_LIMIT, '') : item))
    .filter((item) => !NOTHING.has(item))
    .slice(0, ASKED_AS_LIMIT)
}

/** A known key whose value is none of ours, as notes of other programs have them: it is kept and not used. */
export interface ForeignValue {
  key: string
  /** Of the file, counted from 1. */
  line: number
  /** What a value of ours would have to be. */
  wrong: string
}

interface FrontFields {
  fields: Record<string, unknown>
  foreign: Omit<ForeignValue, 'line'>[]
}

/** The values that the schema takes, and those that it does not. */
function fieldsAsWritten(front: string | undefined): FrontFields {
  const fields: Record<string, unknown> = {}
  const foreign: FrontFields['foreign'] = []
  const all = front === undefined ? {} : fieldsOf(frontDocument(front))
  for (const [key, written] of Object.entries(all)) {
    const value = ownValue(key, written)
    if (value === undefined) continue
    const schema = Object.hasOwn(recordSchema.shape, key)
      ? recordSchema.shape[key as keyof typeof recordSchema.shape]
      : undefined
    const parsed = key === 'content' ? undefined : schema?.safeParse(value)
    if (parsed === undefined) continue
    if (parsed.success) fields[key] = value
    else foreign.push({ key, wrong: firstIssue(parsed.error) })
  }
  return { fields, foreign }
}

/** @throws UnreadableText where the text cannot be read at all. */
export function foreignValues(text: string): ForeignValue[] {
  const { head, front = '' } = split(text)
  return fieldsAsWritten(front).foreign.map(({ key, wrong }) => ({
    key,
    line: linesIn(head) + lineOfKey(front, key),
    wrong,
  }))
}

const linesIn = (text: string): number => text.split('\n').length - 1

/**
 * A record from the text of its file. The least it needs is one line of text.
 * @throws UnreadableText with the fault that keeps the text from being a record.
 */
export function parse(text: string, facts: FileFacts): MemoryRecord {
  const parts = split(text)
  try {
    return recordOf(parts, facts)
  } catch (error) {
    const fullWidth = parts.front === undefined ? undefined : fullWidthIn(parts.front)
    if (!(error instanceof UnreadableText) || fullWidth === undefined) throw error
    throw new UnreadableText({ ...error.fault, fullWidth })
  }
}

/** Signs that Markdown puts before a heading, and may put behind it. */
const HEADING = /^#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?$/

function recordOf({ front, body }: TextParts, facts: FileFacts): MemoryRecord {
  const { fields } = fieldsAsWritten(front)
  let content = contentOf(body)
  if (fields.summary === undefined) {
    const lines = content.replace(/^\s*\n/, '').split('\n')
    const first = oneLine(lines[0] ?? '')
    const title = HEADING.exec(first)?.[1] ?? first
    const summary = cut(title, SUMMARY_LIMIT, '')
    if (summary === '') throw new UnreadableText({ code: 'NO_SUMMARY' })
    fields.summary = summary
    // A first line that had to be cut stays in the content, so that none of it is lost to search.
    content = summary === title ? lines.slice(1).join('\n').replace(/^\n+/, '') : content
  }
  const time = new Date(facts.mtimeMs).toISOString()
  const id = fields.id ?? idOfStem(facts.stem)
  if (typeof id !== 'string' || !ID_PATTERN.test(id)) {
    throw new UnreadableText({ code: 'BAD_ID', id: cut(String(id), 80) })
  }
  const parsed = recordSchema.safeParse({ created: time, updated: time, ...fields, id, content })
  if (!parsed.success) throw new UnreadableText({ code: 'FIELD', ...firstFieldIssue(parsed.error) })
  return parsed.data
}

/** Characters that an id has at most. */
const STEM_CHARACTERS = 64

/** The id of a file that names none: its stem, with a `-` for each run of what no id may have. */
export const idOfStem = (stem: string): string =>
  cut(stem.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-'), STEM_CHARACTERS, '')
