/** `recall`: finds records and says why each one matched. */
import { z } from 'zod'
import { defined } from '../base/defined.ts'
import { MnemosError } from '../base/errors.ts'
import { fence } from '../base/text.ts'
import { hintSentence } from '../messages/messages.ts'
import { SOURCES, STATUSES } from '../record/record.ts'
import type { RecallScope } from '../search/index/scope.ts'
import { instant } from '../search/recall/instant.ts'
import { INCLUDES } from '../search/recall/leave-outs.ts'
import { QUERIES_LIMIT } from '../search/recall/recall.ts'
import type { RecallHit } from '../search/recall/request.ts'
import type { Store } from '../store/store.ts'
import { marksOf, marksShape, shown } from './shown.ts'
import { defineTool, type Tool } from './tool.ts'

const input = z.strictObject({
  query: z
    .union([z.string(), z.array(z.string()).max(QUERIES_LIMIT, `at most ${QUERIES_LIMIT} phrasings`)])
    .optional()
    .describe('Key words, or up to 4 phrasings. May be left out when a scope is given: newest first then.'),
  task: z.string().optional(),
  tags: z.array(z.string()).max(32, 'at most 32').optional().describe('All of them.'),
  kind: z.string().optional(),
  source: z.enum(SOURCES).optional(),
  since: z.string().optional().describe('ISO date, of creation.'),
  until: z.string().optional(),
  limit: z.number().int().min(1).max(50).optional(),
  include: z.array(z.enum(INCLUDES)).optional().describe('What is left out by default.'),
})

const output = z.strictObject({
  hits: z.array(
    z.strictObject({
      id: z.string(),
      source: z.enum(SOURCES),
      kind: z.string(),
      status: z.enum(STATUSES),
      summary: z.string(),
      snippet: z.string(),
      tags: z.array(z.string()),
      task: z.string().optional(),
      created: z.string(),
      matched: z.array(z.object({ term: z.string(), fields: z.array(z.string()) })),
      ...marksShape,
    }),
  ),
  leftOut: z.record(z.string(), z.number()),
  hints: z.array(z.string()),
})

export const recallTool = (store: Store): Tool =>
  defineTool({
    name: 'recall',
    description:
      'Search memory by words, tags and fields. Hits give ids, summaries and the terms and fields that matched; open reads one whole.',
    input,
    output,
    readsOnly: true,
    async run(args, env) {
      const queries = [args.query ?? []].flat().filter((query) => query.trim() !== '')
      const { task, tags, kind, source } = args
      const scope: RecallScope = {
        ...defined({ task, tags: tags?.length ? tags : undefined, kind, source }),
        ...instant('since', args.since, 'begins'),
        ...instant('until', args.until, 'ends'),
      }
      if (queries.length === 0 && Object.keys(scope).length === 0) {
        throw new MnemosError(
          'INVALID_INPUT',
          'recall needs a query or a scope.',
          'Give query, or one of task, tags, kind, source, since, until.',
        )
      }
      const { workspace } = env.context
      const { hits, leftOut, hints } = await store.recall({
        queries,
        scope,
        limit: args.limit ?? store.config.recallLimit,
        include: args.include ?? [],
        ...(workspace === undefined ? {} : { workspace }),
      })
      const now = store.now()
      return {
        hits: hits.map((hit) => hitShown(hit, now)),
        leftOut,
        hints: hints.map((hint) => hintSentence(hint)),
      }
    },
  })

function hitShown({ record, matched, snippet, elsewhere }: RecallHit, now: number) {
  return {
    id: record.id,
    source: record.source,
    kind: record.kind,
    status: record.status,
    summary: shown(record, record.summary),
    snippet: shown(record, snippet),
    tags: record.source === 'external' ? record.tags.map((tag) => fence(tag)) : record.tags,
    ...(record.task === undefined ? {} : { task: record.task }),
    created: record.created,
    matched,
    ...(elsewhere && record.workspace !== undefined ? { workspace: record.workspace } : {}),
    ...marksOf(record, now),
  }
}
