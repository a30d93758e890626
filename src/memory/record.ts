/**
 * The record: one memory. This zod schema is the one source for types, validation and `docs/note-format.md`.
 */
import { z } from 'zod'
import { countCharacters } from '../base/text.ts'

/** Characters (as a person counts them) that a summary may have. */
export const SUMMARY_LIMIT = 200
/** Questions that a record may name as answered by it. */
export const ASKED_AS_LIMIT = 3
/** Characters of a citation's quote. */
export const QUOTE_LIMIT = 500
/** Bytes of one record file; larger ones are not read (spec 1.7). */
export const FILE_LIMIT = 1024 * 1024

export const LAYERS = ['short', 'long', 'permanent'] as const
export const STATUSES = ['active', 'candidate', 'deprecated', 'archived'] as const
export const SOURCES = ['internal', 'external', 'autobiographical', 'validated'] as const

/** Ids that a file may bear: 1–64 letters of any script, digits, `-` and `_` (marks belong to their letters). */
export const ID_PATTERN = /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]{0,63}$/u
export const idSchema = z.string().regex(ID_PATTERN, 'must be 1 to 64 letters, digits, "-" or "_"')

/** ISO 8601, stored in UTC with milliseconds; a date alone or an offset, as a person writes it, is understood. */
const instant = z.string().transform((value, ctx) => {
  const ms = /^\d{4}-\d{2}/.test(value.trim()) ? Date.parse(value.trim()) : Number.NaN
  if (Number.isNaN(ms)) {
    ctx.addIssue({
      code: 'custom',
      message: 'must be an ISO date or time, like 2026-11-30 or 2026-11-30T08:00:00Z',
    })
    return z.NEVER
  }
  return new Date(ms).toISOString()
})

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .refine((text) => !/[\r\n\u2028\u2029\u0085]/.test(text), 'must be one line')
    .refine((text) => text.length <= max || countCharacters(text) <= max, `must be at most ${max} characters`)

const word = line(64)

export const recordSchema = z.object({
  id: idSchema,
  /** Open-ended: note, decision, experience, identity, conclusion, handoff, task, … */
  kind: word.default('note'),
  /** The fact itself in one line, not a pointer to it. */
  summary: line(SUMMARY_LIMIT),
  /** Optional Markdown; the file's body. */
  content: z.string().default(''),
  tags: z.array(word).max(32).default([]),
  /** Questions that this record answers, in either language: searched, never shown as fact. */
  askedAs: z.array(line(SUMMARY_LIMIT)).max(ASKED_AS_LIMIT).default([]),

  layer: z.enum(LAYERS).default('long'),
  tier: z.enum(['hot', 'cold']).default('hot'),
  status: z.enum(STATUSES).default('active'),
  candidateReason: line(SUMMARY_LIMIT).optional(),
  /** false: found and marked, but not confirmed by the person (spec 5.1). */
  confirmed: z.boolean().default(true),
  keep: z.boolean().default(false),
  validUntil: instant.optional(),
  /** What it was made from is gone: its text wants to be written anew. */
  rewrite: z.boolean().default(false),

  source: z.enum(SOURCES).default('internal'),
  /** person, or `provider/model` followed by main, child, learner or job. */
  author: line(SUMMARY_LIMIT).default('person'),
  session: line(SUMMARY_LIMIT).optional(),
  /** Its place among what the session wrote, counted from 1. */
  order: z.number().int().positive().optional(),
  workspace: line(512).optional(),
  task: line(64).optional(),
  origin: z
    .looseObject({
      kind: z.enum(['task', 'session', 'legacy']),
      taskId: z.string().optional(),
      graphId: z.string().optional(),
      session: z.string().optional(),
    })
    .optional(),
  citation: z
    .looseObject({
      session: z.string(),
      ids: z.array(z.string()).default([]),
      quote: z
        .string()
        .refine((text) => countCharacters(text) <= QUOTE_LIMIT, `must be at most ${QUOTE_LIMIT} characters`)
        .optional(),
    })
    .optional(),
  exposedTo: z.array(z.string()).default([]),
  derivedFrom: z.array(idSchema).default([]),

  why: z.string().optional(),
  verifiedBy: z.array(z.looseObject({ id: idSchema, verdict: z.string(), date: instant })).default([]),
  supersedes: z.array(idSchema).default([]),
  supersededBy: z.array(idSchema).default([]),
  deprecated: z.looseObject({ at: instant, by: z.string(), why: z.string() }).optional(),
  contested: z.array(z.looseObject({ by: idSchema, at: instant, why: z.string() })).default([]),
  acceptedBy: z.string().optional(),
  links: z.array(z.looseObject({ to: idSchema, relation: word, why: z.string().default('') })).default([]),
  created: instant,
  updated: instant,
  rev: z.number().int().positive().default(1),
})

/** A record as the program handles it: every field present that has a default. */
export type MemoryRecord = z.output<typeof recordSchema>
/** The fields in the order in which a file shows them; `content` is the body and not among them. */
export const FIELD_ORDER = Object.keys(recordSchema.shape).filter(
  (key) => key !== 'content',
) as readonly Exclude<keyof MemoryRecord, 'content'>[]

/** Kinds that tell who the assistant is: they belong to the self-history, whatever the caller claims. */
export const AUTOBIOGRAPHICAL_KINDS: ReadonlySet<string> = new Set(['identity', 'decision', 'experience'])
/** Kinds that only Mnemos itself writes; nobody may claim one through a tool. */
export const OWN_KINDS: ReadonlySet<string> = new Set(['task', 'validation', 'fold', 'archive'])

/** The first thing that is wrong with a value, as `field: what`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? issueText(issue, []) : 'not valid'
}

function issueText(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union') {
    // Of several allowed shapes, the one that the value nearly has is the one to speak of.
    const near = issue.errors.find(
      ([first]) => first && !(first.code === 'invalid_type' && first.path.length === 0),
    )
    if (near?.[0]) return issueText(near[0], path)
  }
  return path.length > 0 ? `${path.join('.')}: ${issue.message}` : issue.message
}
