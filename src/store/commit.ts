/** Carrying out several acts as one. */
import { defined } from '../base/defined.ts'
import { clauseOf, MnemosError } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import { EditedMeanwhile } from '../files/put.ts'
import { type Planned, type Put, putAll } from '../files/put-all.ts'
import type { Conflict } from '../record/merge.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { Act } from './acts.ts'
import type { Pieces } from './pieces.ts'
import { planOf } from './plan.ts'
import type { TurnContext } from './turn-context.ts'
import type { Entering } from './workspaces.ts'

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

/** Whether acts bring in a record of the workspace that the session's folder belongs to. */
export const bringsWorkspace = (acts: readonly Act[], { workspace, folder }: TurnContext): boolean =>
  folder !== undefined &&
  workspace !== undefined &&
  acts.some((act) => act.act === 'create' && act.record.workspace === workspace)

/** What a commit is handed under the lock. */
export interface CommitLock {
  held: HeldLock
  /** Where the acts bring in a record of the workspace that the session's folder belongs to. */
  entering: Entering | undefined
}

/**
 * Carries out several acts as one: all of them are on disk afterwards, or none. Call it under the lock.
 * @throws MnemosError when nothing was changed.
 */
export async function commit(
  parts: Pieces,
  wanted: readonly Act[],
  from: TurnContext,
  { held, entering }: CommitLock,
): Promise<Committed> {
  const { acts, context } = inWorkspace(wanted, from, entering?.id() ?? from.workspace)
  for (let attempt = 1; ; attempt++) {
    const { files, warnings, existing, merged } = await planOf(parts, acts, context)
    if (existing) return { records: [existing], existing: true, warnings }
    entering?.enter(held)
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
 * The acts and their context in the workspace that the folder belongs to now. Another folder of the same name may have
 * come into the register since the session was told what its own is called: a record is of its own, and is none that
 * the other one has already.
 */
function inWorkspace(
  acts: readonly Act[],
  context: TurnContext,
  workspace: string | undefined,
): { acts: readonly Act[]; context: TurnContext } {
  if (workspace === context.workspace) return { acts, context }
  const moved = acts.map((act): Act => {
    if (act.act !== 'create' || act.record.workspace !== context.workspace) return act
    return { act: 'create', record: { ...act.record, ...defined({ workspace }) } }
  })
  return { acts: moved, context: { ...context, workspace } }
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
    warnings.push(`The record is stored, but could not be read again yet (${clauseOf(error)}).`)
  }
  try {
    parts.ledger.append(files.map(({ entry }) => entry))
  } catch (error) {
    // The note of the act stays: whoever takes the lock next completes the ledger.
    return [...warnings, `The record is stored, but the ledger could not be written (${clauseOf(error)}).`]
  }
  try {
    forget()
  } catch {
    // Whoever takes the lock next finds everything done, and removes the note.
  }
  return warnings
}
