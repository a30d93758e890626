/** Writing the files of one act, all or none. */
import { storageError } from '../base/disk.ts'
import { clauseOf } from '../base/errors.ts'
import { hasFront } from '../record/format.ts'
import { newId } from '../record/ids.ts'
import { mergeTexts } from '../record/merge-texts.ts'
import type { MemoryRecord } from '../record/record.ts'
import { hashOf, type Intents } from './intent.ts'
import type { LedgerEntry } from './ledger.ts'
import type { HeldLock } from './lock.ts'
import { interrupted, type Pending } from './pending.ts'
import {
  bothKept,
  EditedMeanwhile,
  type FileParts,
  factsAt,
  put,
  SAVE_ATTEMPTS,
  takeIn,
  textAt,
} from './put.ts'
import type { GoodFile } from './record-files.ts'

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

interface ActParts extends FileParts {
  pending: Pending
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
  parts: FileParts,
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
function carryOver(parts: FileParts, one: Planned, warnings: string[]): boolean {
  const theirs = textAt(parts, one.path)
  if (!one.before || theirs === undefined) return false
  const merged = mergeTexts({ base: one.before.text, mine: one.text, theirs }, factsAt(parts, one.path))
  if ('unreadable' in merged) return false
  if (merged.both.length > 0) warnings.push(bothKept(parts.files.told(one.path), merged.both))
  one.before = { ...one.before, text: theirs }
  one.text = merged.text
  one.record = merged.record
  return true
}

const noteDown = (parts: ActParts, plan: Planned[]) =>
  parts.pending.note(
    newId(() => false),
    {
      writes: plan.map(({ path, before, text }) => ({ path, before: before?.text ?? null, after: text })),
      deletes: [],
      ledger: plan.map(({ entry }) => entry),
    },
  )

/**
 * Undoes what was written, so that a failed act leaves nothing. What cannot be undone, because the disk refuses or an
 * editor has saved it since, is finished later from the note.
 */
function undo(parts: FileParts, done: Planned[], forget: () => void): void {
  try {
    const written = done.filter(({ path, text }, at) => at < done.length - 1 || textAt(parts, path) === text)
    const edited = written.find(({ path, text }) => textAt(parts, path) !== text)
    if (edited) throw new Error(`${parts.files.told(edited.path)} was edited in the meantime`)
    for (const { path, before } of written.reverse()) {
      if (before) parts.files.write(path, before.text, { mtimeMs: before.file.mtimeMs })
      else parts.files.remove(path)
    }
    forget()
  } catch (error) {
    throw interrupted(clauseOf(error), error)
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
