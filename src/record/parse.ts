/** A record from the text of its file, as `docs/note-format.md` describes it for people. */
import { cut, oneLine } from '../base/text.ts'
import { UnreadableText } from './fault.ts'
import { fieldsOf, frontDocument, fullWidthIn, type Parts, split } from './front-matter.ts'
import {
  ASKED_AS_LIMIT,
  firstFieldIssue,
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

function recordOf({ front, body }: Parts, facts: FileFacts): MemoryRecord {
  const fields = front === undefined ? {} : asWritten(fieldsOf(frontDocument(front)))
  let content = contentOf(body)
  if (typeof fields.summary !== 'string' || fields.summary === '') {
    const lines = content.replace(/^\s*\n/, '').split('\n')
    const first = lines[0] ?? ''
    const summary = cut(oneLine(first), SUMMARY_LIMIT, '')
    if (summary === '') throw new UnreadableText({ code: 'NO_SUMMARY' })
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
    throw new UnreadableText({ code: 'BAD_ID', id: cut(String(id), 80) })
  }
  const parsed = recordSchema.safeParse({ created: time, updated: time, ...fields, id, content })
  if (!parsed.success) throw new UnreadableText({ code: 'FIELD', ...firstFieldIssue(parsed.error) })
  return parsed.data
}
