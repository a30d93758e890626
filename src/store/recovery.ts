/** Finishing what a killed process left: noted acts, and temporary files of writes that never became visible. */
import { join } from 'node:path'
import { storageError } from '../base/disk.ts'
import { clauseOf, MnemosError } from '../base/errors.ts'
import { visible } from '../base/visible.ts'
import { hashOf, type Intent } from '../files/intent.ts'
import type { Layout } from '../files/layout.ts'
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
export async function recover(parts: Pieces, layout: Layout, held: HeldLock): Promise<string[]> {
  const problems: string[] = []
  try {
    completeLedger(parts, layout)
  } catch (error) {
    problems.push(`The ledger could not be completed yet (${clauseOf(error)}).`)
  }
  for (const { name, act, forget } of unfinishedActs(parts)) {
    if (act === undefined) {
      problems.push(
        `The unfinished change pending/${visible(name)} is not understood and kept: a newer Mnemos may have begun it. Update Mnemos, or remove the file to give the change up.`,
      )
      continue
    }
    try {
      for (const write of act.writes) problems.push(...finishWrite(parts, write, held))
      if (act.deletes.length > 0) {
        const { left, alike } = await carryOut(parts, act, forget)
        for (const { what, file } of alike)
          if (what === 'made') problems.push(`${file} still holds words of a record that was deleted.`)
        for (const { place, reason } of left)
          if (reason !== undefined) problems.push(`A deletion is not finished: ${place} (${reason}).`)
      } else {
        parts.ledger.complete(act.ledger)
        forget()
      }
    } catch (error) {
      problems.push(`An interrupted change could not be finished yet (${clauseOf(error)}).`)
    }
  }
  return problems
}

/** @throws MnemosError where they cannot be looked at: then it is not known what is still to be done, and nothing is written. */
function unfinishedActs({ pending }: Pieces): ReturnType<Pieces['pending']['list']> {
  try {
    return pending.list()
  } catch (error) {
    throw storageError('What an interrupted change left cannot be looked at', error)
  }
}

/** A process may have been killed after it had written a file and before the line in the ledger. */
function completeLedger(parts: Pieces, layout: Layout): void {
  const intent = parts.intents.left()
  if (intent === undefined) return
  const { room, path, hash, entry } = intent
  const text = parts.disk.read(join(layout.root, room, path))
  const isWritten =
    text !== undefined && (hashOf(text.toString('utf8')) === hash || isEditedSince(parts, intent))
  if (isWritten) parts.ledger.complete([entry])
  parts.intents.forget()
}

/** An editor may have saved the written text since: its revision tells. */
function isEditedSince({ files }: Pieces, { room, path, entry: { id, rev } }: Intent): boolean {
  const loaded = room === 'memories' ? files.read(path) : undefined
  const after = rev[1] ?? Number.POSITIVE_INFINITY
  return loaded !== undefined && 'record' in loaded && loaded.record.id === id && loaded.record.rev >= after
}

function finishWrite(
  parts: Pieces,
  { path, before, after }: PendingAct['writes'][number],
  held: HeldLock,
): string[] {
  const problems: string[] = []
  const file = parts.files.told(path)
  const make = (now: string | undefined): string | undefined => {
    problems.length = 0
    if (now === after) return undefined
    if (now === (before ?? undefined)) return after
    if (now === undefined) problems.push(`${file} was removed after an interrupted change, and stays so.`)
    else if (before === null)
      problems.push(`${file} was made by hand after an interrupted change, and stays as it is.`)
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
      `${parts.files.told(path)} was edited since and cannot be read: ${merged.unreadable}`,
      'Repair the file; the change is finished then.',
    )
  }
  if (merged.both.length > 0) {
    problems.push(
      `${parts.files.told(path)} was edited after an interrupted change; both versions are kept in it (${merged.both.join(', ')}).`,
    )
  }
  return merged.text
}
