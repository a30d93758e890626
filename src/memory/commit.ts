/** Carrying out writes: under the lock, re-read, admitted, on disk as a whole, then index and ledger. */
import type { Clock } from '../base/clock.ts'
import { iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { Admission, Write } from './admit.ts'
import type { Catalog } from './catalog.ts'
import { format } from './format.ts'
import { newId } from './ids.ts'
import type { Ledger } from './ledger.ts'
import type { Held } from './lock.ts'
import type { Pending } from './pending.ts'
import { EditedMeanwhile, type Planned, type Put, putAll } from './put.ts'
import { type MemoryRecord, recordSchema } from './record.ts'
import { type GoodFile, pathFor, type RecordFiles } from './record-files.ts'
import type { Tombstones } from './tombstones.ts'
import type { TurnContext } from './turn-context.ts'

/** A record that does not exist yet: what is left out gets its default, and the store sets id, times and rev. */
export type NewRecord = Partial<Omit<MemoryRecord, 'created' | 'updated' | 'rev'>> & { summary: string }

export type Act =
  | {
      act: 'create'
      record: NewRecord
      /** Where an active record of the same kind and source says the same, that one is the answer and nothing is written. */
      unlessSame?: boolean
    }
  | {
      act: 'update' | 'correct' | 'deprecate'
      id: string
      /** The record as it is to be, from the record as it stands at that moment. May throw to refuse. */
      change: (current: MemoryRecord) => MemoryRecord
    }

export interface Committed {
  records: MemoryRecord[]
  /** Nothing was written: the one record is an earlier one that says the same. */
  existing: boolean
  warnings: string[]
}

/** How often a write starts again because an editor saved the file in between. */
const ATTEMPTS = 5

export interface CommitParts {
  clock: Clock
  disk: Disk
  files: RecordFiles
  catalog: Catalog
  tombstones: Tombstones
  admission: Admission
  ledger: Ledger
  pending: Pending
}

/**
 * Carries out several acts as one: all of them are on disk afterwards, or none. Call it under the lock.
 * @throws MnemosError when nothing was changed.
 */
export async function commit(
  parts: CommitParts,
  acts: Act[],
  context: TurnContext,
  held: Held,
): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    const { plan, warnings, existing } = await makePlan(parts, acts, context)
    if (existing) return { records: [existing], existing: true, warnings }
    let put: Put
    try {
      put = putAll(parts, plan, held)
    } catch (error) {
      if (error instanceof EditedMeanwhile && attempt < ATTEMPTS) continue
      if (error instanceof EditedMeanwhile) {
        throw new MnemosError(
          'CHANGED_MEANWHILE',
          'The file is being edited just now; nothing was changed.',
          'Try again.',
        )
      }
      throw error
    }
    return {
      records: plan.map(({ record }) => record),
      existing: false,
      warnings: [...warnings, ...put.warnings, ...settle(parts, plan, put.forget)],
    }
  }
}

interface Plan {
  plan: Planned[]
  warnings: string[]
  existing?: MemoryRecord
}

async function makePlan(parts: CommitParts, acts: Act[], context: TurnContext): Promise<Plan> {
  const plan: Planned[] = []
  const warnings: string[] = []
  for (const act of acts) {
    const now = iso(parts.clock.now())
    const { before, wanted } = intended(parts, act, now)
    const write: Write = { act: act.act, next: wanted, previous: before?.record }
    const admitted = await parts.admission.admit(write, context)
    warnings.push(...admitted.warnings)
    const record = admitted.next
    const existing = act.act === 'create' && act.unlessSame ? same(parts, record) : undefined
    if (existing) return { plan: [], warnings, existing }
    plan.push({
      path: before?.file.path ?? pathFor(record.id, record.created),
      before,
      record,
      text: format(record, before),
      entry: {
        at: now,
        act: act.act,
        id: record.id,
        by: context.author,
        ...(context.session ? { session: context.session.id } : {}),
        rev: [before?.record.rev ?? null, record.rev],
      },
    })
  }
  return { plan, warnings }
}

/** An active record that says the same, as its file stands now. */
function same(
  parts: CommitParts,
  { kind, source, summary, content }: MemoryRecord,
): MemoryRecord | undefined {
  for (const id of parts.catalog.useIfFree((index) => index.sameContent(kind, source, summary, content)) ??
    []) {
    const [path] = parts.catalog.pathsOf(id)
    const record = path === undefined ? undefined : parts.catalog.reread(path)?.record
    if (record?.status === 'active' && record.summary === summary && record.content === content) return record
  }
  return undefined
}

/** What an act wants a record to be, and the file that it starts from. */
function intended(
  parts: CommitParts,
  act: Act,
  now: string,
): { before: GoodFile | undefined; wanted: MemoryRecord } {
  if (act.act === 'create') return { before: undefined, wanted: draft(parts, act.record, now) }
  const before = current(parts, act.id)
  return { before, wanted: revised(act.change(structuredClone(before.record)), before.record, now) }
}

const FILLED = recordSchema.parse({ id: 'x', summary: 'x', created: iso(0), updated: iso(0) })

function draft(parts: CommitParts, record: NewRecord, now: string): MemoryRecord {
  const id =
    record.id ?? newId((one) => parts.catalog.has(one) || parts.tombstones.deletedAt(one) !== undefined)
  const place = record.session === undefined ? {} : orderIn(parts, record.session)
  return { ...structuredClone(FILLED), ...record, ...place, id, created: now, updated: now, rev: 1 }
}

/** The place among what a session wrote; without an index it is left out. */
function orderIn(parts: CommitParts, session: string): { order?: number } {
  const before = parts.catalog.useIfFree((index) => index.countOf({ session }))
  return before === undefined ? {} : { order: before + 1 }
}

const revised = (next: MemoryRecord, previous: MemoryRecord, now: string): MemoryRecord => ({
  ...next,
  id: previous.id,
  created: previous.created,
  updated: now,
  rev: previous.rev + 1,
})

/** @throws MnemosError NOT_FOUND, DELETED, or what is wrong with the file. */
export function current(parts: Pick<CommitParts, 'catalog' | 'tombstones'>, name: string): GoodFile {
  // Some keyboards and systems give accents apart from their letters; ids have them together.
  const id = name.normalize('NFC')
  for (const path of parts.catalog.pathsOf(id)) {
    const loaded = parts.catalog.reread(path)
    if (loaded?.record.id === id) return loaded
  }
  throw missing(parts, id)
}

/** Why there is no record under an id, with what to do. */
export function missing(parts: Pick<CommitParts, 'catalog' | 'tombstones'>, id: string): MnemosError {
  const broken = parts.catalog.bad().find(({ path }) => path === `${id}.md` || path.endsWith(`/${id}.md`))
  if (broken) {
    return new MnemosError(
      'STORAGE',
      `The file of "${id}" (${broken.path}) cannot be read: ${broken.reason}.`,
      'Mend the file.',
    )
  }
  const at = parts.tombstones.deletedAt(id)
  if (at) return new MnemosError('DELETED', `The record "${id}" was deleted on ${at}.`)
  return new MnemosError('NOT_FOUND', `There is no record "${id}".`, 'Use recall to find the id.')
}

/**
 * Index and ledger follow the files. The records are on disk now, so whatever fails here is a warning, never a
 * failure of the write.
 */
function settle(parts: CommitParts, plan: Planned[], forget: () => void): string[] {
  const warnings: string[] = []
  for (const { path } of plan) parts.catalog.reread(path)
  try {
    parts.ledger.append(plan.map(({ entry }) => entry))
    forget()
  } catch (error) {
    warnings.push(`The record is stored, but the ledger could not be written (${reasonOf(error)}).`)
  }
  return warnings
}
