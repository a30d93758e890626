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
export const whole = (text: string): string => (process.stdout.isTTY ? printable(text) : text)

/** Text of a record as a terminal may show it: what would steer the terminal is shown as an escape. */
export const printable = (text: string): string =>
  text.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  )
