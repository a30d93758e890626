/** What waits for a decision, and what a person's decision writes. */

import { MnemosError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import { isWaiting } from '../record/kinds.ts'
import type { MemoryRecord } from '../record/record.ts'
import { isElsewhere } from '../search/recall/leave-outs.ts'
import type { Act } from '../store/acts.ts'
import { deprecated } from '../store/correction.ts'
import { SELF_HISTORY_WORDS } from './words.ts'

/** Why an identity record is a candidate that the budget had no room for. */
export const OVERFLOW = 'overflow'

/** Why a record waits. */
export const reasonFor = ({ status, candidateReason }: MemoryRecord): string =>
  status === 'candidate' ? (candidateReason ?? 'no reason given') : 'unconfirmed'

/** Whether only the person can decide on it; the curator may decide on what the budget had no room for. */
const isForPerson = (record: MemoryRecord): boolean => reasonFor(record) !== OVERFLOW

/**
 * The line of the view that counts what waits for the person alone; empty where nothing does.
 * @param waiting candidates and unconfirmed records.
 */
export function waitingLine(
  waiting: readonly MemoryRecord[],
  { workspace, isolate }: { workspace: string | undefined; isolate: boolean },
  language: Language,
): string {
  const n = waiting.filter(
    (record) => isForPerson(record) && !(isolate && isElsewhere(record.workspace, workspace)),
  ).length
  return n === 0 ? '' : SELF_HISTORY_WORDS[language].waiting(n)
}

export interface Decision {
  /** Who decides. */
  by: string
}

/**
 * The acts by which a waiting or external record is accepted. External text stays external for ever: accepting it is
 * saying it oneself, in a new record made from it.
 * @param newId the id of that new record.
 * @throws MnemosError where there is nothing to accept.
 */
export function acceptance(record: MemoryRecord, newId: string, { by }: Decision): Act[] {
  refuseDecided(record, 'accepted')
  if (record.source !== 'external') {
    return [{ act: 'update', id: record.id, change: (current) => accepted(current, by) }]
  }
  const { kind, summary, content, tags, askedAs, layer, keep, validUntil, workspace, task, links, why } =
    record
  return [
    {
      act: 'create',
      record: {
        id: newId,
        kind,
        summary,
        content,
        tags,
        askedAs,
        layer,
        keep,
        links,
        ...(validUntil === undefined ? {} : { validUntil }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(task === undefined ? {} : { task }),
        ...(why === undefined ? {} : { why }),
        author: by,
        acceptedBy: by,
        derivedFrom: [record.id],
        supersedes: [record.id],
      },
    },
    {
      act: 'correct',
      id: record.id,
      change: (current, at) => {
        refuseDecided(current, 'accepted')
        return deprecated(current, at, by, `accepted as ${newId}`, newId)
      },
    },
  ]
}

function accepted(current: MemoryRecord, by: string): MemoryRecord {
  refuseDecided(current, 'accepted')
  const { candidateReason: _, ...rest } = current
  return { ...rest, status: 'active', confirmed: true, acceptedBy: by }
}

/**
 * The act by which a waiting record is dismissed: it stays readable.
 * @throws MnemosError where it does not wait.
 */
export function dismissal(record: MemoryRecord, why: string, { by }: Decision): Act[] {
  refuseDecided(record, 'dismissed')
  return [
    {
      act: 'deprecate',
      id: record.id,
      change: (current, at) => {
        refuseDecided(current, 'dismissed')
        return deprecated(current, at, by, why)
      },
    },
  ]
}

function refuseDecided(record: MemoryRecord, verb: 'accepted' | 'dismissed'): void {
  if (isWaiting(record)) return
  const { id, status, acceptedBy } = record
  if (verb === 'accepted' && status === 'active' && record.source === 'external') return
  const standing = acceptedBy === undefined ? status : `${status}, accepted by ${acceptedBy}`
  throw new MnemosError(
    'REFUSED',
    `The record "${id}" waits for no decision (it is ${standing}); nothing was changed.`,
    verb === 'dismissed' && status === 'active'
      ? `Where it no longer holds: mnemos deprecate ${id} --why <text>`
      : 'What waits: mnemos candidates',
  )
}
