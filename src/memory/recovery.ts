/** Finishing what a killed process left: noted acts, and temporary files of writes that never became visible. */
import { reasonOf } from '../base/errors.ts'
import type { CommitParts } from './commit.ts'
import { carryOut } from './deletion.ts'
import type { PendingAct } from './pending.ts'
import type { Places } from './places.ts'

/**
 * Finishes every noted act. Call it under the lock.
 * @returns one sentence for each thing that could not be finished.
 */
export async function recover(parts: CommitParts & { places: Places }): Promise<string[]> {
  const problems: string[] = []
  for (const { act, forget } of parts.pending.list()) {
    try {
      for (const write of act.writes) problems.push(...finishWrite(parts, write))
      if (act.deletes.length > 0) {
        const { left } = await carryOut(parts, act, forget)
        for (const { place, reason } of left)
          problems.push(`A deletion is not finished: ${place} (${reason}).`)
      } else {
        parts.ledger.append(act.ledger)
        forget()
      }
    } catch (error) {
      problems.push(`An interrupted change could not be finished yet (${reasonOf(error)}).`)
    }
  }
  return problems
}

function finishWrite(parts: CommitParts, write: PendingAct['writes'][number]): string[] {
  const now = parts.disk.read(parts.files.absolute(write.path))?.toString('utf8') ?? null
  if (now === write.after) return []
  if (now !== write.before) {
    return [`${write.path} was edited after an interrupted change; it stays as the person left it.`]
  }
  parts.files.write(write.path, write.after, () => {})
  parts.catalog.reread(write.path)
  return []
}
