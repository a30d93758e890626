/** Carrying out several acts as one. */
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import { EditedMeanwhile, type Planned, type Put, putAll } from '../files/put.ts'
import type { Conflict } from '../record/merge.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { Act } from './acts.ts'
import type { Pieces } from './pieces.ts'
import { planOf } from './plan.ts'
import type { TurnContext } from './turn-context.ts'

export interface Committed {
  /** Every record that was written, as it stands on disk. */
  records: MemoryRecord[]
  /** Nothing was written: the one record is an earlier one that says the same. */
  existing: boolean
  warnings: string[]
  /** An edit that met what another writer had saved since; undefined where none had. */
  merged?: { conflicts: Conflict[] }
}

/** How often a write starts again because an editor saved the file in between. */
const PLAN_ATTEMPTS = 5

/**
 * Carries out several acts as one: all of them are on disk afterwards, or none. Call it under the lock.
 * @throws MnemosError when nothing was changed.
 */
export async function commit(
  parts: Pieces,
  acts: readonly Act[],
  context: TurnContext,
  held: HeldLock,
): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    const { files, warnings, existing, merged } = await planOf(parts, acts, context)
    if (existing) return { records: [existing], existing: true, warnings }
    let put: Put
    try {
      put = putAll(parts, files, held)
    } catch (error) {
      if (error instanceof EditedMeanwhile && attempt < PLAN_ATTEMPTS) continue
      if (error instanceof EditedMeanwhile) {
        throw new MnemosError(
          'CHANGED_MEANWHILE',
          'The file is being edited just now; nothing was changed.',
          'Try again.',
        )
      }
      throw error
    }
    const settled = followUp(parts, files, put.forget)
    return {
      records: files.map(({ record }) => record),
      existing: false,
      warnings: [...warnings, ...put.warnings, ...settled],
      ...(merged ? { merged } : {}),
    }
  }
}

/**
 * Index and ledger follow the files. The records are on disk now, so whatever fails here is a warning, never a
 * failure of the write.
 */
function followUp(parts: Pieces, files: readonly Planned[], forget: () => void): string[] {
  const warnings: string[] = []
  try {
    for (const { path } of files) parts.catalog.reread(path)
  } catch (error) {
    warnings.push(`The record is stored, but could not be read again yet (${reasonOf(error)}).`)
  }
  try {
    parts.ledger.append(files.map(({ entry }) => entry))
    forget()
  } catch (error) {
    warnings.push(`The record is stored, but the ledger could not be written (${reasonOf(error)}).`)
  }
  return warnings
}
