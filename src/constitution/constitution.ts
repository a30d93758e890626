/** The constitution as a value: its text, its sections, and what a reader should know about it. */

import { createHash } from 'node:crypto'
import type { Language } from '../base/language.ts'
import { countCharacters } from '../base/text.ts'

/** Characters above which a warning is given: the text is part of every request. */
export const WARN_CHARACTERS = 6_000
/** Bytes above which a text is refused. */
export const REFUSE_BYTES = 16 * 1024

/** A heading of the text, with what follows it up to the next one. */
export interface Section {
  heading: string
  text: string
}

/** A constitution as the request and the tool show it. */
export interface Constitution {
  /** Whether it is the person's own text. */
  initialised: boolean
  version: string
  /** The language that it is written in. */
  language: Language
  /** SHA-256 of the text, in hex. */
  hash: string
  text: string
  sections: Section[]
  /** What the reader should know about it: that it is a template, and why. */
  note?: string
}

/** The warning about a long text, in one sentence; undefined where it is not too long. */
export function lengthWarning(text: string): string | undefined {
  const characters = countCharacters(text)
  return characters > WARN_CHARACTERS
    ? `The constitution has ${characters} characters and stands in every request; up to ${WARN_CHARACTERS} is advised.`
    : undefined
}

/** A text with its hash and its sections. */
export const hashed = (text: string) => ({
  text,
  hash: createHash('sha256').update(text).digest('hex'),
  sections: sectionsOf(text),
})

function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const part of text.split(/^(?=##? )/m)) {
    const heading = /^##? (.*)$/m.exec(part)?.[1]?.trim()
    if (heading) sections.push({ heading, text: part.trim() })
  }
  return sections
}

/** The text as it is sent in the request: a template says that it is one. */
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
