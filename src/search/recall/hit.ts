/** A hit as a plain value, the same for the tool `recall` and for `mnemos search`. */
import { z } from 'zod'
import { type MemoryRecord, SOURCES, STATUSES } from '../../record/record.ts'
import { isExpired, type RecallHit } from './request.ts'

/** What a reader must know of a record besides what it says; only what is out of the ordinary is there. */
const marksShape = {
  confirmed: z.literal(false).optional(),
  contested: z.array(z.looseObject({ by: z.string(), why: z.string() })).optional(),
  supersededBy: z.array(z.string()).optional(),
  validUntil: z.string().optional(),
  expired: z.literal(true).optional(),
  tier: z.literal('cold').optional(),
}

export const hitSchema = z.strictObject({
  id: z.string(),
  source: z.enum(SOURCES),
  kind: z.string(),
  status: z.enum(STATUSES),
  summary: z.string(),
  snippet: z.string().optional(),
  tags: z.array(z.string()).optional(),
  task: z.string().optional(),
  created: z.string(),
  matched: z.array(z.object({ term: z.string(), fields: z.array(z.string()) })),
  /** Only where it is another one than the present. */
  workspace: z.string().optional(),
  ...marksShape,
})

export interface Marks {
  confirmed?: false
  contested?: { by: string; why: string }[]
  supersededBy?: string[]
  validUntil?: string
  expired?: true
  tier?: 'cold'
}

/** A {@link RecallHit} without what only recall itself needs. */
export interface Hit extends Marks {
  id: string
  source: MemoryRecord['source']
  kind: string
  status: MemoryRecord['status']
  summary: string
  /** The telling part of the content. */
  snippet?: string
  tags?: string[]
  task?: string
  created: string
  matched: RecallHit['matched']
  workspace?: string
}

/** @param now milliseconds since the epoch. */
export const marksOf = (record: MemoryRecord, now: number): Marks =>
  marksFrom(record, isExpired(record, now), record.supersededBy)

function marksFrom(record: MemoryRecord, expired: boolean, supersededBy: readonly string[]): Marks {
  return {
    ...(record.confirmed ? {} : { confirmed: false }),
    ...(record.contested.length > 0
      ? { contested: record.contested.map(({ by, why }) => ({ by, why })) }
      : {}),
    ...(supersededBy.length > 0 ? { supersededBy: [...supersededBy] } : {}),
    ...(record.validUntil ? { validUntil: record.validUntil } : {}),
    ...(expired ? { expired } : {}),
    ...(record.tier === 'cold' ? { tier: 'cold' } : {}),
  }
}

/** What a hit shows of its record. Text from outside is in it as it is: whoever shows it to a model fences it. */
export function hitValue({ record, matched, snippet, elsewhere, expired, supersededBy }: RecallHit): Hit {
  const { id, source, kind, status, summary, tags, task, created, workspace } = record
  return {
    id,
    source,
    kind,
    status,
    summary,
    ...(snippet === '' ? {} : { snippet }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(task === undefined ? {} : { task }),
    created,
    matched,
    ...(elsewhere && workspace !== undefined ? { workspace } : {}),
    ...marksFrom(record, expired, supersededBy),
  }
}
