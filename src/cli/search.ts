/** `mnemos search <words...>` */
import type { RecallScope } from '../memory/index/scope.ts'
import { instant } from '../memory/recall/instant.ts'
import type { Include } from '../memory/recall/leave-outs.ts'
import { workspaceOf } from '../memory/workspace.ts'
import { limitOf } from './numbers.ts'
import type { Session } from './session.ts'
import { bold, dim } from './style.ts'

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
  { store, print }: Session,
  words: string[],
  options: Options,
): Promise<void> {
  const limit = limitOf(options.limit, store.config.recallLimit)
  const workspace = await workspaceOf(process.cwd())
  const { hits, leftOut, hints } = await store.recall({
    queries: [words.join(' ')],
    scope: scopeOf(options),
    limit,
    include: options.include ?? [],
    ...(workspace === undefined ? {} : { workspace }),
  })
  const value = {
    hits: hits.map(({ record, matched, snippet }) => ({
      id: record.id,
      kind: record.kind,
      source: record.source,
      status: record.status,
      summary: record.summary,
      tags: record.tags,
      created: record.created,
      matched,
      snippet,
    })),
    leftOut,
    hints,
  }
  print(value, [
    ...hits.flatMap(({ record, matched, snippet }) => [
      `${bold(record.id)}  ${record.summary}`,
      dim(
        `    ${[record.kind, record.source, record.status === 'active' ? '' : record.status, record.created.slice(0, 10)].filter(Boolean).join(' · ')}` +
          `${matched.length > 0 ? `  matched ${matched.map(({ term, fields }) => `${term} (${fields.join(', ')})`).join(', ')}` : ''}`,
      ),
      ...(snippet === '' ? [] : [`    ${snippet}`]),
    ]),
    ...(hits.length === 0 ? ['Nothing was found.'] : []),
    ...Object.entries(leftOut).map(([what, n]) => dim(`${n} ${what} not shown (--include ${what})`)),
    ...hints.map(dim),
  ])
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
