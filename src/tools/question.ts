/** What a person is asked, and how it is written down for them. Values are shown escaped; the words around are ours. */
import { fence } from '../base/text.ts'
import { judged } from '../base/visible.ts'

/** What a person is asked before something that cannot be taken back. */
export interface Question {
  /** One line: what is about to happen. */
  headline: string
  /** What a yes covers, in a sentence or two. */
  consent: string
  /** Values by their names. */
  facts: readonly Fact[]
  /** A longer text, as far as it is shown. */
  preview?: Preview
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
export function previewOf(name: string, text: string): Preview | undefined {
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
    more:
      rest === ''
        ? ''
        : `${Buffer.byteLength(rest)} more bytes (${all.length === 1 ? 'one line' : `${all.length} lines`} in all) are not shown here; the answer covers them too.`,
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
export const isLong = ({ facts, preview }: Question): boolean => facts.length > 0 || preview !== undefined

/** As plain text. A place that shows line breaks as spaces still shows every value between its quotes. */
export function plainText({ headline, consent, facts, preview }: Question): string {
  return [
    [headline, consent].filter((part) => part !== '').join(' '),
    ...facts.map(({ name, value }) => `${name}: ${quoted(value)}`),
    ...(preview ? [`${preview.name}:`, ...preview.lines.map((line) => `| ${judged(line)}`)] : []),
    ...(preview && preview.more !== '' ? [preview.more] : []),
  ].join('\n')
}

/** As Markdown, without the headline: each value is code, so that nothing in it is taken for Markdown. */
export function markdown({ consent, facts, preview }: Question): string {
  return [
    ...(consent === '' ? [] : [consent, '']),
    ...facts.map(({ name, value }) => `- **${name}:** ${code(value)}`),
    ...(preview ? ['', `**${preview.name}:**`, '', preview.lines.map(code).join('\\\n')] : []),
    ...(preview && preview.more !== '' ? ['', preview.more] : []),
  ].join('\n')
}

const code = (value: string): string => fence(judged(value === '' ? ' ' : value))
