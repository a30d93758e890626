/** The constitution as a value: its text, by sections, and what a reader should know about its standing. */
import { createHash } from 'node:crypto'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { defined } from '../base/defined.ts'
import { MnemosError } from '../base/errors.ts'
import { countCharacters } from '../base/text.ts'

/** Characters above which a constitution is warned of: it stands in every request. */
export const WARN_CHARACTERS = 6_000
/** Bytes above which a text is refused. */
export const REFUSE_BYTES = 16 * 1024

export interface Section {
  heading: string
  text: string
}

export interface Constitution {
  /** Whether it is the person's own text. */
  initialised: boolean
  version: string
  /** The language that it is written in: as its header says, else by its letters. */
  language: Language
  /** SHA-256 of the text, in hex. */
  hash: string
  text: string
  sections: Section[]
  /** What the reader should know about its standing. */
  note?: string
}

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** What may stand between two lines `---` at the top of a text: what we write there, and nothing that says anything. */
const headerSchema = z.strictObject({
  version: z
    .union([z.string().regex(/^[\w.-]{1,20}$/), z.number()])
    .transform(String)
    .optional(),
  language: z.enum(LANGUAGES).optional(),
  approved: z.iso.datetime().optional(),
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/=]{1,100}$/)
    .optional(),
})
export type Header = z.output<typeof headerSchema>

/** Twice what the longest header of ours has. */
const HEADER_CHARACTERS = 512

/**
 * Takes the header off a text. It is one only where it is a sound YAML mapping of `version`, `language`, `approved` and
 * `signature`, each with a value that can be one, and without a comment; in any other case (other keys, broken YAML,
 * one that is too long) the whole source is the text: nothing that a person wrote is dropped.
 */
export function split(source: string): { header: Header; text: string } {
  const clean = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const [block, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(clean) ?? []
  const header = block === undefined || yaml === undefined ? undefined : headerIn(yaml)
  if (block === undefined || header === undefined) return { header: {}, text: clean.trim() }
  return { header, text: clean.slice(block.length).trim() }
}

function headerIn(yaml: string): Header | undefined {
  // None of our values has a "#": it begins a comment, which parsing would drop.
  if (yaml.length > HEADER_CHARACTERS || yaml.includes('#')) return undefined
  try {
    const document = parseDocument(yaml)
    if (document.errors.length > 0 || document.warnings.length > 0) return undefined
    const { data } = headerSchema.safeParse(document.toJS({ maxAliasCount: 0 }))
    return data && defined(data)
  } catch {
    // No header then, but the beginning of the text.
    return undefined
  }
}

/**
 * A text that a person wants approved.
 * @param name how the file is called in what is said of it.
 * @throws MnemosError INVALID_INPUT, or what the disk says.
 */
export function draftOf(bytes: Uint8Array, name: string): { text: string; language: Language } {
  const refused = (why: string, remedy: string) => new MnemosError('INVALID_INPUT', `${name} ${why}.`, remedy)
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not UTF-8', 'Save it as UTF-8 in an editor.')
  }
  if (source.includes('\0')) throw refused('holds NUL characters', 'Save it as plain text.')
  const { header, text } = split(source)
  if (text === '') throw refused('is empty', 'Write your constitution into it.')
  if (Buffer.byteLength(text) > REFUSE_BYTES) {
    throw refused(
      `has ${Buffer.byteLength(text)} bytes of text, and ${REFUSE_BYTES} is the most`,
      'Shorten it: it stands in every request.',
    )
  }
  return { text, language: header.language ?? languageIn(text) }
}

/** What is to be said of a text that is long, in one sentence. */
export function lengthWarning(text: string): string | undefined {
  const characters = countCharacters(text)
  return characters > WARN_CHARACTERS
    ? `The constitution has ${characters} characters and stands in every request; up to ${WARN_CHARACTERS} is advised.`
    : undefined
}

export const hashed = (text: string) => ({
  text,
  hash: createHash('sha256').update(text).digest('hex'),
  sections: sectionsOf(text),
})

/** Chinese when a tenth of its characters are: one Chinese character says as much as several letters. */
function languageIn(text: string): Language {
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return chinese * 10 >= text.length ? 'zh' : 'en'
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const part of text.split(/^(?=##? )/m)) {
    const heading = /^##? (.*)$/m.exec(part)?.[1]?.trim()
    if (heading) sections.push({ heading, text: part.trim() })
  }
  return sections
}

/** The text as it stands in the request: what is a template says so. */
export const inRequest = ({ text, note }: Constitution): string =>
  note === undefined ? text : `${text}\n\n(${note})`

/** The language of the shipped texts: as configured, else that of the system. */
export function languageOf(configured: 'auto' | Language, environment: NodeJS.ProcessEnv): Language {
  if (configured !== 'auto') return configured
  const locale =
    environment.LC_ALL ||
    environment.LC_MESSAGES ||
    environment.LANG ||
    Intl.DateTimeFormat().resolvedOptions().locale
  return /^zh/i.test(locale) ? 'zh' : 'en'
}
