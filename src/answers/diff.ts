/** A change of a text as a person is to judge it: lines removed and added, with nothing in them that cannot be seen. */
import { structuredPatch } from 'diff'
import { visible } from '../base/visible.ts'

const CONTEXT_LINES = 3

/** Unified diff, line by line. */
export function diffLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: CONTEXT_LINES })
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(visible),
  ])
}
