/**
 * From acts to the files that are to be written: each act becomes what it wants a record to be, the gates see all of it
 * together, and only then are times and revisions stamped and texts made.
 */
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import type { Planned } from '../files/put-all.ts'
import { type GoodFile, pathFor } from '../files/record-files.ts'
import { format, type Written } from '../record/format.ts'
import { newId } from '../record/ids.ts'
import { refuseTooLarge } from '../record/limits.ts'
import type { Conflict } from '../record/merge.ts'
import { type MemoryRecord, recordSchema } from '../record/record.ts'
import type { Act, NewRecord } from './acts.ts'
import type { RecordWrite, Write } from './change.ts'
import { changedByGates, editOf } from './edit.ts'
import { current } from './lookup.ts'
import type { Pieces } from './pieces.ts'
import type { TurnContext } from './turn-context.ts'

export interface Plan {
  files: Planned[]
  warnings: string[]
  /** Nothing is to be written: this record says the same already. */
  existing?: MemoryRecord
  /** An edit that met what another writer had saved since. */
  merged?: { conflicts: Conflict[] }
}

/** What an act wants, and the file that it starts from. */
interface WantedWrite {
  act: Act['act']
  before: GoodFile | undefined
  /** What the file's new text is made from. */
  previous: Written | undefined
  wanted: MemoryRecord
  unlessSame?: ((existing: MemoryRecord) => boolean) | undefined
  merged?: Plan['merged']
}

/** @throws MnemosError where an act or a gate refuses. */
export async function planOf(parts: Pieces, acts: readonly Act[], context: TurnContext): Promise<Plan> {
  const now = iso(parts.clock.now())
  const intents = new Map<string, WantedWrite>()
  for (const act of acts) {
    const intent = intentOf(parts, act, now)
    if (intent.act === 'edit' && intent.previous?.text === intent.before?.text)
      return { files: [], warnings: [], existing: intent.wanted }
    if (intents.has(intent.wanted.id)) throw twice(intent.wanted.id)
    intents.set(intent.wanted.id, intent)
  }
  const admitted = await parts.admission.admit([...intents.values()].map(writeOf), context)
  const warnings = [...admitted.warnings]
  const files: Planned[] = []
  refuseTornApart(intents, admitted.change)
  for (const write of admitted.change) {
    const one = recordWrite(write)
    const intent = intents.get(one.next.id) ?? added(parts, one)
    if (files.some(({ record }) => record.id === one.next.id)) throw twice(one.next.id)
    if (intent.act === 'edit') warnings.push(...changedByGates(intent.wanted, one.next))
    const existing = intent.unlessSame ? sameAs(parts, one.next, intent.unlessSame) : undefined
    if (existing) return { files: [], warnings, existing }
    files.push(plannedFile(one, intent, context, now))
  }
  refuseLostFacts(files)
  if (files.length === 0)
    throw new MnemosError(
      'REFUSED',
      ['Nothing was written.', ...warnings].join(' '),
      'Tell the person, and write it in another way only where they want it.',
    )
  const merged = [...intents.values()].find((intent) => intent.merged)?.merged
  return { files, warnings, ...(merged ? { merged } : {}) }
}

/**
 * A gate may take writes out, but not one half of what belongs together: a record would name another that was not written,
 * or was not changed as it says.
 * @throws MnemosError REFUSED
 */
function refuseTornApart(intents: ReadonlyMap<string, WantedWrite>, admitted: readonly Write[]): void {
  const kept = admitted.flatMap((write) => (write.what === 'record' ? [write.next] : []))
  const taken = [...intents.keys()].filter((id) => !kept.some((record) => record.id === id))
  const missing = taken.find((id) => kept.some((record) => idsNamedIn(record).includes(id)))
  if (missing === undefined) return
  throw new MnemosError(
    'REFUSED',
    `A check takes "${missing}" out of the change, and the rest does not hold without it; nothing was written.`,
    'Tell the person.',
  )
}

const idsNamedIn = ({ supersedes, supersededBy, derivedFrom, links, contested }: MemoryRecord): string[] => [
  ...supersedes,
  ...supersededBy,
  ...derivedFrom,
  ...links.map(({ to }) => to),
  ...contested.map(({ by }) => by),
]

/**
 * A correction whose new record would not be held leaves nothing that is: the old record deprecated, the new one waiting.
 * @throws MnemosError REFUSED
 */
function refuseLostFacts(files: readonly Planned[]): void {
  const waiting = new Set(
    files.flatMap(({ before, record }) => (!before && record.status !== 'active' ? [record.id] : [])),
  )
  const lost = files.find(
    ({ before, record }) =>
      before?.record.status === 'active' &&
      record.status === 'deprecated' &&
      record.supersededBy.some((id) => waiting.has(id)),
  )
  if (!lost) return
  throw new MnemosError(
    'REFUSED',
    `The new record would only be a candidate, and "${lost.record.id}", which it corrects, would be held no more; nothing was written.`,
    'Write it so that it is taken in, or leave the old record as it is.',
  )
}

function plannedFile(write: RecordWrite, intent: WantedWrite, context: TurnContext, now: string): Planned {
  const { before, previous } = intent
  const record = withStamps(write.next, intent, now)
  const text = format(record, previous)
  // Unknown keys and comments of a file count as well, or it could not be read again.
  refuseTooLarge(text)
  return {
    path: before?.file.path ?? pathFor(record.id, record.created),
    before,
    record,
    text,
    entry: {
      at: now,
      act: write.act,
      id: record.id,
      by: context.author,
      ...(context.session ? { session: context.session.id } : {}),
      rev: [before?.record.rev ?? null, record.rev],
    },
  }
}

/** Whatever a gate gave back: these are the store's to say, or the person's who edits the file. */
function withStamps(next: MemoryRecord, { act, before, wanted }: WantedWrite, now: string): MemoryRecord {
  if (act === 'edit') return { ...next, created: wanted.created, updated: wanted.updated, rev: wanted.rev }
  if (!before) return { ...next, created: now, updated: now, rev: 1 }
  return { ...next, created: before.record.created, updated: now, rev: before.record.rev + 1 }
}

const writeOf = ({ act, before, previous, wanted }: WantedWrite): RecordWrite => ({
  what: 'record',
  act: act === 'edit' ? 'update' : act,
  next: wanted,
  previous: before?.record,
  ...(act === 'edit' && previous ? { text: previous.text } : {}),
})

function recordWrite(write: Write): RecordWrite {
  if (write.what === 'record') return write
  throw new MnemosError(
    'REFUSED',
    'A check asked for more than a change of records; nothing was written.',
    'Tell the person.',
  )
}

/** A write that a gate added: of a record that is there. @throws MnemosError where it is not. */
function added(parts: Pieces, { act, next }: RecordWrite): WantedWrite {
  const before = current(parts, next.id)
  return { act, before, previous: before, wanted: next }
}

const twice = (id: string) =>
  new MnemosError(
    'INVALID_INPUT',
    `The record "${id}" would be changed twice in one change; nothing was written.`,
    'Name it once.',
  )

/** What an act wants a record to be, and the file that it starts from. */
function intentOf(parts: Pieces, act: Act, now: string): WantedWrite {
  if (act.act === 'create')
    return {
      act: 'create',
      before: undefined,
      previous: undefined,
      wanted: newRecordOf(parts, act.record, now),
      unlessSame: act.unlessSame,
    }
  const before = current(parts, act.id)
  if (act.act === 'edit') return { act: 'edit', before, ...editOf(act, before, parts.tombstones, now) }
  const { id } = before.record
  const wanted = { ...act.change(structuredClone(before.record), now), id }
  return { act: act.act, before, previous: before, wanted }
}

const FILLED = recordSchema.parse({ id: 'x', summary: 'x', created: iso(0), updated: iso(0) })

function newRecordOf(parts: Pieces, record: NewRecord, now: string): MemoryRecord {
  const id =
    record.id ?? newId((one) => parts.catalog.has(one) || parts.tombstones.deletedAt(one) !== undefined)
  const place = record.session === undefined ? {} : orderIn(parts, record.session)
  return { ...structuredClone(FILLED), ...record, ...place, id, created: now, updated: now, rev: 1 }
}

/** The place among what a session wrote; without an index it is left out. */
function orderIn(parts: Pieces, session: string): { order?: number } {
  const before = parts.catalog.useIfFree((index) => index.countOf({ session }))
  return before === undefined ? {} : { order: before + 1 }
}

/** An active record that says the same, as its file stands now. */
function sameAs(
  parts: Pieces,
  { kind, source, summary, content }: MemoryRecord,
  counts: (existing: MemoryRecord) => boolean,
): MemoryRecord | undefined {
  const ids = parts.catalog.useIfFree((index) => index.sameContent(kind, source, summary, content)) ?? []
  for (const id of ids) {
    const [path] = parts.catalog.pathsOf(id)
    const record = path === undefined ? undefined : parts.catalog.reread(path)?.record
    if (record?.status !== 'active' || record.summary !== summary || record.content !== content) continue
    if (counts(record)) return record
  }
  return undefined
}
