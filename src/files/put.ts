/** Writing one file while editors that do not know our lock may save the same file. */
import type { Disk } from '../base/disk.ts'
import { clauseOf, MnemosError } from '../base/errors.ts'
import { mergeTexts } from '../record/merge-texts.ts'
import type { FileFacts } from '../record/parse.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { HeldLock } from './lock.ts'
import { interrupted } from './pending.ts'
import { type RecordFiles, stemOf } from './record-files.ts'

/** How often a rewrite starts again because an editor saved the file in between. */
export const SAVE_ATTEMPTS = 5

/** The file does not hold any more what the act was planned for: plan it again. */
export class EditedMeanwhile extends Error {}

/** How often a file is merged again because an editor goes on saving it at the same time. */
const MERGES = 5

/** Where a file is written: the record files, or another folder of the same kind. */
export interface FileParts {
  disk: Disk
  files: RecordFiles
}

/** The warning that both versions of some fields are in a file. */
export const bothKept = (path: string, fields: string[]) =>
  `${path} was edited at the same moment; both versions are kept in it (${fields.join(', ')}).`

/**
 * Replaces the text `before` by `text`.
 * @returns what the replaced file held at the end, where that is not `before`.
 * @throws EditedMeanwhile where the file does not hold `before` any more; nothing was changed then.
 */
export function put(
  parts: FileParts,
  path: string,
  text: string,
  before: string | undefined,
  held: HeldLock | undefined,
  mtimeMs?: number,
): string | undefined {
  let replaced: string | undefined
  parts.files.write(path, text, {
    ...(mtimeMs === undefined ? {} : { mtimeMs }),
    beforeRename: () => {
      held?.check()
      if (textAt(parts, path) !== before) throw new EditedMeanwhile()
    },
    afterRename: (bytes) => {
      replaced = bytes.toString('utf8')
    },
  })
  return replaced === before ? undefined : replaced
}

/**
 * As {@link put}, for a text that stands alone; where the disk refuses, the file is as it was.
 * @throws EditedMeanwhile or MnemosError when nothing was changed, or {@link interrupted} where that cannot be told.
 */
export function putText(
  parts: FileParts,
  path: string,
  text: string,
  before: string | undefined,
  held: HeldLock,
): string | undefined {
  try {
    return put(parts, path, text, before, held)
  } catch (error) {
    if (!(error instanceof EditedMeanwhile)) restore(parts, path, text, before, error)
    throw error
  }
}

/** A rename that reports a failure may have happened all the same. */
function restore(
  parts: FileParts,
  path: string,
  text: string,
  before: string | undefined,
  cause: unknown,
): void {
  try {
    if (textAt(parts, path) !== text || text === before) return
    if (before === undefined) parts.files.remove(path)
    else parts.files.write(path, before)
  } catch {
    throw interrupted(clauseOf(cause), cause)
  }
}

/** What became of a file that an editor saved at the same moment. */
export interface Taken {
  /** What is in the file now. */
  text: string
  /** The last text of the editor that was merged into it, and the merged record. */
  theirs?: string
  record?: MemoryRecord
  warnings: string[]
}

/** Merges what an editor saved into the file that was replaced into the one that is there now. */
export function takeIn(
  parts: FileParts,
  path: string,
  { base, mine }: { base: string; mine: string },
  replaced: string,
  held: HeldLock | undefined,
): Taken {
  const taken: Taken = { text: mine, warnings: [] }
  let from = base
  let theirs: string | undefined = replaced
  for (let left = MERGES; theirs !== undefined && left > 0; left--) {
    const merged = mergeTexts({ base: from, mine: taken.text, theirs }, factsAt(parts, path))
    if ('unreadable' in merged) {
      taken.warnings.push(unmerged(parts.files.told(path), merged.unreadable))
      break
    }
    if (merged.both.length > 0) taken.warnings.push(bothKept(parts.files.told(path), merged.both))
    let next: string | undefined
    try {
      next = put(parts, path, merged.text, taken.text, held)
    } catch (error) {
      taken.warnings.push(unmerged(parts.files.told(path), clauseOf(error)))
      break
    }
    from = taken.text
    Object.assign(taken, { text: merged.text, theirs, record: merged.record })
    theirs = next
  }
  return taken
}

/**
 * Rewrites one file from what is in it; it starts again where an editor saves the file in between.
 * @param make the new text from the present one; undefined leaves the file as it is.
 * @returns warnings.
 * @throws MnemosError CHANGED_MEANWHILE where an editor saves it again and again, and what the disk throws.
 */
export function rewriteFile(
  parts: FileParts,
  path: string,
  make: (now: string | undefined) => string | undefined,
  held?: HeldLock,
): string[] {
  for (let attempt = 1; ; attempt++) {
    const now = textAt(parts, path)
    const text = make(now)
    if (text === undefined || text === now) return []
    try {
      const replaced = put(parts, path, text, now, held)
      if (replaced === undefined) return []
      return takeIn(parts, path, { base: now ?? '', mine: text }, replaced, held).warnings
    } catch (error) {
      if (!(error instanceof EditedMeanwhile)) throw error
      if (attempt === SAVE_ATTEMPTS)
        throw new MnemosError(
          'CHANGED_MEANWHILE',
          `${parts.files.told(path)} is being edited just now.`,
          'Try again.',
          {
            cause: error,
          },
        )
    }
  }
}

/** What a path and its file give a hand-written text for the fields that it does not have. */
export function factsAt(parts: FileParts, path: string): FileFacts {
  return { stem: stemOf(path), mtimeMs: parts.disk.stamp(parts.files.absolute(path))?.mtimeMs ?? Date.now() }
}

const unmerged = (path: string, reason: string) =>
  `${path} was edited at the same moment, and that edit could not be taken in (${reason}): look at the file.`

/** What a file holds now; undefined where there is none. Throws what the disk throws. */
export function textAt(parts: FileParts, path: string): string | undefined {
  return parts.disk.read(parts.files.absolute(path))?.toString('utf8')
}
