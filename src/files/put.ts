/** Writing the files of one act, all or none, while editors that do not know our lock may save the same files. */
import { type Disk, storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { hasFront } from '../record/format.ts'
import { newId } from '../record/ids.ts'
import { mergeTexts } from '../record/merge-texts.ts'
import type { FileFacts } from '../record/parse.ts'
import type { MemoryRecord } from '../record/record.ts'
import { hashOf, type Intents } from './intent.ts'
import type { LedgerEntry } from './ledger.ts'
import type { HeldLock } from './lock.ts'
import { interrupted, type Pending } from './pending.ts'
import { type GoodFile, type RecordFiles, stemOf } from './record-files.ts'

/** A file of an act: what is in it, and what is to be in it. */
export interface Planned {
  path: string
  before: GoodFile | undefined
  record: MemoryRecord
  text: string
  entry: LedgerEntry
}

/** An act whose files are all on disk. */
export interface Put {
  /** Removes the note of the act. */
  forget: () => void
  warnings: string[]
}

/** How often a rewrite starts again because an editor saved the file in between. */
const SAVE_ATTEMPTS = 5

/** The file does not hold any more what the act was planned for: plan it again. */
export class EditedMeanwhile extends Error {}

/** How often a file is merged again because an editor goes on saving it at the same time. */
const MERGES = 5

/** Where a file is written: the record files, or another folder of the same kind. */
export interface FileParts {
  disk: Disk
  files: RecordFiles
}
interface PutParts extends FileParts {
  pending: Pending
}
interface ActParts extends PutParts {
  intents: Intents
}

/**
 * Writes every file of a plan, or none. Where an editor saved a file at the last moment, the text and record of the plan
 * become the merged ones.
 * @throws EditedMeanwhile or MnemosError when nothing was changed.
 */
export function putAll(parts: ActParts, plan: Planned[], held: HeldLock): Put {
  const done: Planned[] = []
  const warnings: string[] = []
  let forget = () => {}
  let noted = false
  try {
    held.check()
    const [only] = plan
    if (plan.length > 1) {
      forget = noteDown(parts, plan)
      noted = true
    } else if (only) {
      const { path, text, entry } = only
      forget = parts.intents.note({ room: 'memories', path, hash: hashOf(text), entry })
    }
    for (const one of plan) {
      // Before it is done: a rename that reports a failure may have happened all the same.
      done.push(one)
      const replaced = putOne(parts, one, held, done.length > 1, warnings)
      if (replaced === undefined) continue
      const taken = takeIn(parts, one.path, { base: one.before?.text ?? '', mine: one.text }, replaced, held)
      warnings.push(...taken.warnings)
      one.text = taken.text
      if (taken.record) one.record = taken.record
      // What a failing act goes back to: the editor's version, not the one before it.
      if (one.before && taken.theirs !== undefined) one.before = { ...one.before, text: taken.theirs }
    }
    return { forget, warnings }
  } catch (error) {
    // Whoever took the lock over has read the note and finished the act: undoing our part would leave half of it.
    if (noted && isLost(held)) throw interrupted('another process took over the lock', error)
    // The note of a single write stays: whoever takes the lock next sees that the write was not done.
    undo(parts, done, noted ? forget : () => {})
    if (error instanceof EditedMeanwhile) throw error
    throw storageError('The record could not be written', error)
  }
}

/**
 * Writes one file of a plan. Once another one is on disk (`begun`) the act goes on with what an editor made of this one
 * meanwhile: to plan it again, the other would have to be undone, and that may have been edited too.
 */
function putOne(
  parts: PutParts,
  one: Planned,
  held: HeldLock,
  begun: boolean,
  warnings: string[],
): string | undefined {
  for (let attempt = 1; ; attempt++) {
    try {
      return put(parts, one.path, one.text, one.before?.text, held, timeToKeep(one))
    } catch (error) {
      if (!begun || !(error instanceof EditedMeanwhile) || attempt === SAVE_ATTEMPTS) throw error
      if (!carryOver(parts, one, warnings)) Atomics.wait(STILL, 0, 0, MID_SAVE_MS)
    }
  }
}

/** A plain note has its file's time as its date, and an edit does not move it. */
const timeToKeep = ({ before, text }: Planned): number | undefined =>
  before && !hasFront(text) ? before.file.mtimeMs : undefined

/** An editor that empties a file before it writes needs a moment. */
const MID_SAVE_MS = 5
const STILL = new Int32Array(new SharedArrayBuffer(4))

/** Merges the plan with what is in the file now; false where that cannot be read. */
function carryOver(parts: PutParts, one: Planned, warnings: string[]): boolean {
  const theirs = textAt(parts, one.path)
  if (!one.before || theirs === undefined) return false
  const merged = mergeTexts({ base: one.before.text, mine: one.text, theirs }, factsAt(parts, one.path))
  if ('unreadable' in merged) return false
  if (merged.both.length > 0) warnings.push(bothKept(one.path, merged.both))
  one.before = { ...one.before, text: theirs }
  one.text = merged.text
  one.record = merged.record
  return true
}

const bothKept = (path: string, fields: string[]) =>
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
    throw interrupted(reasonOf(cause), cause)
  }
}

interface Taken {
  /** What is in the file now. */
  text: string
  /** The last text of the editor that was merged into it, and the merged record. */
  theirs?: string
  record?: MemoryRecord
  warnings: string[]
}

/** Merges what an editor saved into the file that was replaced into the one that is there now. */
function takeIn(
  parts: PutParts,
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
      taken.warnings.push(unmerged(path, merged.unreadable))
      break
    }
    if (merged.both.length > 0) taken.warnings.push(bothKept(path, merged.both))
    let next: string | undefined
    try {
      next = put(parts, path, merged.text, taken.text, held)
    } catch (error) {
      taken.warnings.push(unmerged(path, reasonOf(error)))
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
  parts: PutParts,
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
        throw new MnemosError('CHANGED_MEANWHILE', `${path} is being edited just now.`, 'Try again.', {
          cause: error,
        })
    }
  }
}

/** What a path and its file give a hand-written text for the fields that it does not have. */
export function factsAt(parts: PutParts, path: string): FileFacts {
  return { stem: stemOf(path), mtimeMs: parts.disk.stamp(parts.files.absolute(path))?.mtimeMs ?? Date.now() }
}

const unmerged = (path: string, reason: string) =>
  `${path} was edited at the same moment, and that edit could not be taken in (${reason}): look at the file.`

const noteDown = (parts: PutParts, plan: Planned[]) =>
  parts.pending.note(
    newId(() => false),
    {
      writes: plan.map(({ path, before, text }) => ({ path, before: before?.text ?? null, after: text })),
      deletes: [],
      ledger: plan.map(({ entry }) => entry),
    },
  )

function textAt(parts: FileParts, path: string): string | undefined {
  return parts.disk.read(parts.files.absolute(path))?.toString('utf8')
}

/**
 * Undoes what was written, so that a failed act leaves nothing. What cannot be undone, because the disk refuses or an
 * editor has saved it since, is finished later from the note.
 */
function undo(parts: PutParts, done: Planned[], forget: () => void): void {
  try {
    const written = done.filter(({ path, text }, at) => at < done.length - 1 || textAt(parts, path) === text)
    const edited = written.find(({ path, text }) => textAt(parts, path) !== text)
    if (edited) throw new Error(`${edited.path} was edited in the meantime`)
    for (const { path, before } of written.reverse()) {
      if (before) parts.files.write(path, before.text, { mtimeMs: before.file.mtimeMs })
      else parts.files.remove(path)
    }
    forget()
  } catch (error) {
    throw interrupted(reasonOf(error), error)
  }
}

function isLost(held: HeldLock): boolean {
  try {
    held.check()
    return false
  } catch {
    // A lock that cannot be looked at counts as lost.
    return true
  }
}
