/** Colours, only where a terminal shows them. */
import { styleText } from 'node:util'

const paint = (style: 'bold' | 'dim' | 'yellow' | 'green' | 'red' | 'cyan') => (text: string) =>
  styleText(style, text, { stream: process.stdout })

export const bold = paint('bold')
export const dim = paint('dim')
export const yellow = paint('yellow')
export const green = paint('green')
export const red = paint('red')
export const cyan = paint('cyan')

/** Columns of prose at most, and what a frame around it takes. */
const WIDEST = 100
const FRAME = 6

/** Prose in lines that fit the terminal, frame and all; lines that are indented stay as they are. */
export function wrapped(lines: readonly string[], columns = process.stdout.columns ?? WIDEST): string[] {
  const width = Math.max(20, Math.min(WIDEST, columns) - FRAME)
  return lines.flatMap((line) => {
    if (line.startsWith(' ')) return [line]
    const out: string[] = []
    let last = ''
    for (const word of line.split(' ')) {
      if (last !== '' && last.length + 1 + word.length > width) {
        out.push(last)
        last = word
      } else last = last === '' ? word : `${last} ${word}`
    }
    return [...out, last]
  })
}

/** A whole text: at a terminal as {@link printable}, else to the letter, so that redirecting it gives just the text. */
export const wholeText = (text: string): string => (process.stdout.isTTY ? printable(text) : text)

/** What steers a terminal, or turns the order in which its letters are read. */
const STEERING = /[^\P{Cc}\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')
  return code.length === 2 ? `\\x${code}` : `\\u{${code.toUpperCase()}}`
}

/** Text of a record as a terminal may show it: what would steer the terminal is shown as an escape. */
export const printable = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(STEERING, escaped))
    .join('\n')

/** The colours that {@link paint} gives. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[\\d{1,2}m)`)

/**
 * One line of an answer, whatever it was made of: it stays one line, and steers nothing. At a terminal a text may still
 * give itself one of the colours that answers have; where none is shown there is none.
 */
export const steady = (line: string): string =>
  (process.stdout.isTTY ? line.split(COLOUR) : [line])
    .map((part, n) => (n % 2 === 1 ? part : part.replace(STEERING, escaped)))
    .join('')
