/** Counting and naming in Chinese. */
import type { Advice } from '../catalogue.ts'

const NAMED = 3

/** The first few by name, the rest by number. */
export const named = (names: readonly string[], separator = '、'): string =>
  names.length > NAMED
    ? `${names.slice(0, NAMED).join(separator)}，另有 ${names.length - NAMED} 个`
    : names.join(separator)

/** Sentence and remedy in a row. */
export const inRow = ({ sentence, remedy }: Advice): string => `${sentence}${remedy}`

export const FIX = '修复命令：mnemos doctor --fix'
