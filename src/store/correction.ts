/** Correcting and deprecating: the old record stays readable, marked, with the chain to what replaced it. */

import { MnemosError } from '../base/errors.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { Act, NewRecord } from './acts.ts'

const withId = (ids: readonly string[], id: string) => (ids.includes(id) ? [...ids] : [...ids, id])

/** Marks a record as no longer held; who, when and why are kept, and stay those of the first time. */
export function deprecated(
  record: MemoryRecord,
  at: string,
  by: string,
  why: string,
  supersededBy?: string,
): MemoryRecord {
  return {
    ...record,
    status: 'deprecated',
    deprecated: record.deprecated ?? { at, by, why },
    supersededBy:
      supersededBy === undefined ? record.supersededBy : withId(record.supersededBy, supersededBy),
  }
}

/**
 * The acts of one correction: the new record, and the deprecation of each that it corrects.
 * @param known what superseded each of them when it was chosen: where another correction came first, the commit throws
 *   CHANGED_MEANWHILE, so that no two records hold against each other.
 */
export function correction(
  record: NewRecord & { id: string },
  old: readonly string[],
  by: string,
  known?: ReadonlyMap<string, readonly string[]>,
): Act[] {
  const why = record.why ?? `corrected by ${record.id}`
  return [
    { act: 'create', record: { ...record, supersedes: [...old] } },
    ...old.map(
      (id): Act => ({
        act: 'correct',
        id,
        change(current, at) {
          const before = known?.get(id)
          if (before && current.supersededBy.some((other) => !before.includes(other)))
            throw correctedMeanwhile(id)
          return deprecated(current, at, by, why, record.id)
        },
      }),
    ),
  ]
}

const correctedMeanwhile = (id: string) =>
  new MnemosError(
    'CHANGED_MEANWHILE',
    `The record "${id}" was corrected by another session just now; nothing was written.`,
    'Look at what holds now, and correct that.',
  )

/** @throws MnemosError INVALID_INPUT where nothing is said. */
export function refuseNoReason(why: string): void {
  if (why.trim() !== '') return
  throw new MnemosError(
    'INVALID_INPUT',
    'A deprecation needs a reason.',
    'Say why the record no longer holds.',
  )
}

/**
 * The acts that deprecate a record, and with `supersededBy` tie it to the record that replaced it.
 * @throws MnemosError INVALID_INPUT without a reason, or where the record is to supersede itself.
 */
export function deprecation(id: string, by: string, why: string, supersededBy?: string): Act[] {
  refuseNoReason(why)
  if (supersededBy?.normalize('NFC') === id.normalize('NFC'))
    throw new MnemosError(
      'INVALID_INPUT',
      'A record cannot supersede itself.',
      'Name the record that holds instead.',
    )
  const acts: Act[] = [
    { act: 'deprecate', id, change: (current, at) => deprecated(current, at, by, why, supersededBy) },
  ]
  if (supersededBy !== undefined) {
    acts.push({
      act: 'update',
      id: supersededBy,
      change: (current) => ({ ...current, supersedes: withId(current.supersedes, id) }),
    })
  }
  return acts
}
