/** `remember`: writes a record, and with `supersedes` corrects earlier ones in the same act. */

import { z } from 'zod'
import { defined } from '../base/defined.ts'
import { MnemosError } from '../base/errors.ts'
import { OWN_KINDS, plainKind } from '../record/kinds.ts'
import { LAYERS, type MemoryRecord, recordSchema, SOURCES, STATUSES } from '../record/record.ts'
import { nearDuplicates } from '../search/recall/near-duplicates.ts'
import type { Act, NewRecord } from '../store/acts.ts'
import { headsOf } from '../store/chain.ts'
import { correction } from '../store/correction.ts'
import { isKeptFrom } from '../store/isolation.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { shown } from './shown.ts'
import { defineTool, type Tool } from './tool.ts'

const rememberInput = z.strictObject({
  summary: z.string().describe('The fact itself in one line, at most 200 characters.'),
  content: z.string().optional().describe('Details, Markdown.'),
  kind: z
    .string()
    .optional()
    .describe('note (default), decision, experience, identity, conclusion, handoff or another word.'),
  tags: z.array(z.string()).optional(),
  askedAs: z.array(z.string()).optional().describe('Up to 3 questions that this answers.'),
  layer: z.enum(LAYERS).optional().describe('short fades when unused for two weeks; long is the default.'),
  source: z
    .enum(['internal', 'external', 'autobiographical'])
    .optional()
    .describe('external: it comes from outside text.'),
  supersedes: z.array(z.string()).optional().describe('Ids that this corrects; they become deprecated.'),
  why: z.string().optional().describe('Why it is held, or why the old record was wrong.'),
  links: z
    .array(z.object({ to: z.string(), relation: z.string(), why: z.string().optional() }))
    .optional()
    .describe('Related records.'),
  keep: z.boolean().optional().describe('Never archive it.'),
  validUntil: z.string().optional().describe('ISO date after which it may not hold.'),
})

const rememberOutput = z.strictObject({
  id: z.string(),
  status: z.enum(STATUSES),
  layer: z.enum(LAYERS),
  source: z.enum(SOURCES),
  existing: z.literal(true).optional(),
  deprecated: z.array(z.string()).optional(),
  contested: z.array(z.string()).optional(),
  nearDuplicates: z.array(z.object({ id: z.string(), summary: z.string() })).optional(),
  warnings: z.array(z.string()).optional(),
})

export const rememberTool = (store: Store): Tool =>
  defineTool({
    name: 'remember',
    description:
      'Write one fact to memory; it outlasts this session. supersedes corrects earlier records in the same act. Answers with the id and near-duplicates.',
    input: rememberInput,
    output: rememberOutput,
    async run({ supersedes, ...args }, env) {
      const { context } = env
      refuseOwnKinds(args.kind)
      refuseBroken(args)
      const record = { ...newRecord(args, context), id: store.newId() }
      const { committed, old, moved } = await written(store, record, supersedes ?? [], context)
      const { records, existing, warnings } = committed
      const near = await nearTo(store, context, record.summary, [record.id, ...old])
      const stored = existing ? records[0] : records.find(({ id }) => id === record.id)
      if (!stored)
        throw new MnemosError(
          'REFUSED',
          ['The record was not written.', ...warnings].join(' '),
          'Tell the person, and write it in another way only where they want it.',
        )
      const others = existing ? [] : records.filter(({ id }) => id !== stored.id)
      const deprecated = others.filter(
        ({ status, supersededBy }) => status === 'deprecated' && supersededBy.includes(stored.id),
      )
      const contested = others.filter((one) => one.contested.some(({ by }) => by === stored.id))
      const alike = near.filter(({ id }) => id !== stored.id)
      return {
        id: stored.id,
        status: stored.status,
        layer: stored.layer,
        source: stored.source,
        ...(existing ? { existing: true as const } : {}),
        ...(deprecated.length > 0 ? { deprecated: deprecated.map(({ id }) => id) } : {}),
        ...(contested.length > 0 ? { contested: contested.map(({ id }) => id) } : {}),
        nearDuplicates: alike,
        warnings: [
          ...(existing ? [existingSentence(stored, record)] : []),
          ...(alike.length > 0 && !existing ? [alikeAdvice(stored.id)] : []),
          ...moved,
          ...warnings,
        ],
      }
    },
  })

/** What a call may say of a record beyond its text, its kind and its source, which are those of the one that is there. */
const BESIDES = ['tags', 'askedAs', 'layer', 'why', 'links', 'keep', 'validUntil'] as const

/** That nothing was written; and what was given and does not stand in the record that is there. */
function existingSentence(existing: MemoryRecord, given: NewRecord): string {
  // The layer of the self-history is nobody's to choose.
  const open = BESIDES.filter((key) => key !== 'layer' || existing.source !== 'autobiographical')
  const lacking = open.filter((key) => !holds(existing[key], asStored(key, given[key])))
  if (lacking.length === 0) return 'This was already recorded; nothing new was written.'
  return `This was already recorded with other values of ${lacking.join(', ')}: nothing new was written, and yours are not stored. To store them, remember it again with supersedes ["${existing.id}"] and all that it is to have.`
}

/** A value as a record keeps it; as it is where a record would not take it. */
function asStored(key: (typeof BESIDES)[number], value: unknown): unknown {
  const parsed = recordSchema.shape[key].optional().safeParse(value)
  return value === undefined || !parsed.success ? value : parsed.data
}

/** Whether a field of a record has what was given: of a list every entry. What was not given is had. */
function holds(there: unknown, given: unknown): boolean {
  if (given === undefined) return true
  if (!Array.isArray(given)) return isSame(there, given)
  return Array.isArray(there) && given.every((one) => there.some((own) => isSame(own, one)))
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What to do about near-duplicates. */
const alikeAdvice = (id: string): string =>
  `Where it takes the place of one of nearDuplicates, deprecate that one with supersededBy "${id}"; where it adds nothing, deprecate "${id}".`

/** How often heads are looked for anew where another session has corrected them meanwhile. */
const ATTEMPTS = 3

/** Writes the record; where it corrects others, as the successor of those that hold when it is written. */
async function written(
  store: Store,
  record: NewRecord & { id: string },
  supersedes: readonly string[],
  context: TurnContext,
) {
  for (let attempt = 1; ; attempt++) {
    const { heads, warnings: moved } = await headsOfAll(store, supersedes)
    const old = heads.map(({ id }) => id)
    const known = new Map(heads.map(({ id, supersededBy }) => [id, supersededBy]))
    const unlessSame = (existing: MemoryRecord) => isHere(existing, store, context)
    const acts: Act[] =
      old.length > 0
        ? correction(record, old, context.author, known)
        : [{ act: 'create', record, unlessSame }]
    try {
      return { committed: await store.commit(acts, context), old, moved }
    } catch (error) {
      const isMoved = error instanceof MnemosError && error.code === 'CHANGED_MEANWHILE'
      if (!isMoved || old.length === 0 || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * What a correction of these records has to correct: a record that has a successor leads to the head of its chain, so
 * that no two records hold against each other.
 * @throws MnemosError naming an id that is wrong, before anything is written.
 */
async function headsOfAll(
  store: Store,
  ids: readonly string[],
): Promise<{ heads: MemoryRecord[]; warnings: string[] }> {
  const heads = new Map<string, MemoryRecord>()
  const warnings: string[] = []
  for (const asked of new Set(ids)) {
    const { record } = await store.get(asked)
    const found = await headsOf(record, store.find, store.correctorsOf)
    for (const head of found) heads.set(head.id, head)
    if (!found.some(({ id }) => id === record.id))
      warnings.push(
        `"${record.id}" had a successor already: this corrects ${found.map(({ id }) => `"${id}"`).join(', ')}, the head of its chain.`,
      )
  }
  return { heads: [...heads.values()], warnings }
}

/** Where workspaces are kept apart, what another one knows is not told. */
const isHere = (existing: MemoryRecord, store: Store, context: TurnContext): boolean =>
  !isKeptFrom(store, existing, context)

function refuseOwnKinds(kind: string | undefined): void {
  if (kind === undefined || !OWN_KINDS.has(plainKind(kind))) return
  throw new MnemosError(
    'INVALID_INPUT',
    `Records of the kind "${kind}" are written by Mnemos alone.`,
    'Use note, conclusion or another kind.',
  )
}

/** A file cannot keep them, and to leave them out in silence would be to write something else than was given. */
function refuseBroken(args: Record<string, unknown>): void {
  const broken = Object.keys(args).find((key) => isBroken(args[key]))
  if (broken === undefined) return
  throw new MnemosError(
    'INVALID_INPUT',
    `${broken} holds NUL or half a character; nothing was written.`,
    'Leave it out.',
  )
}

function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  return typeof value === 'object' && value !== null && Object.values(value).some(isBroken)
}

type Arguments = Omit<z.output<typeof rememberInput>, 'supersedes'>

function newRecord({ links, summary, ...args }: Arguments, context: TurnContext): NewRecord {
  const { session, workspace, callId } = context
  return {
    summary,
    ...defined({ ...args, workspace }),
    ...(links ? { links: links.map(({ to, relation, why }) => ({ to, relation, why: why ?? '' })) } : {}),
    author: context.author,
    ...(session
      ? {
          session: session.id,
          origin: { kind: 'session' as const, session: session.id },
          citation: { session: session.id, ids: callId === undefined ? [] : [callId] },
        }
      : {}),
  }
}

/** Near-duplicates are a courtesy: where recall does not work the record is written all the same. */
async function nearTo(
  store: Store,
  context: TurnContext,
  summary: string,
  except: readonly string[],
): Promise<{ id: string; summary: string }[]> {
  try {
    const { workspace } = context
    const { hits } = await store.recall({
      queries: [summary],
      scope: {},
      // One of them is the record itself.
      limit: 6,
      include: [],
      ...defined({ workspace }),
    })
    return nearDuplicates(
      summary,
      hits.map(({ record }) => record),
    )
      .filter(({ id }) => !except.includes(id))
      .map((record) => ({ id: record.id, summary: shown(record, record.summary) }))
  } catch (error) {
    if (error instanceof MnemosError) return []
    throw error
  }
}
