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

/** A whole text: at a terminal as {@link printable}, else to the letter, so that redirecting it gives just the text. */
export const whole = (text: string): string => (process.stdout.isTTY ? printable(text) : text)

/** Text of a record as a terminal may show it: what would steer the terminal is shown as an escape. */
export const printable = (text: string): string =>
  text.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  )
