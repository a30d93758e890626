/** The lines of a diff in colours. */
import { cyan, green, red } from './style.ts'

const COLOURS: Record<string, (text: string) => string> = { '@': cyan, '+': green, '-': red }

/** Lines of a unified diff, coloured where a terminal shows it. */
export const colouredDiff = (lines: readonly string[]): string[] =>
  lines.map((line) => COLOURS[line[0] ?? '']?.(line) ?? line)
