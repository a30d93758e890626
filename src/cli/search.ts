/** `mnemos search <words...>` */
import { MnemosError } from '../base/errors.ts'
import { workspaceOf } from '../files/workspace.ts'
import { hintSentence } from '../messages/messages.ts'
import type { RecallScope } from '../search/index/scope.ts'
import { instant } from '../search/recall/instant.ts'
import type { Include } from '../search/recall/leave-outs.ts'
import { limitOf } from './numbers.ts'
import { aside, type Session, skippedLines } from './session.ts'
import { bold, dim, printable } from './style.ts'

interface Options {
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
  options: Options,
): Promise<void> {
  const limit = limitOf(options.limit, store.config.recallLimit)
  const scope = scopeOf(options)
  if (words.length === 0 && Object.keys(scope).length === 0) {
    throw new MnemosError('INVALID_INPUT', 'search needs words or a filter.', 'See mnemos search --help.')
  }
  const workspace = await workspaceOf(process.cwd())
  const { hits, total, leftOut, hints } = await store.recall({
    queries: words.length > 0 ? [words.join(' ')] : [],
    scope,
    limit,
    include: options.include ?? [],
    ...(workspace === undefined ? {} : { workspace }),
  })
  const more = Math.max(0, total - hits.length)
  const value = {
    more,
    skipped: store.bad().length,
    hits: hits.map(({ record, matched, snippet, expired, supersededBy }) => ({
      id: record.id,
      kind: record.kind,
      source: record.source,
      status: record.status,
      summary: record.summary,
      tags: record.tags,
      created: record.created,
      ...(expired ? { expired } : {}),
      ...(supersededBy.length > 0 ? { supersededBy } : {}),
      matched,
      snippet,
    })),
    leftOut,
    hints: hints.map((hint) => hintSentence(hint)),
  }
  print(value, [
    ...hits.flatMap(({ record, matched, snippet, expired, supersededBy }) => [
      `${bold(record.id)}  ${printable(record.summary)}`,
      dim(
        `    ${[printable(record.kind), record.source, record.status === 'active' ? '' : record.status, expired ? 'expired' : '', supersededBy.length > 0 ? `superseded by ${supersededBy.join(', ')}` : '', record.created.slice(0, 10)].filter(Boolean).join(' · ')}` +
          `${matched.length > 0 ? `  matched ${matched.map(({ term, fields }) => `${printable(term)} (${fields.join(', ')})`).join(', ')}` : ''}`,
      ),
      ...(snippet === '' ? [] : [`    ${printable(snippet)}`]),
    ]),
    ...(hits.length === 0 ? ['Nothing was found.'] : []),
    ...(more > 0 ? [dim(`${more} more not shown (--limit)`)] : []),
    ...Object.entries(leftOut).map(([what, n]) => dim(`${n} ${what} not shown (--include ${what})`)),
    // What is left out stands above, in this command's own words.
    ...hints
      .filter((hint) => hint.code !== 'LEFT_OUT' || hint.reason === 'isolated')
      .map((hint) => dim(hintSentence(hint))),
  ])
  if (!json) aside(skippedLines(store))
}

function scopeOf({ kind, tag, source, since, until, session }: Options): RecallScope {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(source === undefined ? {} : { source }),
    ...(session === undefined ? {} : { session }),
    ...instant('since', since, 'begins'),
    ...instant('until', until, 'ends'),
  }
}
