/** A change of a text as a person is to judge it: lines taken out and put in, and nothing in them that cannot be seen. */
import { structuredPatch } from 'diff'
import { visible } from '../base/visible.ts'
import { cyan, green, red } from './style.ts'

const CONTEXT_LINES = 3

/** Unified diff, line by line; coloured where a terminal shows it. */
export function diffLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: CONTEXT_LINES })
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.map((line) => paint(line[0] ?? ' ', visible(line))),
  ])
}

const paint = (sign: string, line: string) => (sign === '+' ? green(line) : sign === '-' ? red(line) : line)
