/** The constitution that stands at the head of every request: the person's own, or the template that is shipped. */
import { createHash } from 'node:crypto'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { defined } from '../base/defined.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { packagePath } from '../base/package.ts'
import { countCharacters } from '../base/text.ts'

/** Characters above which a constitution is warned of: it stands in every request. */
export const WARN_CHARACTERS = 6_000
/** Bytes above which it is refused. */
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
  /** What is wrong and is to be said aloud. */
  problem?: string
}

export type Language = 'zh' | 'en'

const headerSchema = z.looseObject({
  version: z.union([z.string(), z.number()]).transform(String).optional(),
  language: z.enum(['zh', 'en']).optional().catch(undefined),
})

/**
 * Reads the constitution. It never throws: what cannot be used is named in `problem`, and the template stands in.
 * @param file the person's own text; it need not exist.
 */
export function loadConstitution(disk: Disk, file: string, language: Language): Constitution {
  try {
    const bytes = disk.read(file, REFUSE_BYTES)
    if (!bytes) return template(disk, language, undefined)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() === '') throw new MnemosError('STORAGE', 'it is empty')
    return own(text)
  } catch (error) {
    return template(
      disk,
      language,
      `The constitution ${file} cannot be used (${reasonOf(error)}); the shipped template stands in until it is mended.`,
    )
  }
}

function own(source: string): Constitution {
  const { version, language, text } = split(source)
  const characters = countCharacters(text)
  return {
    initialised: true,
    version: version ?? '1',
    language: language ?? languageIn(text),
    ...hashed(text),
    ...(characters > WARN_CHARACTERS
      ? {
          problem: `The constitution has ${characters} characters and stands in every request; up to ${WARN_CHARACTERS} is advised.`,
        }
      : {}),
  }
}

const NOTE: Record<Language, string> = {
  en: 'Not initialised: this is the template that Mnemos ships. The person makes it their own by putting their text into constitution/constitution.md in the data folder.',
  zh: '尚未初始化:这是 Mnemos 附带的模板。用户把自己的文本放到数据目录的 constitution/constitution.md,它就成为用户自己的宪法。',
}

function template(disk: Disk, language: Language, problem: string | undefined): Constitution {
  const source = disk.read(packagePath('constitution', `${language}.md`))?.toString('utf8')
  if (source === undefined) {
    // Only a damaged installation gets here: better no constitution than a pretended one.
    const missing = 'The shipped constitution is missing from the installed package; install Mnemos again.'
    return {
      initialised: false,
      version: '0',
      language,
      ...hashed(''),
      note: missing,
      problem: problem ? `${problem} ${missing}` : missing,
    }
  }
  const { version, text } = split(source)
  return {
    initialised: false,
    version: `template-${version ?? '1'}`,
    language,
    ...hashed(text),
    note: NOTE[language],
    ...(problem === undefined ? {} : { problem }),
  }
}

function hashed(text: string) {
  return { text, hash: createHash('sha256').update(text).digest('hex'), sections: sectionsOf(text) }
}

/** Takes the header off a text. A header that cannot be read is part of the text: nothing of it is dropped. */
function split(source: string): { version?: string; language?: Language; text: string } {
  const clean = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const header = /^---\n([\s\S]*?)\n---\n/.exec(clean)
  if (!header) return { text: clean.trim() }
  const parsed = headerSchema.safeParse(parseDocument(header[1] ?? '').toJS({ maxAliasCount: 20 }))
  if (!parsed.success) return { text: clean.trim() }
  return { ...defined(parsed.data), text: clean.slice(header[0].length).trim() }
}

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
