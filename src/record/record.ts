/**
 * The record: one memory. This zod schema is the one source for types, validation and `docs/note-format.md`.
 */
import { z } from 'zod'
import { countCharacters } from '../base/text.ts'
import { canBeSeen } from '../base/visible.ts'
import { instantOf } from './instant.ts'

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

/**
 * Strings that are nobody's words: ids, times, and names of sessions, writers and sites. Every other string of the schema
 * is text, and words that are deleted are cut out of it.
 */
export const NO_TEXT = z.registry<{ noText: true }>()
const noText = <S extends z.ZodType>(schema: S): S => {
  NO_TEXT.add(schema, { noText: true })
  return schema
}

export const idSchema = noText(z.string().regex(ID_PATTERN, 'must be 1 to 64 letters, digits, "-" or "_"'))

/**
 * ISO 8601, stored in UTC with milliseconds; a date alone or an offset, as a person writes it, is understood, and what
 * names no zone is UTC.
 */
const instantField = noText(
  z.string().transform((value, ctx) => {
    const ms = instantOf(value)
    if (ms === undefined) {
      ctx.addIssue({
        code: 'custom',
        message: 'must be an ISO date or time, like 2026-11-30 or 2026-11-30T08:00:00Z',
      })
      return z.NEVER
    }
    return new Date(ms).toISOString()
  }),
)

/** As {@link instantField}, but a day alone lasts until its end. */
const lastInstant = noText(
  z
    .string()
    .transform((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? `${text.trim()}T23:59:59.999Z` : text))
    .pipe(instantField),
)

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .refine((text) => !/[\r\n\u2028\u2029\u0085]/.test(text), 'must be one line')
    .refine(canBeSeen, 'must hold something that can be seen')
    .refine((text) => text.length <= max || countCharacters(text) <= max, `must be at most ${max} characters`)

const word = line(64)

/** What a field holds, for the documents that are made from this schema. */
const described = (description: string) => ({ description })

export const recordSchema = z.object({
  id: idSchema.meta(described('The name of the record; the file’s name without .md where it is left out.')),
  kind: word
    .default('note')
    .meta(described('note, decision, experience, identity, conclusion, handoff or any other word.')),
  summary: line(SUMMARY_LIMIT).meta(
    described(
      `The fact itself in one line, at most ${SUMMARY_LIMIT} characters; the title or the first line of text where it is left out.`,
    ),
  ),
  title: z
    .string()
    .trim()
    .optional()
    .meta(
      described('As web clippers and other programs write it: the summary where that is left out; searched.'),
    ),
  description: z
    .string()
    .trim()
    .optional()
    .meta(described('As web clippers and other programs write it: searched as text of the note.')),
  content: z.string().default('').meta(described('Markdown: everything below the front matter.')),
  tags: z.array(word).max(32).default([]).meta(described('Words to find it by.')),
  askedAs: z
    .array(line(SUMMARY_LIMIT))
    .max(ASKED_AS_LIMIT)
    .default([])
    .meta(
      described(
        `At most ${ASKED_AS_LIMIT} questions that it answers, in any language: searched, never shown as fact.`,
      ),
    ),

  layer: z
    .enum(LAYERS)
    .default('long')
    .meta(described('What ageing may do to it: short and long are archived some day, permanent never.')),
  tier: z.enum(['hot', 'cold']).default('hot').meta(described('cold ranks lower and is still found.')),
  status: z
    .enum(STATUSES)
    .default('active')
    .meta(described('Only active records are found without being asked for.')),
  candidateReason: line(SUMMARY_LIMIT).optional().meta(described('Why it is a candidate.')),
  confirmed: z
    .boolean()
    .default(true)
    .meta(described('false: found and marked, not confirmed by the person.')),
  keep: z.boolean().default(false).meta(described('true: never archived.')),
  validUntil: lastInstant.optional().meta(described('Past it, it is marked as expired and ranks down.')),
  rewrite: z
    .boolean()
    .default(false)
    .meta(described('What it was made from is gone, so its text should be written anew.')),

  source: z
    .enum(SOURCES)
    .default('internal')
    .meta(described('Where its words come from; external stays external for ever.')),
  author: noText(line(SUMMARY_LIMIT))
    .default('person')
    .meta(described('person, or provider/model followed by main, child, learner or job.')),
  session: noText(line(SUMMARY_LIMIT)).optional().meta(described('The session that wrote it.')),
  order: z.number().int().positive().optional().meta(described('Its place among what that session wrote.')),
  workspace: noText(line(512))
    .optional()
    .meta(
      described(
        'The id of the workspace that it was written in: what its folder was called when it first came into `workspaces.json`, by git remote, root commit or name.',
      ),
    ),
  task: noText(line(64)).optional().meta(described('The task that it belongs to.')),
  origin: z
    .looseObject({
      kind: z.enum(['task', 'session', 'legacy']),
      taskId: noText(z.string()).optional(),
      graphId: noText(z.string()).optional(),
      session: noText(z.string()).optional(),
    })
    .optional()
    .meta(described('The task or session that it came from.')),
  citation: z
    .looseObject({
      session: noText(z.string()),
      ids: z.array(noText(z.string())).default([]),
      quote: z
        .string()
        .refine((text) => countCharacters(text) <= QUOTE_LIMIT, `must be at most ${QUOTE_LIMIT} characters`)
        .optional(),
    })
    .optional()
    .meta(
      described('Where in the session’s log it was said: message and call ids, and the words themselves.'),
    ),
  exposedTo: z
    .array(noText(z.string()))
    .default([])
    .meta(described('Outside tools and sites that its session had met.')),
  derivedFrom: z.array(idSchema).default([]).meta(described('Records that it was made from.')),

  why: z.string().trim().optional().meta(described('Why it is held, or why what it corrects was wrong.')),
  verifiedBy: z
    .array(z.looseObject({ id: idSchema, verdict: z.string(), date: instantField }))
    .default([])
    .meta(described('Verdicts on it.')),
  supersedes: z.array(idSchema).default([]).meta(described('Records that it corrected.')),
  supersededBy: z.array(idSchema).default([]).meta(described('Records that corrected it.')),
  deprecated: z
    .looseObject({ at: instantField, by: noText(z.string()), why: z.string() })
    .optional()
    .meta(described('When, by whom and why it stopped being held.')),
  contested: z
    .array(z.looseObject({ by: idSchema, at: instantField, why: z.string() }))
    .default([])
    .meta(described('Records that speak against it and that nobody has decided on.')),
  acceptedBy: noText(z.string()).optional().meta(described('Who accepted it.')),
  links: z
    .array(z.looseObject({ to: idSchema, relation: word, why: z.string().default('') }))
    .default([])
    .meta(described('Related records.')),
  created: instantField.meta(described('The file’s time where it is left out.')),
  updated: instantField.meta(described('The file’s time where it is left out.')),
  rev: z
    .number()
    .int()
    .positive()
    .default(1)
    .meta(described('Counts the rewrites by Mnemos; of two files with one id the higher counts.')),
})

/** A record as the program handles it: every field present that has a default. */
export type MemoryRecord = z.output<typeof recordSchema>
export type Layer = MemoryRecord['layer']
export type Status = MemoryRecord['status']
export type Source = MemoryRecord['source']
/** The fields in the order in which a file shows them; `content` is the body and not among them. */
export const FIELD_ORDER = Object.keys(recordSchema.shape).filter(
  (key) => key !== 'content',
) as readonly Exclude<keyof MemoryRecord, 'content'>[]

/** The first thing that is wrong with a value, as `field: what`. */
export function firstIssue(error: z.ZodError): string {
  const { field, wrong } = firstFieldIssue(error)
  return field === '' ? wrong : `${field}: ${wrong}`
}

/** The first thing that is wrong with a value: the path of the field, empty for the value itself, and what. */
export function firstFieldIssue(error: z.ZodError): FieldIssue {
  const issue = error.issues[0]
  return issue ? issueIn(issue, []) : { field: '', wrong: 'not valid' }
}

interface FieldIssue {
  field: string
  wrong: string
}

function issueIn(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldIssue {
  const path = [...above, ...issue.path]
  if (issue.code === 'invalid_union') {
    // Of several allowed shapes, the one that the value nearly has is the one to speak of.
    const near = issue.errors.find(
      ([first]) => first && !(first.code === 'invalid_type' && first.path.length === 0),
    )
    if (near?.[0]) return issueIn(near[0], path)
  }
  return { field: path.join('.'), wrong: issueWords(issue) }
}

const EXPECTED: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a list of keys and values',
}

/** An issue as a person would say it. */
function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values
        .map(String)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1')}`
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' entries' : ''}`
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'array' ? ' entries' : ''}`
    case 'unrecognized_keys':
      return `has an unknown key: ${issue.keys.join(', ')}`
    default:
      return issue.message
  }
}
