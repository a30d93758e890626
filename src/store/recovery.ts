/** Finishing what a killed process left: noted acts, and temporary files of writes that never became visible. */
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import type { PendingAct } from '../files/pending.ts'
import { factsAt, rewriteFile } from '../files/put.ts'
import { mergeTexts } from '../record/merge-texts.ts'
import { carryOut } from './deletion.ts'
import type { Pieces } from './pieces.ts'

/**
 * Finishes every noted act. Call it under the lock.
 * @returns one sentence for each thing that could not be finished.
 */
export async function recover(parts: Pieces, held: HeldLock): Promise<string[]> {
  const problems: string[] = []
  for (const { act, forget } of parts.pending.list()) {
    try {
      for (const write of act.writes) problems.push(...finishWrite(parts, write, held))
      if (act.deletes.length > 0) {
        const { left } = await carryOut(parts, act, forget)
        for (const { place, reason } of left)
          problems.push(`A deletion is not finished: ${place} (${reason}).`)
      } else {
        parts.ledger.complete(act.ledger)
        forget()
      }
    } catch (error) {
      problems.push(`An interrupted change could not be finished yet (${reasonOf(error)}).`)
    }
  }
  return problems
}

function finishWrite(
  parts: Pieces,
  { path, before, after }: PendingAct['writes'][number],
  held: HeldLock,
): string[] {
  const problems: string[] = []
  const make = (now: string | undefined): string | undefined => {
    problems.length = 0
    if (now === after) return undefined
    if (now === (before ?? undefined)) return after
    if (now === undefined) problems.push(`${path} was removed after an interrupted change, and stays so.`)
    else if (before === null)
      problems.push(`${path} was made by hand after an interrupted change, and stays as it is.`)
    else return mergedText(parts, { path, before, after }, now, problems)
    return undefined
  }
  const warnings = rewriteFile(parts, path, make, held)
  parts.catalog.reread(path)
  return [...problems, ...warnings]
}

/** The file was edited after the change was interrupted: what was begun is carried into what stands there now. */
function mergedText(
  parts: Pieces,
  { path, before, after }: { path: string; before: string; after: string },
  now: string,
  problems: string[],
): string | undefined {
  const merged = mergeTexts({ base: before, mine: after, theirs: now }, factsAt(parts, path))
  // Perhaps it is just being saved: the act stays noted, so that it does not stand half done once the file can be read.
  if ('unreadable' in merged) {
    throw new MnemosError(
      'STORAGE',
      `${path} was edited since and cannot be read: ${merged.unreadable}`,
      'Mend the file; the change is finished then.',
    )
  }
  if (merged.both.length > 0) {
    problems.push(
      `${path} was edited after an interrupted change; both versions are kept in it (${merged.both.join(', ')}).`,
    )
  }
  return merged.text
}
