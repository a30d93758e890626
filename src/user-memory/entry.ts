/** One entry of the user memory and the file that holds it, as `docs/user-memory.md` describes it for people. */
import { stringify } from 'yaml'
import { z } from 'zod'
import { canBeSeen } from '../base/visible.ts'
import { type EntryFault, entryFaultOf, UnreadableEntry } from '../entries/fault.ts'
import { decode } from '../record/encoding.ts'
import { fieldsOf, frontDocument, fullWidthIn, split } from '../record/front-matter.ts'

export const TYPES = ['user', 'feedback', 'project', 'reference'] as const

export const SUMMARY_BYTES = 200
export const DETAILS_BYTES = 16 * 1024
export const FILE_BYTES = 20 * 1024
/** Room for three values with every character escaped; what is more never reaches a YAML parser. */
const ENTRY_FRONT_BYTES = 1024
/** Of punctuation and line ends; with as many in each of a thousand files a look still comes to an end. */
const ENTRY_FRONT_SIGNS = 256
export const NAME_CHARACTERS = 64
const NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const KEYS = ['name', 'type', 'summary'] as const

export interface Entry {
  name: string
  type: (typeof TYPES)[number]
  /** One line, the fact itself. */
  summary: string
  /** Empty where there are none. */
  details: string
}

const unreadable = (fault: EntryFault) => new UnreadableEntry(fault)
const bytesOf = (text: string) => Buffer.byteLength(text)

/** Only what every program takes for the end of a line; the index flattens the rest. */
const LINE_ENDS = /[\n\r]/

/** What would make every later request one that a model's API may refuse. */
const keeps = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const isName = (name: string): boolean => name.length <= NAME_CHARACTERS && NAME_PATTERN.test(name)

/** Details without the blank lines around them, which belong to the file. */
export const plainDetails = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()

/** What is wrong with an entry; undefined where nothing is. */
export function wrongIn({ name, summary, details }: Entry): EntryFault | undefined {
  if (!isName(name)) return { code: 'BAD_NAME', limit: NAME_CHARACTERS }
  if (summary === '') return { code: 'EMPTY_SUMMARY' }
  if (LINE_ENDS.test(summary)) return { code: 'SUMMARY_LINES' }
  if (!keeps(summary) || !keeps(details)) return { code: 'BROKEN_CHARACTERS' }
  if (!canBeSeen(summary)) return { code: 'UNSEEN_SUMMARY' }
  if (bytesOf(summary) > SUMMARY_BYTES)
    return { code: 'SUMMARY_TOO_LONG', bytes: bytesOf(summary), limit: SUMMARY_BYTES }
  if (bytesOf(details) > DETAILS_BYTES)
    return { code: 'DETAILS_TOO_LONG', bytes: bytesOf(details), limit: DETAILS_BYTES }
  return undefined
}

/** Every value is the text that stands there: a summary "yes" is no truth value, a name "2026" no number. */
export const yamlFields = (front: string): Record<string, unknown> =>
  fieldsOf(frontDocument(front, ENTRY_FRONT_SIGNS))

/** Three lines whose values YAML reads as they stand: it has no sign there that means something to it. */
const PLAIN =
  /^name: ([a-z0-9-]+)\ntype: ([a-z]+)\nsummary: ([\p{L}\p{N}][\p{L}\p{M}\p{N} .,;/()'’“”，。、；（）_-]*)\n$/u

/**
 * The fields of a front matter as most files have it; undefined for any other. It is there for the first look of a host,
 * whose YAML parser is cold: two hundred entries take 80 ms with it and 170 ms without (median of five fresh processes).
 */
export function plainFields(front: string): Record<string, string> | undefined {
  const [, name, type, summary] = PLAIN.exec(front) ?? []
  return name === undefined || type === undefined || summary === undefined
    ? undefined
    : { name, type, summary }
}

/**
 * The entry that a file holds.
 * @param stem the file's name without `.md`.
 * @throws UnreadableEntry, or UnreadableText where its bytes are no text with front matter.
 */
export function parseEntry(bytes: Uint8Array, stem: string): Entry {
  const { front, body } = split(decode(bytes))
  if (front === undefined) throw unreadable({ code: 'NO_FRONT' })
  if (bytesOf(front) > ENTRY_FRONT_BYTES)
    throw unreadable({ code: 'FRONT_TOO_LONG', bytes: bytesOf(front), limit: ENTRY_FRONT_BYTES })
  try {
    return entryOf(front, body, stem)
  } catch (error) {
    const fullWidth = fullWidthIn(front)
    throw fullWidth === undefined ? error : new UnreadableEntry({ ...entryFaultOf(error), fullWidth })
  }
}

function entryOf(front: string, body: string, stem: string): Entry {
  const fields = plainFields(front) ?? yamlFields(front)
  for (const key of KEYS) {
    if (!Object.hasOwn(fields, key)) throw unreadable({ code: 'MISSING_KEY', key })
    if (typeof fields[key] !== 'string') throw unreadable({ code: 'NOT_TEXT', key })
  }
  const stranger = Object.keys(fields).find((key) => !KEYS.some((known) => known === key))
  if (stranger !== undefined) throw unreadable({ code: 'UNKNOWN_KEY', key: stranger })
  const { name, type, summary } = z
    .object({ name: z.string(), type: z.string(), summary: z.string() })
    .parse(fields)
  if (name !== stem) throw unreadable({ code: 'OTHER_NAME', name })
  const known = TYPES.find((one) => one === type)
  if (known === undefined) throw unreadable({ code: 'BAD_TYPE', type, types: TYPES })
  const entry = { name, type: known, summary: summary.trim(), details: plainDetails(body) }
  const fault = wrongIn(entry)
  if (fault !== undefined) throw unreadable(fault)
  return entry
}

/** The text of an entry's file. */
export function textOf({ name, type, summary, details }: Entry): string {
  const front = stringify({ name, type, summary }, { lineWidth: 0 })
  return `---\n${front}---\n${details === '' ? '' : `\n${details}\n`}`
}

export const sameEntry = (one: Entry, other: Entry): boolean =>
  one.type === other.type && one.summary === other.summary && one.details === other.details
