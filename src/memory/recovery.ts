/** Finishing what a killed process left: noted acts, and temporary files of writes that never became visible. */
import { reasonOf } from '../base/errors.ts'
import type { CommitParts } from './commit.ts'
import { carryOut } from './deletion.ts'
import { mergeTexts } from './merge-texts.ts'
import type { PendingAct } from './pending.ts'
import type { Places } from './places.ts'
import { stemOf } from './record-files.ts'

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
  const mtimeMs = parts.disk.stamp(parts.files.absolute(write.path))?.mtimeMs ?? parts.clock.now()
  const { text, problem } = now === write.before ? { text: write.after } : mergedText(write, now, mtimeMs)
  if (text !== undefined) {
    parts.files.write(write.path, text)
    parts.catalog.reread(write.path)
  }
  return problem === undefined ? [] : [problem]
}

/** The file was edited after the change was interrupted: what was begun is carried into what stands there now. */
function mergedText(
  { path, before, after }: PendingAct['writes'][number],
  now: string | null,
  mtimeMs: number,
): { text?: string; problem?: string } {
  if (now === null) return { problem: `${path} was removed after an interrupted change, and stays so.` }
  if (before === null)
    return { problem: `${path} was made by hand after an interrupted change, and stays as it is.` }
  const merged = mergeTexts({ base: before, mine: after, theirs: now }, { stem: stemOf(path), mtimeMs })
  if ('unreadable' in merged) {
    return {
      problem: `${path} was edited after an interrupted change and cannot be merged (${merged.unreadable}); it stays as it is.`,
    }
  }
  if (merged.both.length === 0) return { text: merged.text }
  return {
    text: merged.text,
    problem: `${path} was edited after an interrupted change; both versions are kept in it (${merged.both.join(', ')}).`,
  }
}
