/** One entry of the user memory and the file that holds it, as `docs/user-memory.md` describes it for people. */
import { stringify } from 'yaml'
import { z } from 'zod'
import { MnemosError } from '../base/errors.ts'
import { canBeSeen } from '../base/visible.ts'
import { decode, fieldsOf, frontDocument, split, withHint } from '../record/format.ts'

export const TYPES = ['user', 'feedback', 'project', 'reference'] as const

export const SUMMARY_BYTES = 200
export const DETAILS_BYTES = 16 * 1024
export const FILE_BYTES = 20 * 1024
/** Room for three values with every character escaped; what is more never reaches a YAML parser. */
const FRONT_BYTES = 1024
export const NAME_CHARACTERS = 64
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const KEYS = ['name', 'type', 'summary'] as const

export interface Entry {
  name: string
  type: (typeof TYPES)[number]
  /** One line, the fact itself. */
  summary: string
  /** Empty where there are none. */
  details: string
}

const bad = (reason: string) => new MnemosError('INVALID_INPUT', reason)
const bytesOf = (text: string) => Buffer.byteLength(text)

/** Only what every program takes for the end of a line; the index flattens the rest. */
const LINE_ENDS = /[\n\r]/

/** What would make every later request one that a model's API may refuse. */
const keeps = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const isName = (name: string): boolean => name.length <= NAME_CHARACTERS && NAME.test(name)

/** Details without the blank lines around them, which belong to the file. */
export const plainDetails = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()

/** What is wrong with an entry, in one clause; undefined where nothing is. */
export function wrongIn({ name, summary, details }: Entry): string | undefined {
  if (!isName(name))
    return `its name may have up to ${NAME_CHARACTERS} lower-case letters, digits and single hyphens`
  if (summary === '') return 'its summary is empty'
  if (LINE_ENDS.test(summary)) return 'its summary has more than one line'
  if (!keeps(summary) || !keeps(details)) return 'it holds NUL or half a character'
  if (!canBeSeen(summary)) return 'its summary has nothing that can be seen'
  if (bytesOf(summary) > SUMMARY_BYTES)
    return `its summary has ${bytesOf(summary)} bytes and may have ${SUMMARY_BYTES}`
  if (bytesOf(details) > DETAILS_BYTES)
    return `its details have ${bytesOf(details)} bytes and may have ${DETAILS_BYTES}`
  return undefined
}

/** Every value is the text that stands there: a summary "yes" is no truth value, a name "2026" no number. */
export const yamlFields = (front: string): Record<string, unknown> =>
  fieldsOf(frontDocument(front, 'failsafe'))

/** Three lines whose values YAML reads as they stand: it has no sign there that means something to it. */
const PLAIN =
  /^name: ([a-z0-9-]+)\ntype: ([a-z]+)\nsummary: ([\p{L}\p{N}][\p{L}\p{M}\p{N} .,;/()'’“”，。、；（）_-]*)\n$/u

/**
 * The fields of a front matter as most files have it; undefined for any other. A YAML parser, cold as it is at a host's
 * start, takes some 70 ms for two hundred files.
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
 * @throws MnemosError with the reason why the file is none.
 */
export function parseEntry(bytes: Uint8Array, stem: string): Entry {
  const { front, body } = split(decode(bytes))
  if (front === undefined) throw bad('it has no front matter with name, type and summary')
  if (bytesOf(front) > FRONT_BYTES)
    throw bad(`its front matter has ${bytesOf(front)} bytes and may have ${FRONT_BYTES}`)
  return withHint(front, () => entryOf(front, body, stem))
}

function entryOf(front: string, body: string, stem: string): Entry {
  const fields = plainFields(front) ?? yamlFields(front)
  for (const key of KEYS) {
    if (!Object.hasOwn(fields, key)) throw bad(`it has no ${key}`)
    if (typeof fields[key] !== 'string') throw bad(`its ${key} is no text`)
  }
  const stranger = Object.keys(fields).find((key) => !KEYS.some((known) => known === key))
  if (stranger !== undefined)
    throw bad(`it has the key "${stranger}", and only name, type and summary may stand there`)
  const { name, type, summary } = z
    .object({ name: z.string(), type: z.string(), summary: z.string() })
    .parse(fields)
  if (name !== stem) throw bad(`its name "${name}" is not that of the file`)
  const known = TYPES.find((one) => one === type)
  if (known === undefined) throw bad(`its type "${type}" is none of ${TYPES.join(', ')}`)
  const entry = { name, type: known, summary: summary.trim(), details: plainDetails(body) }
  const wrong = wrongIn(entry)
  if (wrong !== undefined) throw bad(wrong)
  return entry
}

/** The text of an entry's file. */
export function textOf({ name, type, summary, details }: Entry): string {
  const front = stringify({ name, type, summary }, { lineWidth: 0 })
  return `---\n${front}---\n${details === '' ? '' : `\n${details}\n`}`
}

export const sameEntry = (one: Entry, other: Entry): boolean =>
  one.type === other.type && one.summary === other.summary && one.details === other.details
