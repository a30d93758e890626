import { iso } from '../base/clock.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { Write } from './admission.ts'
import { changedByGates, editOf } from './edit.ts'
import { format, type Written } from '../record/format.ts'
import { newId } from '../record/ids.ts'
import type { Held } from '../files/lock.ts'
import type { Conflict } from '../record/merge.ts'
import type { CommitParts } from './parts.ts'
import { EditedMeanwhile, type Planned, type Put, putAll } from '../files/put.ts'
import { FILE_LIMIT, type MemoryRecord, recordSchema } from '../record/record.ts'
import { type GoodFile, pathFor } from '../files/record-files.ts'
import type { TurnContext } from './turn-context.ts'

/** A record that does not exist yet: what is left out gets its default, and the store sets id, times and rev. */
export type NewRecord = Partial<Omit<MemoryRecord, 'created' | 'updated' | 'rev'>> & { summary: string }

export type Act =
  | {
      act: 'create'
      record: NewRecord
      /** Where an active record of the same kind and source says the same, that one is the answer and nothing is written. */
      unlessSame?: (existing: MemoryRecord) => boolean
    }
  | {
      act: 'update' | 'correct' | 'deprecate'
      id: string
      /** The record as it is to be, from the record as it stands at that moment. May throw to refuse. */
      change: (current: MemoryRecord) => MemoryRecord
    }
  | {
      /** A person's edit of the file itself. */
      act: 'edit'
      id: string
      /** The file's text as the person was shown it, and as they left it. */
      base: string
      mine: string
    }

export interface Committed {
  records: MemoryRecord[]
  /** Nothing was written: the one record is an earlier one that says the same. */
  existing: boolean
  warnings: string[]
  /** An edit that met what another writer had saved since; undefined where none had. */
  merged?: { conflicts: Conflict[] }
}

/** How often a write starts again because an editor saved the file in between. */
const ATTEMPTS = 5

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
    const { plan, warnings, existing, merged } = await makePlan(parts, acts, context)
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
      ...(merged ? { merged } : {}),
    }
  }
}

interface Plan {
  plan: Planned[]
  warnings: string[]
  existing?: MemoryRecord
  merged?: { conflicts: Conflict[] }
}

async function makePlan(parts: CommitParts, acts: Act[], context: TurnContext): Promise<Plan> {
  const plan: Planned[] = []
  const warnings: string[] = []
  let merged: Plan['merged']
  for (const act of acts) {
    const now = iso(parts.clock.now())
    const { before, wanted, previous, ...met } = intended(parts, act, now)
    merged ??= met.merged
    if (act.act === 'edit' && previous?.text === before?.text) return { plan: [], warnings, existing: wanted }
    const written = act.act === 'edit' ? 'update' : act.act
    const write: Write = { act: written, next: wanted, previous: before?.record }
    const admitted = await parts.admission.admit(write, context)
    warnings.push(...admitted.warnings)
    const record = admitted.next
    if (act.act === 'edit') warnings.push(...changedByGates(wanted, record))
    const text = format(record, previous)
    withinLimit(text)
    const existing = act.act === 'create' && act.unlessSame ? same(parts, record, act.unlessSame) : undefined
    if (existing) return { plan: [], warnings, existing }
    plan.push({
      path: before?.file.path ?? pathFor(record.id, record.created),
      before,
      record,
      text,
      entry: {
        at: now,
        act: written,
        id: record.id,
        by: context.author,
        ...(context.session ? { session: context.session.id } : {}),
        rev: [before?.record.rev ?? null, record.rev],
      },
    })
  }
  return { plan, warnings, ...(merged ? { merged } : {}) }
}

/** The border measures the record; unknown keys and comments of a file count as well, or it could not be read again. */
function withinLimit(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= FILE_LIMIT) return
  throw new MnemosError(
    'INVALID_INPUT',
    `The file would be ${bytes} bytes and may have ${FILE_LIMIT}; nothing was written.`,
    'Shorten it.',
  )
}

/** An active record that says the same, as its file stands now. */
function same(
  parts: CommitParts,
  { kind, source, summary, content }: MemoryRecord,
  counts: (existing: MemoryRecord) => boolean,
): MemoryRecord | undefined {
  for (const id of parts.catalog.useIfFree((index) => index.sameContent(kind, source, summary, content)) ??
    []) {
    const [path] = parts.catalog.pathsOf(id)
    const record = path === undefined ? undefined : parts.catalog.reread(path)?.record
    if (record?.status !== 'active' || record.summary !== summary || record.content !== content) continue
    if (counts(record)) return record
  }
  return undefined
}

interface Intended {
  before: GoodFile | undefined
  /** What the file's new text is made from. */
  previous: Written | undefined
  wanted: MemoryRecord
  merged?: Plan['merged']
}

/** What an act wants a record to be, and the file that it starts from. */
function intended(parts: CommitParts, act: Act, now: string): Intended {
  if (act.act === 'create')
    return { before: undefined, previous: undefined, wanted: draft(parts, act.record, now) }
  const before = current(parts, act.id)
  if (act.act === 'edit') return { before, ...editOf(act, before, parts.tombstones, now) }
  const wanted = revised(act.change(structuredClone(before.record)), before.record, now)
  return { before, previous: before, wanted }
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
  return new MnemosError(
    'NOT_FOUND',
    `There is no record "${id}".`,
    'Search for it: recall, or mnemos search.',
  )
}

/**
 * Index and ledger follow the files. The records are on disk now, so whatever fails here is a warning, never a
 * failure of the write.
 */
function settle(parts: CommitParts, plan: Planned[], forget: () => void): string[] {
  const warnings: string[] = []
  try {
    for (const { path } of plan) parts.catalog.reread(path)
  } catch (error) {
    warnings.push(`The record is stored, but could not be read again yet (${reasonOf(error)}).`)
  }
  try {
    parts.ledger.append(plan.map(({ entry }) => entry))
    forget()
  } catch (error) {
    warnings.push(`The record is stored, but the ledger could not be written (${reasonOf(error)}).`)
  }
  return warnings
}
