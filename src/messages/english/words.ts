/** Counting and naming in English. */
import type { Advice } from '../catalogue.ts'

const NAMED = 3

/** The first few by name, the rest by number. */
export const named = (names: readonly string[], separator = ', '): string =>
  names.length > NAMED
    ? `${names.slice(0, NAMED).join(separator)} and ${names.length - NAMED} more`
    : names.join(separator)

export const counted = (n: number, one: string, many: string): string =>
  n === 1 ? `One ${one}` : `${n} ${many}`

/** With a capital letter, as the beginning of a sentence. */
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Sentence and remedy in a row. */
export const inRow = ({ sentence, remedy }: Advice): string =>
  remedy === '' ? sentence : `${sentence} ${remedy}`

export const FIX = 'Repair it with: mnemos doctor --fix'
