/** The values of a front matter: which of them the schema takes, and which are another program's. */
import { cut, oneLine } from '../base/text.ts'
import { fieldsOf, frontDocument } from './front-matter.ts'
import { ASKED_AS_LIMIT, firstIssue, recordSchema, SUMMARY_LIMIT } from './record.ts'

/** A value that a person spread over several lines becomes one; any other keeps its own white space. */
const flat = (text: string) => (/[\r\n\u2028\u2029\u0085]/.test(text) ? oneLine(text) : text.trim())

/** What stands for no value. */
const NOTHING: ReadonlySet<unknown> = new Set(['', '~', 'null', 'Null', 'NULL'])
const TRUE: ReadonlySet<unknown> = new Set(['true', 'True', 'TRUE', 'yes', 'Yes', 'on', 'On'])
const FALSE: ReadonlySet<unknown> = new Set(['false', 'False', 'FALSE', 'no', 'No', 'off', 'Off'])

const WORD_LISTS = ['tags', 'supersedes', 'supersededBy', 'derivedFrom', 'exposedTo'] as const
const TRUTHS: ReadonlySet<string> = new Set(['confirmed', 'keep', 'rewrite'])
const NUMBERS: ReadonlySet<string> = new Set(['order', 'rev'])
const DATES: ReadonlySet<string> = new Set(['created', 'updated', 'validUntil'])
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
  if (key === 'title' && typeof value === 'string') return flat(value) || undefined
  if (key === 'id' && typeof value === 'string') return value.trim().normalize('NFC')
  if (DATES.has(key)) return dateOf(value)
  return value
}

/** `2024/01/05`, `20240105`, `202401051030` and `20240105103000`: the year comes first, so nothing can be taken for another. */
const YEAR_FIRST = /^(\d{4})(?:\/(\d{2})\/(\d{2})|(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?)$/

/** A date in a spelling of another program that can mean one day only, in ours; any other value as it is. */
function dateOf(value: unknown): unknown {
  const text = linkedText(value)
  if (text === undefined) return value
  const [, year, month, day, monthToo, dayToo, hours, minutes, seconds = '00'] = YEAR_FIRST.exec(text) ?? []
  if (year === undefined) return text
  const date = `${year}-${month ?? monthToo}-${day ?? dayToo}`
  return hours === undefined ? date : `${date}T${hours}:${minutes}:${seconds}`
}

/** The text of a value that may be the name of a note in double brackets, which YAML takes for a list in a list. */
function linkedText(value: unknown): string | undefined {
  const [inner, ...more] = Array.isArray(value) ? value : []
  const [link, ...others] = Array.isArray(inner) && more.length === 0 ? inner : []
  const text = others.length === 0 && link !== undefined ? link : value
  return typeof text === 'string' ? text.trim().replace(/^\[\[([^[\]|]*)\]\]$/, '$1') : undefined
}

/** The summary that a title gives a record that has none. */
export const summaryOfTitle = (title: string): string => cut(title, SUMMARY_LIMIT, '')

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

/** A known key whose value is not used, or not whole, as notes of other programs have them: it is kept as it is. */
export interface ForeignValue {
  key: string
  /** Of the file, counted from 1. */
  line: number
  /** What a value of ours would have to be, or what of it is used. */
  wrong: string
}

/** The fields of a front matter as they stand there. */
export type StatedFields = Record<string, unknown>

/** The values that the schema takes, and what of the others is not used. */
export interface FrontFields {
  fields: StatedFields
  foreign: Omit<ForeignValue, 'line'>[]
  /** Values of ours of which only a part is used. */
  partly: Omit<ForeignValue, 'line'>[]
}

/** A field beside which another program's value stands has this name in the file. */
const OWN_PREFIX = 'mnemos-'
export const besideKey = (key: string): string => `${OWN_PREFIX}${key}`

/** The field of the schema that a key of a front matter is for; undefined where it is none. `content` is the body. */
export function fieldOfKey(key: string): string | undefined {
  const field = key.startsWith(OWN_PREFIX) ? key.slice(OWN_PREFIX.length) : key
  return Object.hasOwn(recordSchema.shape, field) && field !== 'content' ? field : undefined
}

type Read = { is: 'none' } | { is: 'ours'; value: unknown } | { is: 'foreign'; wrong: string }

function readValue(field: string, written: unknown): Read {
  const value = ownValue(field, written)
  if (value === undefined) return { is: 'none' }
  const parsed = recordSchema.shape[field as keyof typeof recordSchema.shape].safeParse(value)
  return parsed.success ? { is: 'ours', value } : { is: 'foreign', wrong: firstIssue(parsed.error) }
}

export const statedFields = (front: string | undefined): StatedFields =>
  front === undefined ? {} : fieldsOf(frontDocument(front))

export function readFields(stated: StatedFields): FrontFields {
  const found: FrontFields = { fields: {}, foreign: [], partly: [] }
  const beside: StatedFields = {}
  for (const [key, written] of Object.entries(stated)) {
    const field = fieldOfKey(key)
    if (field === undefined) continue
    const read = readValue(field, written)
    if (read.is === 'foreign') found.foreign.push({ key, wrong: read.wrong })
    if (read.is !== 'ours') continue
    const of = field === key ? found.fields : beside
    of[field] = read.value
    const wrong = unusedPart(field, written)
    if (wrong !== undefined) found.partly.push({ key, wrong })
  }
  // What a person wrote into the field itself since is later.
  return { ...found, fields: { ...beside, ...found.fields } }
}

/**
 * The key under which a front matter has a field, or is to have it: its own name, but beside another program's value,
 * which stays, a name of ours.
 */
export function keyFor(stated: StatedFields, field: string): string {
  if (Object.hasOwn(stated, field))
    return readValue(field, stated[field]).is === 'foreign' ? besideKey(field) : field
  return Object.hasOwn(stated, besideKey(field)) ? besideKey(field) : field
}

/** What is cut off a value where it is used; undefined where it is used whole. */
function unusedPart(field: string, written: unknown): string | undefined {
  const items = (Array.isArray(written) ? written : [written]).filter((item) => typeof item === 'string')
  const longer = (limit: number) => items.some((item) => cut(flat(item), limit, '') !== flat(item))
  if (field === 'summary') {
    return longer(SUMMARY_LIMIT) ? `only its first ${SUMMARY_LIMIT} characters are used` : undefined
  }
  if (field === 'askedAs') {
    const { length } = items.filter((item) => !NOTHING.has(item))
    if (length > ASKED_AS_LIMIT) return `only the first ${ASKED_AS_LIMIT} of ${length} are used`
    return longer(SUMMARY_LIMIT) ? `only the first ${SUMMARY_LIMIT} characters of each are used` : undefined
  }
  if (!WORD_LISTS.some((list) => list === field)) return undefined
  const words = Array.isArray(written) ? items : items.flatMap((item) => item.split(/[,，]/))
  return words.some((item) => cut(flat(item), WORD_CHARACTERS, '') !== flat(item))
    ? `only the first ${WORD_CHARACTERS} characters of each are used`
    : undefined
}
