/**
 * The words of a record's file wherever they stand in it: values as they are stated (those that the schema does not take or
 * cuts off as well), unknown keys, comments and the body. Parsing a file gives less than it holds.
 */
import { isDeepStrictEqual } from 'node:util'
import { ReasonedError } from '../base/errors.ts'
import { UnreadableText } from '../record/fault.ts'
import { fieldsStated, format } from '../record/format.ts'
import { fieldsOf, frontDocument, split } from '../record/front-matter.ts'
import { type FileFacts, foreignValues, parse } from '../record/parse.ts'
import { type FieldChange, patchFront } from '../record/patch.ts'
import { FIELD_ORDER, recordSchema } from '../record/record.ts'
import { type ChangeText, stringsIn, withStatedTexts, withStrings } from '../record/texts.ts'
import { CUT, cutVerbatim, holdsVerbatim } from '../record/verbatim.ts'

/** What others said of a record, and was copied into it. */
const OF_OTHERS: ReadonlySet<string> = new Set(['verifiedBy', 'deprecated', 'contested'])

/** Every text that a file states in its front matter and that is the record's own. */
export function textsStated(text: string): string[] {
  const texts: string[] = []
  const note: ChangeText = (one) => {
    if (one !== '') texts.push(one)
    return one
  }
  const withText = statedTexts(text)
  for (const [key, value] of Object.entries(fieldsStated(text)))
    if (!OF_OTHERS.has(key)) withText(key, value, note)
  return texts
}

/** Whether a file holds words anywhere, written as they are or with escapes. */
export const fileHolds = (text: string, verbatim: ReadonlySet<string>): boolean =>
  holdsVerbatim([text, ...stringsIn(fieldsStated(text))], verbatim)

/**
 * A file without the words, as far as they can be cut: names (ids, sessions, writers, tasks, sites) stay, since they would
 * name nothing any more, and so does what cannot be changed without touching another field.
 * @param updated ISO; stands in the file where something was cut, and that it is to be rewritten.
 * @returns the same text where nothing was cut.
 */
export function cutFile(
  text: string,
  facts: FileFacts,
  verbatim: ReadonlySet<string>,
  updated: string,
): string {
  const cut: ChangeText = (one) => cutVerbatim(one, verbatim)
  const parts = split(text)
  const front =
    parts.front === undefined ? '' : cutComments(cutValues(parts.front, statedTexts(text), cut), cut)
  const next = `${parts.head}${front}${parts.close}${cut(parts.body)}`
  if (next === text) return text
  try {
    const record = parse(next, facts)
    const stamped = { ...record, rewrite: true, updated, rev: record.rev + 1 }
    return format(stamped, { record, text: next })
  } catch (error) {
    // What is left would be no record: it stays, and is named.
    if (error instanceof UnreadableText) return text
    // The fields that say so cannot be added; the words are to go all the same.
    if (error instanceof ReasonedError) return next
    throw error
  }
}

/** Gives the texts of one stated field to a change. @returns the field with what it makes of them. */
type WithTexts = (key: string, value: unknown, change: ChangeText) => unknown

function statedTexts(text: string): WithTexts {
  // What the schema does not take is not used: it is no name, whatever the field.
  const unused = new Set(foreignValues(text).map(({ key }) => key))
  return (key, value, change) => {
    const schema = FIELD_ORDER.some((one) => one === key)
      ? recordSchema.shape[key as (typeof FIELD_ORDER)[number]]
      : undefined
    return schema && !unused.has(key) ? withStatedTexts(schema, value, change) : withStrings(value, change)
  }
}

const isKnown = (key: string) => Object.hasOwn(recordSchema.shape, key)

function cutValues(front: string, withTexts: WithTexts, cut: ChangeText): string {
  let out = front
  for (const [key, value] of Object.entries(fieldsOf(frontDocument(front)))) {
    const name = isKnown(key) ? key : cutKey(out, key, cut)
    const now = withTexts(key, value, cut)
    if (name === key && isDeepStrictEqual(now, value)) continue
    const changes: FieldChange[] = [
      ...(name === key ? [] : [{ key, value: undefined }]),
      { key: name, value: now },
    ]
    // One by one: a field that cannot be changed keeps no other from being cut.
    out = patchFront(out, changes, FIELD_ORDER) ?? out
  }
  return out
}

/** A key without the words: brackets would make another key of it, and no two are called alike. */
function cutKey(front: string, key: string, cut: ChangeText): string {
  const name = cut(key)
  if (name === key) return key
  const plain = name.replaceAll(CUT, '…')
  const there = fieldsOf(frontDocument(front))
  for (let n = 1; ; n++) {
    const free = n === 1 ? plain : `${plain} ${n}`
    if (!Object.hasOwn(there, free)) return free
  }
}

/** Lines that are comments, as many as follow each other; or a comment behind a value. */
const COMMENTS = /(?:^[ \t]*#[^\n]*(?:\n|$))+|(?<=[ \t])#[^\n]*/gm

function cutComments(front: string, cut: ChangeText): string {
  let out = front
  for (const match of [...front.matchAll(COMMENTS)].reverse()) {
    const [comment] = match
    const now = cut(comment)
    if (now === comment) continue
    const text = `${out.slice(0, match.index)}${now}${out.slice(match.index + comment.length)}`
    if (saysTheSame(out, text)) out = text
  }
  return out
}

/** Whether two front matters differ in comments alone: a `#` may stand in a value. */
function saysTheSame(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(fieldsOf(frontDocument(one)), fieldsOf(frontDocument(other)))
  } catch (error) {
    if (error instanceof UnreadableText) return false
    throw error
  }
}
