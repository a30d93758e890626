/** Marking a record as no longer held, for the tool and for the person alike. */
import { localMinute } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import type { MemoryRecord } from '../record/record.ts'
import { deprecation, refuseNoReason } from './correction.ts'
import type { Store } from './store.ts'
import type { TurnContext } from './turn-context.ts'

export interface Deprecation {
  id: string
  why: string
  /** The record that holds instead. */
  supersededBy?: string | undefined
}

/**
 * Deprecates a record. One that is deprecated already keeps its first reason, and a warning says so.
 * @returns the record as it is stored.
 * @throws MnemosError when nothing was changed: INVALID_INPUT where it says no reason or names the record itself as the
 * one that holds, NOT_FOUND, or what a gate refuses.
 */
export async function deprecateRecord(
  store: Store,
  { id, why, supersededBy }: Deprecation,
  context: TurnContext,
): Promise<{ record: MemoryRecord; warnings: string[] }> {
  refuseNoReason(why)
  const { record: before } = await store.get(id)
  const successor = supersededBy === undefined ? undefined : (await store.get(supersededBy)).record
  const acts = deprecation(before.id, context.author, why, successor?.id)
  if (successor) assertHolds(successor)
  const isSaid = successor === undefined || before.supersededBy.includes(successor.id)
  if (before.status === 'deprecated' && isSaid) return { record: before, warnings: alreadyDeprecated(before) }
  const { records, warnings } = await store.commit(acts, context)
  const record = records.find((one) => one.id === before.id)
  if (!record)
    throw new MnemosError(
      'REFUSED',
      [`"${before.id}" was not deprecated.`, ...warnings].join(' '),
      'Tell the person.',
    )
  return { record, warnings: [...alreadyDeprecated(before), ...warnings] }
}

const alreadyDeprecated = ({ deprecated }: MemoryRecord): string[] =>
  deprecated ? [`It was deprecated already on ${localMinute(deprecated.at)}; that reason stays.`] : []

/** @throws MnemosError where a record cannot hold in place of another, because it is not held itself. */
function assertHolds({ id, status }: MemoryRecord): void {
  if (status === 'active') return
  throw new MnemosError(
    'INVALID_INPUT',
    `"${id}" is ${status} and does not hold itself; nothing was changed.`,
    'Name the record that holds now, or leave it out.',
  )
}
