/**
 * Repairs that need no backup, since a backup would be one more place that holds record text: no character of a record
 * is changed, and nothing is removed but temporary files and copies of what the person has deleted.
 */
import { relative } from 'node:path'
import { type Clock, iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import type { Layout } from '../files/layout.ts'
import type { Ledger, LedgerEntry } from '../files/ledger.ts'
import type { HeldLock } from '../files/lock.ts'
import { misplacedIn, moveAside } from '../files/misplaced.ts'
import type { Pending } from '../files/pending.ts'
import type { GoodFile, RecordFiles } from '../files/record-files.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { FindingCode } from './finding.ts'
import { isRepaired, leftTemporary, tooWide } from './folder.ts'

/** What a repair works with; the folder's lock is held. */
export interface RepairParts {
  clock: Clock
  disk: Disk
  files: RecordFiles
  tombstones: Tombstones
  ledger: Ledger
  pending: Pick<Pending, 'list'>
  /** Reads a record file as it stands now, and brings what is known of it up to date. */
  reread(path: string): GoodFile | undefined
}

export interface Repaired {
  code: FindingCode
  /** Relative to the data folder. */
  path: string
  /** Under which name what lay there is kept, relative to the data folder. */
  kept?: string
  /** Why it could not be done; undefined where it was. */
  failed?: RepairFailure
}

export type RepairFailure =
  /** Only the index knows which files are absent, so it is not rebuilt. */
  { code: 'INDEX_KNOWS_ABSENT' } | { code: 'FAILED'; reason: string }

export const failureOf = (thrown: unknown): RepairFailure => ({ code: 'FAILED', reason: reasonOf(thrown) })

/** Call it under the lock. What fails is named and keeps nothing else from being repaired. */
export function repairFolder(parts: RepairParts, layout: Layout, held: HeldLock): Repaired[] {
  const { disk } = parts
  const repaired: Repaired[] = []
  const each = <T>(
    code: FindingCode,
    all: readonly T[],
    pathOf: (one: T) => string,
    act: (one: T) => void,
  ) => {
    for (const one of all) {
      const path = relative(layout.root, pathOf(one)) || '.'
      try {
        held.check()
        act(one)
        repaired.push({ code, path })
      } catch (error) {
        repaired.push({ code, path, failed: failureOf(error) })
      }
    }
  }
  const now = parts.clock.now()
  for (const place of misplacedIn(disk, layout).filter((one) => isRepaired(layout, one))) {
    const { path } = place
    try {
      held.check()
      repaired.push({ code: 'MISPLACED', path, kept: moveAside(disk, layout.root, place, now) })
    } catch (error) {
      repaired.push({ code: 'MISPLACED', path, failed: failureOf(error) })
    }
  }
  parts.tombstones.refresh()
  each(
    'PERMISSIONS',
    tooWide(disk, layout),
    ({ path }) => path,
    ({ path, kind }) => disk.chmod(path, kind === 'folder' ? 0o700 : 0o600),
  )
  each(
    'TEMPORARY_FILES',
    leftTemporary({ disk, layout, now }),
    (path) => path,
    (path) => disk.remove(path),
  )
  const { files, tombstones } = parts
  const { lines = [], onlyInLedger = 0 } = tombstones.damage() ?? {}
  each(
    lines.length > 0 ? 'TOMBSTONE_LINES' : 'TOMBSTONES_MISSING',
    lines.length + onlyInLedger > 0 ? [layout.tombstones] : [],
    (path) => path,
    () => tombstones.repair(now),
  )
  each(
    'RESTORED_COPY',
    restoredCopies(parts),
    ({ path }) => files.absolute(path),
    ({ path, id, rev, created }) => {
      const removed = entry(parts, 'delete', id, [rev, null])
      // Its own tombstone: a deletion that stands in the ledger alone counts for whatever was created before it.
      parts.tombstones.add(id, removed.at, [created])
      files.remove(path)
      parts.ledger.append([removed])
    },
  )
  return repaired
}

const entry = (
  parts: RepairParts,
  act: LedgerEntry['act'],
  id: string,
  rev: LedgerEntry['rev'],
): LedgerEntry => ({ at: iso(parts.clock.now()), act, id, by: 'person', rev })

function restoredCopies(
  parts: RepairParts,
): (Pick<MemoryRecord, 'id' | 'rev' | 'created'> & { path: string })[] {
  // What an unfinished deletion still has to compare with goes when that is finished.
  const waiting = new Set(
    parts.pending.list().flatMap(({ act }) => (act?.deletes ?? []).flatMap(({ paths }) => paths)),
  )
  return parts.files.scan().files.flatMap(({ path }) => {
    if (waiting.has(path)) return []
    const read = parts.files.read(path)
    if (!read || !('record' in read)) return []
    const { id, rev, created } = read.record
    return parts.tombstones.isDeleted(id, created) ? [{ path, id, rev, created }] : []
  })
}
