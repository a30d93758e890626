/**
 * What changed in a part since it was last shown. A part is a list: lines that begin with `- `, other lines, and
 * headings, which are the other lines that end with a colon, of whichever width. Its order says nothing, so neither does a difference.
 */

import type { Language } from '../base/language.ts'
import { isAnyWord, VIEW_WORDS } from './words.ts'

/** A line, by the heading that it stands under and its own text. */
type SaidLine = { heading: string; line: string }

const isHeading = (line: string): boolean => /[:：]$/.test(line) && !line.startsWith('- ')
const isAdded = (line: string): boolean => isAnyWord(line, ({ added }) => added)
const isWithdrawn = (line: string): boolean => isAnyWord(line, ({ withdrawn }) => withdrawn)
const keyOfLine = ({ heading, line }: SaidLine): string => `${heading}\n${line}`

/** What a part says, without its order. */
export type Said = ReadonlyMap<string, SaidLine>

/** @param text a part, as it was drawn. */
export function saidBy(text: string): Said {
  const said = new Map<string, SaidLine>()
  let heading = ''
  for (const line of text.split('\n')) {
    if (isHeading(line)) heading = line
    else if (line !== '') said.set(keyOfLine({ heading, line }), { heading, line })
  }
  return said
}

export const saysTheSame = (a: Said, b: Said): boolean =>
  a.size === b.size && [...a.keys()].every((key) => b.has(key))

/** What has to be said for a reader of `before` to know `after`. Empty where nothing has. */
export function difference(before: Said, after: Said, language: Language): string {
  const words = VIEW_WORDS[language]
  const lacking = (from: Said, other: Said) =>
    [...from].filter(([key]) => !other.has(key)).map(([, entry]) => entry)
  const added = lacking(after, before)
  const withdrawn = lacking(before, after)
  return [
    ...(added.length > 0 ? [words.added, ...linesOf(added)] : []),
    ...(withdrawn.length > 0 ? [words.withdrawn, ...linesOf(withdrawn)] : []),
  ].join('\n')
}

function linesOf(entries: readonly SaidLine[]): string[] {
  let under = ''
  return entries.flatMap(({ heading, line }) => {
    const lines = heading === under ? [line] : [heading, line]
    under = heading
    return lines
  })
}

/** What a reader knows who knew `before` and was then told a {@link difference}. */
export function told(before: Said, change: string): Said {
  const said = new Map(before)
  let withdrawing = false
  let heading = ''
  for (const line of change.split('\n')) {
    if (line === '') continue
    if (isAdded(line) || isWithdrawn(line)) {
      withdrawing = isWithdrawn(line)
      heading = ''
    } else if (isHeading(line)) heading = line
    else if (withdrawing) said.delete(keyOfLine({ heading, line }))
    else said.set(keyOfLine({ heading, line }), { heading, line })
  }
  return said
}
