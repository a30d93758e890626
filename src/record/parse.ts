/** A record from the text of its file, as `docs/note-format.md` describes it for people. */
import { cut, oneLine } from '../base/text.ts'
import { UnreadableText } from './fault.ts'
import { fullWidthIn, lineOfKey, split, type TextParts } from './front-matter.ts'
import { firstFieldIssue, ID_PATTERN, type MemoryRecord, recordSchema, SUMMARY_LIMIT } from './record.ts'
import { type ForeignValue, type FrontFields, readFields, statedFields, summaryOfTitle } from './values.ts'

/** What the file itself gives a record that leaves it out. */
export interface FileFacts {
  /** The file's name without `.md`. */
  stem: string
  /** The file's time, milliseconds since the epoch. */
  mtimeMs: number
}

/** A text with `\n` for each line end; a carriage return within a line is none. */
export const withoutLineReturns = (text: string): string =>
  text.replace(/\r+\n?/g, (run, at: number) =>
    run.endsWith('\n') ? '\n' : at + run.length === text.length ? '' : run,
  )

/** One blank line after the front matter and one line end at the end belong to the file, not to the content. */
const contentOf = (body: string) => withoutLineReturns(body).replace(/^\n/, '').replace(/\n$/, '')

/** Values that are not used at all. @throws UnreadableText where the text cannot be read at all. */
export const foreignValues = (text: string): ForeignValue[] => withLines(text, ({ foreign }) => foreign)

/** Values that are not used, or not whole, by line. @throws UnreadableText where the text cannot be read at all. */
export const unusedValues = (text: string): ForeignValue[] =>
  withLines(text, ({ foreign, partly }) => [...foreign, ...partly]).sort((a, b) => a.line - b.line)

function withLines(text: string, choose: (found: FrontFields) => FrontFields['foreign']): ForeignValue[] {
  const { head, front = '' } = split(text)
  return choose(readFields(statedFields(front))).map(({ key, wrong }) => ({
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

/** Signs that Markdown puts before a heading, and may put behind it; a heading may be empty. */
const HEADING = /^#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?$/
/** A line across the page, or under a heading. */
const RULE = /^(?:(?:[-*_][ \t]*){3,}|=+)$/

/** What the first line of a text that has any words says: the line, and its words without the signs of a heading. */
function firstWords(lines: readonly string[]): { at: number; words: string } | undefined {
  for (const [at, raw] of lines.entries()) {
    const line = oneLine(raw)
    if (line === '' || RULE.test(line)) continue
    const heading = HEADING.exec(line)
    const words = heading ? (heading[1] ?? '').replace(/^#+$/, '') : line
    if (words !== '') return { at, words }
  }
  return undefined
}

function recordOf({ front, body }: TextParts, facts: FileFacts): MemoryRecord {
  const { fields } = readFields(statedFields(front))
  let content = contentOf(body)
  if (fields.summary === undefined && typeof fields.title === 'string')
    fields.summary = summaryOfTitle(fields.title)
  if (fields.summary === undefined) {
    const lines = content.split('\n')
    const first = firstWords(lines)
    if (first === undefined) throw new UnreadableText({ code: 'NO_SUMMARY' })
    const summary = cut(first.words, SUMMARY_LIMIT, '')
    fields.summary = summary
    // A first line that had to be cut stays in the content, so that none of it is lost to search; so does a rule above it.
    if (summary === first.words && lines.slice(0, first.at).every((line) => line.trim() === ''))
      content = lines
        .slice(first.at + 1)
        .join('\n')
        .replace(/^\n+/, '')
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
