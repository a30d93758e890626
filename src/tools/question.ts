/** What a person is asked, and how it is written down for them. Values are shown escaped; the words around are ours. */
import { fence } from '../base/text.ts'
import { judged } from '../base/visible.ts'
import type { QuestionWords } from '../messages/catalogue.ts'

/** What a person is asked before something that cannot be taken back, in their language. */
export interface Question {
  /** One line: what is about to happen. */
  headline: string
  /** What the headline speaks of; where a page shows it, right below and without its name. */
  subject?: Fact
  /** What else a yes is given to. */
  facts: readonly Fact[]
  /** A longer text, as far as it is shown. */
  preview?: Preview
  /** What else is to be known of it: shown in one row, below, and without names where a page shows it. */
  about: readonly Fact[]
  /** What a yes covers, in a sentence or two; may be empty. */
  consent: string
  /** What the two answers are called. */
  answers: Pick<QuestionWords, 'allow' | 'reject'>
}

export interface Fact {
  name: string
  /** As it is, not escaped yet. */
  value: string
}

export interface Preview {
  name: string
  /** As they are, not escaped yet. */
  lines: string[]
  /** What is not shown; empty where all is. */
  more: string
}

const PREVIEW_LINES = 20
const PREVIEW_BYTES = 2 * 1024

/** The beginning of a longer text: up to 20 lines and 2 KiB. */
export function previewOf(name: string, text: string, words: QuestionWords): Preview | undefined {
  if (text === '') return undefined
  const all = text.split('\n')
  const lines: string[] = []
  let left = PREVIEW_BYTES
  for (const line of all.slice(0, PREVIEW_LINES)) {
    const bytes = Buffer.byteLength(line)
    if (bytes <= left) {
      lines.push(line)
      left -= bytes + 1
      continue
    }
    lines.push(cutBytes(line, Math.max(0, left)))
    break
  }
  const shown = lines.join('\n')
  const rest = text.slice(shown.length)
  return {
    name,
    lines,
    more: rest === '' ? '' : words.notShown({ bytes: Buffer.byteLength(rest), lines: all.length }),
  }
}

/** The first characters of a text that fit into so many bytes. */
function cutBytes(text: string, bytes: number): string {
  let end = 0
  let used = 0
  for (const character of text) {
    used += Buffer.byteLength(character)
    if (used > bytes) break
    end += character.length
  }
  return text.slice(0, end)
}

/** A value between quotes that it cannot close. */
export const quoted = (value: string): string => `"${judged(value).replaceAll('"', '\\"')}"`

/** Whether a question has more to show than its headline and what consent covers. */
export const isLong = ({ subject, facts, about, preview }: Question): boolean =>
  subject !== undefined || facts.length > 0 || about.length > 0 || preview !== undefined

/** As plain text. A place that shows line breaks as spaces still shows every value between its quotes. */
export function plainText({ headline, consent, subject, facts, about, preview }: Question): string {
  const named = ({ name, value }: Fact) => `${name}: ${quoted(value)}`
  return [
    [headline, consent].filter((part) => part !== '').join(' '),
    ...[...(subject ? [subject] : []), ...facts].map(named),
    ...(preview ? [`${preview.name}:`, ...preview.lines.map((line) => `| ${judged(line)}`)] : []),
    ...(preview && preview.more !== '' ? [preview.more] : []),
    ...(about.length > 0 ? [about.map(named).join(' · ')] : []),
  ].join('\n')
}

/**
 * As Markdown, without the headline: each value is code, so that nothing in it is taken for Markdown. Few names and few
 * gaps: on a laptop's screen the host's page has room for some seven lines above the two answers.
 */
export function markdown({ consent, subject, facts, about, preview }: Question): string {
  const named = (name: string, value: string) => `**${name}:** ${value}`
  const asked = [
    ...(subject ? [code(subject.value)] : []),
    ...facts.map(({ name, value }) => named(name, code(value))),
    ...(preview ? [named(preview.name, preview.lines.map(code).join(BREAK))] : []),
    ...(preview && preview.more !== '' ? [preview.more] : []),
  ]
  const below = [about.map(({ value }) => code(value)).join(' · '), consent]
  return [asked, below]
    .map((lines) => lines.filter((line) => line !== '').join(BREAK))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

/** A line break within a paragraph. */
const BREAK = '\\\n'

const code = (value: string): string => fence(judged(value === '' ? ' ' : value))
