/** `recall`: finds records and says why each one matched. */
import { z } from 'zod'
import { hintSentence } from '../messages/messages.ts'
import { SOURCES } from '../record/record.ts'
import { type Hit, hitSchema, hitValue } from '../search/recall/hit.ts'
import { INCLUDES } from '../search/recall/leave-outs.ts'
import { questionOf } from '../search/recall/question.ts'
import { QUERIES_LIMIT } from '../search/recall/recall.ts'
import type { RecallHit } from '../search/recall/request.ts'
import type { Store } from '../store/store.ts'
import { shown, shownFields, withReasonsShown } from './shown.ts'
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
  since: z.string().optional().describe('Day here, or time; of creation.'),
  until: z.string().optional(),
  limit: z.number().int().min(1).max(50).optional(),
  include: z
    .array(z.enum(INCLUDES))
    .optional()
    .describe(
      'What is left out by default. verdict: what a validation said; giant: records of a size that matches everything.',
    ),
})

const output = z.strictObject({
  hits: z.array(hitSchema),
  leftOut: z.record(z.string(), z.number()).optional(),
  hints: z.array(z.string()).optional(),
})

export const recallTool = (store: Store): Tool =>
  defineTool({
    name: 'recall',
    description:
      'Search memory by words, tags and fields. Hits give ids, summaries and the terms and fields that matched; open reads one whole.',
    input,
    output,
    readsOnly: true,
    async run({ query, limit, include, ...filters }, env) {
      const { workspace } = env.context
      const { hits, leftOut, hints } = await store.recall({
        ...questionOf([query ?? []].flat(), filters),
        limit: limit ?? store.config.recallLimit,
        include: include ?? [],
        workspace,
      })
      return {
        hits: await Promise.all(hits.map((hit) => hitShown(hit, store))),
        leftOut,
        hints: hints.map((hint) => hintSentence(hint)),
      }
    },
  })

/** A hit as a model may read it. */
async function hitShown(found: RecallHit, store: Store): Promise<Hit> {
  const record = await withReasonsShown(found.record, store.find)
  const hit = shownFields(record, hitValue({ ...found, record }))
  return hit.snippet === undefined ? hit : { ...hit, snippet: shown(record, hit.snippet) }
}
