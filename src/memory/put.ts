/** Putting the files of one act on disk, all or none, in the presence of editors that know nothing of our lock. */
import { storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { CommitParts } from './commit.ts'
import { newId } from './ids.ts'
import type { LedgerEntry } from './ledger.ts'
import type { Held } from './lock.ts'
import { mergeTexts } from './merge-texts.ts'
import type { MemoryRecord } from './record.ts'
import { type GoodFile, stemOf } from './record-files.ts'

export interface Planned {
  path: string
  before: GoodFile | undefined
  record: MemoryRecord
  text: string
  entry: LedgerEntry
}

export interface Put {
  /** Forgets the note of the act. */
  forget: () => void
  warnings: string[]
}

/** The file is another one than the act was planned for: plan it again. */
export class EditedMeanwhile extends Error {}

/** How often a file is merged again because an editor goes on saving it under our hands. */
const MERGES = 5

type PutParts = Pick<CommitParts, 'disk' | 'files' | 'pending'>

/**
 * Puts every file of a plan on disk, or none. Where an editor saved into a file at the last moment, the plan's record
 * becomes what was merged.
 * @throws EditedMeanwhile or MnemosError when nothing was changed.
 */
export function putAll(parts: PutParts, plan: Planned[], held: Held): Put {
  const done: Planned[] = []
  const warnings: string[] = []
  let forget = () => {}
  let noted = false
  try {
    if (plan.length > 1) {
      held.check()
      forget = noteDown(parts, plan)
      noted = true
    }
    for (const one of plan) {
      const replaced = put(parts, one.path, one.text, one.before?.text, held)
      done.push(one)
      if (replaced !== undefined) warnings.push(...takeIn(parts, one, replaced, held))
    }
    return { forget, warnings }
  } catch (error) {
    // Whoever took the lock over has read the note and finished the act: taking back ours would halve it.
    if (noted && isLost(held)) throw interrupted('another process took over the lock', error)
    undo(parts, done, forget)
    if (error instanceof EditedMeanwhile) throw error
    throw storageError('The record could not be written', error)
  }
}

/**
 * Replaces the text `before` by `text`.
 * @returns what the replaced file held in the end, where that is not `before`.
 */
function put(
  parts: PutParts,
  path: string,
  text: string,
  before: string | undefined,
  held: Held,
): string | undefined {
  let replaced: string | undefined
  parts.files.write(path, text, {
    beforeRename: () => {
      held.check()
      if (textAt(parts, path) !== before) throw new EditedMeanwhile()
    },
    afterRename: (bytes) => {
      replaced = bytes.toString('utf8')
    },
  })
  return replaced === before ? undefined : replaced
}

/** What an editor saved into the file that was replaced is merged into the one that stands there now. */
function takeIn(parts: PutParts, one: Planned, replaced: string, held: Held): string[] {
  const warnings: string[] = []
  let base = one.before?.text ?? ''
  let theirs: string | undefined = replaced
  for (let left = MERGES; theirs !== undefined && left > 0; left--) {
    const merged = mergeTexts(
      { base, mine: one.text, theirs },
      { stem: stemOf(one.path), mtimeMs: one.before?.file.mtimeMs ?? Date.parse(one.record.created) },
    )
    if ('unreadable' in merged) return [...warnings, unmerged(one.path, merged.unreadable)]
    if (merged.both.length > 0) {
      warnings.push(
        `${one.path} was edited at the same moment; both versions are kept in it (${merged.both.join(', ')}).`,
      )
    }
    base = one.text
    const taken: string = theirs
    try {
      theirs = put(parts, one.path, merged.text, one.text, held)
    } catch (error) {
      return [...warnings, unmerged(one.path, reasonOf(error))]
    }
    one.text = merged.text
    one.record = merged.record
    // What a failing act goes back to: the editor's version, not the one before it.
    if (one.before) one.before = { ...one.before, text: taken }
  }
  return warnings
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

function textAt(parts: PutParts, path: string): string | undefined {
  return parts.disk.read(parts.files.absolute(path))?.toString('utf8')
}

/** Takes back what was written, so that a failed act leaves nothing; what cannot be taken back is finished later. */
function undo(parts: PutParts, done: Planned[], forget: () => void): void {
  try {
    for (const { path, before, text } of done.reverse()) {
      if (textAt(parts, path) !== text) continue // a person has edited it since: theirs stays
      if (before) parts.files.write(path, before.text)
      else parts.files.remove(path)
    }
    forget()
  } catch (error) {
    throw interrupted(reasonOf(error), error)
  }
}

function isLost(held: Held): boolean {
  try {
    held.check()
    return false
  } catch {
    // That is the answer.
    return true
  }
}

const interrupted = (reason: string, cause: unknown) =>
  new MnemosError(
    'STORAGE',
    `A change was interrupted in the middle (${reason}); it will be finished as soon as the disk allows.`,
    'Do not repeat it: look with mnemos show first.',
    { cause },
  )
