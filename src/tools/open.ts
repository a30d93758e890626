/** `open`: reads records whole, with where they come from and what became of them. */
import { z } from 'zod'
import { MnemosError } from '../base/errors.ts'
import { fence, windowOf } from '../base/text.ts'
import type { MemoryRecord } from '../record/record.ts'
import { marksOf } from '../search/recall/hit.ts'
import { isElsewhere } from '../search/recall/leave-outs.ts'
import type { Found, Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { shown } from './shown.ts'
import { defineTool, type Tool } from './tool.ts'

const IDS_LIMIT = 10
/** Links of a correction chain that are followed in each direction. */
const CHAIN_LIMIT = 50

const input = z.strictObject({
  id: z.string().optional(),
  ids: z
    .array(z.string())
    .max(IDS_LIMIT, `at most ${IDS_LIMIT} ids at once`)
    .optional()
    .describe('Several at once, instead of id.'),
  offset: z.number().int().min(0).optional().describe('Where in the content to start.'),
  maxChars: z.number().int().min(1).optional().describe('Characters of content to read.'),
})

const chainSchema = z.array(
  z.object({
    id: z.string(),
    summary: z.string().optional(),
    status: z.string(),
    why: z.string().optional(),
  }),
)

const recordSchema = z.looseObject({
  id: z.string(),
  summary: z.string(),
  content: z.string(),
  chain: z.object({ earlier: chainSchema, later: chainSchema }).optional(),
})

export const openTool = (store: Store): Tool =>
  defineTool({
    name: 'open',
    description:
      'Read a record whole by its id: content, where it comes from, what it corrected and what corrected it. offset and maxChars page through a long one.',
    input,
    output: z.looseObject({ records: z.array(recordSchema).optional() }),
    readsOnly: true,
    async run({ id, ids, offset = 0, maxChars }, { context }) {
      const env = { store, context }
      const wanted = [...new Set([...(id === undefined ? [] : [id]), ...(ids ?? [])])].map((one) =>
        one.trim(),
      )
      if (wanted.length === 0)
        throw new MnemosError('INVALID_INPUT', 'open needs an id.', 'Take it from a hit of recall.')
      const length = Math.min(maxChars ?? env.store.config.openMaxChars, env.store.config.openMaxChars)
      const [only] = wanted
      if (wanted.length === 1 && only !== undefined) return opened(only, offset, length, env)
      const records: Awaited<ReturnType<typeof opened>>[] = []
      const missing: string[] = []
      for (const one of wanted) {
        try {
          records.push(await opened(one, offset, length, env))
        } catch (error) {
          if (!(error instanceof MnemosError)) throw error
          missing.push(error.message)
        }
      }
      return { records, ...(missing.length > 0 ? { missing } : {}) }
    },
  })

/** Who reads, and from where. */
interface Reading {
  store: Store
  context: TurnContext
}

async function opened(id: string, offset: number, length: number, env: Reading) {
  const found = await env.store.get(id)
  if (env.store.config.isolate && isElsewhere(found.record.workspace, env.context.workspace)) {
    throw new MnemosError(
      'REFUSED',
      `The record "${id}" belongs to another workspace, and the config keeps workspaces apart.`,
    )
  }
  env.store.noteOpened(id, env.context)
  return recordShown(found, offset, length, env)
}

async function recordShown({ record, file, copies }: Found, offset: number, length: number, env: Reading) {
  const piece = windowOf(record.content, offset, length)
  const more = record.content.length - piece.end
  const { content: _, summary, supersedes, supersededBy, ...rest } = record
  const [earlier, later] = [await chain(record, 'supersedes', env), await chain(record, 'supersededBy', env)]
  return {
    ...withoutDefaults(rest),
    id: record.id,
    source: record.source,
    kind: record.kind,
    status: record.status,
    summary: shown(record, summary),
    content: shown(record, piece.text),
    ...outsideShown(record),
    ...(piece.start > 0 ? { offset: piece.start } : {}),
    ...(more > 0 ? { more, next: piece.end } : {}),
    ...(earlier.length + later.length > 0 ? { chain: { earlier, later } } : {}),
    ...marksOf(record, env.store.now()),
    file,
    ...(copies.length > 0 ? { copies } : {}),
  }
}

/** The other words of an external record: they too are shown as data, or not at all. */
function outsideShown(record: MemoryRecord) {
  if (record.source !== 'external') return {}
  return {
    tags: record.tags.map((tag) => fence(tag)),
    askedAs: record.askedAs.map((question) => fence(question)),
    ...(record.why === undefined ? {} : { why: shown(record, record.why) }),
  }
}

/** Fields that say nothing beyond their default are left away: the model pays for every word. */
function withoutDefaults(record: Partial<MemoryRecord>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([key, value]) =>
        value !== undefined &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0) &&
        !(key === 'tier' && value === 'hot') &&
        !(key === 'confirmed' && value === true),
    ),
  )
}

/** The records that this one corrected, or that corrected it, nearest first; those that are gone are named by id. */
async function chain(record: MemoryRecord, direction: 'supersedes' | 'supersededBy', env: Reading) {
  const out: z.output<typeof chainSchema> = []
  const seen = new Set([record.id])
  const queue = [...record[direction]]
  for (let id = queue.shift(); id !== undefined && out.length < CHAIN_LIMIT; id = queue.shift()) {
    if (seen.has(id)) continue
    seen.add(id)
    const other = await linked(id, env)
    if (other === undefined) out.push({ id, status: 'gone' })
    else {
      out.push({
        id,
        summary: shown(other, other.summary),
        status: other.status,
        ...(other.deprecated ? { why: other.deprecated.why } : {}),
      })
      queue.push(...other[direction])
    }
  }
  return out
}

async function linked(id: string, env: Reading): Promise<MemoryRecord | undefined> {
  try {
    const { record } = await env.store.get(id)
    const hidden = env.store.config.isolate && isElsewhere(record.workspace, env.context.workspace)
    return hidden ? undefined : record
  } catch (error) {
    if (error instanceof MnemosError) return undefined
    throw error
  }
}
