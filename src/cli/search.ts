/** `mnemos search <words...>` */
import { answerSearch } from '../answers/search.ts'
import { hintSentence } from '../messages/messages.ts'
import { shownDay } from '../record/day.ts'
import type { Hit } from '../search/recall/hit.ts'
import type { Include } from '../search/recall/leave-outs.ts'
import { limitOf } from './numbers.ts'
import { beside, type Session, skippedLines } from './session.ts'
import { bold, dim, printable } from './style.ts'

interface SearchOptions {
  limit?: string
  kind?: string
  tag?: string[]
  source?: string
  since?: string
  until?: string
  session?: string
  include?: Include[]
}

export async function searchCommand(
  { store, print, json }: Session,
  words: string[],
  { limit, tag, include, ...filters }: SearchOptions,
): Promise<void> {
  const found = await answerSearch(store, {
    phrasings: [words.join(' ')],
    filters: { ...filters, tags: tag },
    limit: limitOf(limit),
    include,
    folder: process.cwd(),
  })
  const { hits, more, leftOut, hints } = found
  print({ ...found, hints: hints.map((hint) => hintSentence(hint)) }, [
    ...hits.flatMap(hitLines),
    ...(hits.length === 0 ? ['Nothing was found.'] : []),
    ...(more > 0 ? [dim(`${more} more not shown (--limit)`)] : []),
    ...Object.entries(leftOut).map(([what, n]) => dim(leftOutLine(what, n))),
    // What is left out stands above, in this command's own words.
    ...hints.filter(({ code }) => code !== 'LEFT_OUT').map((hint) => dim(hintSentence(hint))),
  ])
  if (!json) beside(skippedLines(found.skipped))
}

const leftOutLine = (what: string, n: number): string =>
  what === 'isolated'
    ? `${n} of other workspaces not shown: this one is isolated`
    : `${n} ${what} not shown (--include ${what})`

function hitLines(hit: Hit): string[] {
  const { matched, snippet = '' } = hit
  const why = matched.map(({ term, fields }) => `${printable(term)} (${fields.join(', ')})`)
  return [
    `${bold(hit.id)}  ${printable(hit.summary)}`,
    dim(`    ${aboutHit(hit).join(' · ')}${why.length > 0 ? `  matched ${why.join(', ')}` : ''}`),
    ...(snippet === '' ? [] : [`    ${printable(snippet)}`]),
  ]
}

/** What a hit is, and what is out of the ordinary about it. */
function aboutHit({ kind, source, status, workspace, created, ...marks }: Hit): string[] {
  return [
    printable(kind),
    source,
    ...(status === 'active' ? [] : [status]),
    ...(marks.expired ? ['expired'] : []),
    ...(marks.supersededBy ? [`superseded by ${marks.supersededBy.join(', ')}`] : []),
    ...(marks.confirmed === false ? ['unconfirmed'] : []),
    ...(marks.contested ? [`contested by ${marks.contested.map(({ by }) => by).join(', ')}`] : []),
    ...(workspace === undefined ? [] : [`of ${printable(workspace)}`]),
    shownDay(created),
  ]
}
