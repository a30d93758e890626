/** `open`: reads records whole, with where they come from and what became of them. */
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { windowOf } from '../base/text.ts'
import { explained } from '../messages/messages.ts'
import type { MemoryRecord } from '../record/record.ts'
import { marksOf } from '../search/recall/hit.ts'
import { chainOf } from '../store/chain.ts'
import { isKeptFrom, refuseKept } from '../store/isolation.ts'
import type { FoundFile, FoundRecord, Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { shown, shownFields, withReasonsShown } from './shown.ts'
import { defineTool, type Tool } from './tool.ts'

const IDS_LIMIT = 10
/** Characters of content that one call returns at most, whatever it asks for: more would crowd out the conversation. */
const MOST_CHARACTERS = 200_000

const openInput = z.strictObject({
  id: z.string().optional(),
  ids: z
    .array(z.string())
    .max(IDS_LIMIT, `at most ${IDS_LIMIT} ids at once`)
    .optional()
    .describe('Several at once, instead of id.'),
  offset: z.number().int().min(0).optional().describe('Where in the content to start.'),
  maxChars: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Characters of content to read, of all records together.'),
})

const chainSchema = z.array(
  z.object({
    id: z.string(),
    summary: z.string().optional(),
    status: z.string(),
    why: z.string().optional(),
  }),
)

const openedSchema = z.looseObject({
  id: z.string(),
  summary: z.string(),
  content: z.string(),
  chain: z.object({ earlier: chainSchema, later: chainSchema }).optional(),
})

const openOutput = z.looseObject({ records: z.array(openedSchema).optional() })

export const openTool = (store: Store): Tool =>
  defineTool({
    name: 'open',
    description:
      'Read a record whole by its id: content, where it comes from, what it corrected and what corrected it. offset and maxChars page through a long one.',
    input: openInput,
    output: openOutput,
    readsOnly: true,
    async run({ id, ids, offset = 0, maxChars }, { context }) {
      const env = { store, context }
      const wanted = distinct([...(id === undefined ? [] : [id]), ...(ids ?? [])])
      if (wanted.length === 0)
        throw new MnemosError('INVALID_INPUT', 'open needs an id.', 'Take it from a hit of recall.')
      let left = Math.min(maxChars ?? store.config.openMaxChars, MOST_CHARACTERS)
      const [only] = wanted
      if (wanted.length === 1 && only !== undefined) return opened(only, offset, left, env)
      const records: Awaited<ReturnType<typeof opened>>[] = []
      const missing: string[] = []
      for (const one of wanted) {
        try {
          const record = await opened(one, offset, left, env)
          // Two spellings of one name.
          if (records.some(({ id: other }) => other === record.id)) continue
          records.push(record)
          left = Math.max(0, left - record.content.length)
        } catch (error) {
          if (!(error instanceof MnemosError)) throw error
          missing.push(reasonOf(explained(error)))
        }
      }
      return { records, ...(missing.length > 0 ? { missing } : {}) }
    },
  })

/** Ids without the spaces around them and with their accents composed, as records have them; each once. */
const distinct = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.trim().normalize('NFC')).filter((id) => id !== '')),
]

/** Who reads, and from where. */
interface OpenContext {
  store: Store
  context: TurnContext
}

async function opened(id: string, offset: number, length: number, env: OpenContext) {
  const found = await env.store.get(id)
  refuseKept(env.store, found.record, env.context)
  env.store.noteOpened(id, env.context)
  return recordShown(found, offset, length, env)
}

async function recordShown(
  { record, file, copies, namesakes }: FoundRecord,
  offset: number,
  length: number,
  env: OpenContext,
) {
  const piece = windowOf(record.content, offset, length)
  const more = record.content.length - piece.end
  const read = await withReasonsShown(record, env.store.find)
  const { id, source, kind, status, summary, content, supersedes, supersededBy, ...others } = shownFields(
    record,
    { ...read, content: piece.text },
  )
  const [earlier, later] = [await chain(record, 'supersedes', env), await chain(record, 'supersededBy', env)]
  return {
    // A title that is the summary is said once.
    ...withoutDefaults({ ...others, title: record.title === record.summary ? undefined : others.title }),
    id,
    source,
    kind,
    status,
    summary,
    content,
    ...(piece.start > 0 ? { offset: piece.start } : {}),
    ...(more > 0 ? { more, next: piece.end } : {}),
    ...(earlier.length + later.length > 0 ? { chain: { earlier, later } } : {}),
    ...shownFields(record, marksOf(read, env.store.now())),
    file: inFolder(env, file),
    ...withoutDefaults({ copies: filesShown(copies, env), namesakes: filesShown(namesakes, env) }),
  }
}

/** What other workspaces hold is kept from this one, in a copy as well. */
const filesShown = (files: readonly FoundFile[], env: OpenContext) =>
  files
    .filter(({ workspace }) => !isKeptFrom(env.store, { workspace }, env.context))
    .map((other) => ({ file: inFolder(env, other.file), summary: shown(other, other.summary) }))

/** Relative to the data folder: where on the machine that lies is nothing that a model needs. */
const inFolder = ({ store }: OpenContext, file: string): string =>
  relative(store.layout.root, file).replaceAll(sep, '/')

/** Fields that say nothing beyond their default are left away: the model pays for every word. */
function withoutDefaults(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record)
      .map(([key, value]) => [key, withoutNothing(value)] as const)
      .filter(
        ([key, value]) =>
          !holdsNothing(value) &&
          value !== false &&
          !(key === 'tier' && value === 'hot') &&
          !(key === 'confirmed' && value === true),
      ),
  )
}

const holdsNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A value without what holds nothing below it. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutNothing(inner)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => !holdsNothing(inner)))
}

/** The records that this one corrected, or that corrected it, nearest first; those that are gone are named by id. */
async function chain(record: MemoryRecord, direction: 'supersedes' | 'supersededBy', env: OpenContext) {
  const links = await chainOf(record, direction, (id) => linked(id, env))
  return Promise.all(
    links.map(async ({ id, record: other }): Promise<z.output<typeof chainSchema>[number]> => {
      if (other === undefined) return { id, status: 'gone' }
      const { deprecated } = await withReasonsShown(other, env.store.find)
      return {
        id,
        summary: shown(other, other.summary),
        status: other.status,
        ...(deprecated ? { why: shown(other, deprecated.why) } : {}),
      }
    }),
  )
}

/** A linked record, as far as this reader may see it. */
async function linked(id: string, { store, context }: OpenContext): Promise<MemoryRecord | undefined> {
  const record = await store.find(id)
  return record && isKeptFrom(store, record, context) ? undefined : record
}
