/** A save of an entry: what the person is shown, and writing exactly that. */

import { iso } from '../base/clock.ts'
import { type Disk, storageError } from '../base/disk.ts'
import { clauseOf, MnemosError, ReasonedError } from '../base/errors.ts'
import { readOnlyError } from '../files/claim.ts'
import { hashOf } from '../files/intent.ts'
import type { LedgerEntry } from '../files/ledger.ts'
import { interrupted } from '../files/pending.ts'
import { EditedMeanwhile, putText } from '../files/put.ts'
import type { EntryWrite } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { NoEntryFolder } from './fault.ts'
import type { EntryFolder } from './folder.ts'
import type { EntryKind, Named } from './kind.ts'
import type { StoredEntry } from './look.ts'

export const MODES = ['create', 'overwrite'] as const
export type SaveMode = (typeof MODES)[number]

/** What a save would write, and what it starts from: shown to the person, and bound to it. */
export interface SaveDraft<E> {
  mode: SaveMode
  entry: E
  /** The whole new text of the file. */
  text: string
  /** Absolute. */
  file: string
  /** The entry that it replaces. */
  before: StoredEntry<E> | undefined
  /** What the gates have to say of it. */
  warnings: string[]
}

export interface Saved {
  file: string
  warnings: string[]
}

export interface SaveParts<E extends Named> {
  store: Store
  disk: Disk
  folder: EntryFolder<E>
  /** Looks at the folder and reports what is wrong with it. */
  look(): void
}

/**
 * What a save would write. Everything that can refuse it refuses it here, before the person is asked.
 * @throws MnemosError when nothing could be written.
 */
export async function prepareSave<E extends Named>(
  parts: SaveParts<E>,
  mode: SaveMode,
  wanted: E,
  context: TurnContext,
): Promise<SaveDraft<E>> {
  const { store, folder } = parts
  const { kind } = folder
  await store.open()
  if (store.readOnly !== undefined) throw readOnlyError(store.readOnly)
  const asked = kind.plain(wanted)
  assertSound(kind, asked)
  const before = looking(asked.name, () => {
    assertReal(parts, asked.name)
    return folder.read(asked.name)
  })
  if (mode === 'create' && before)
    throw new MnemosError(
      'INVALID_INPUT',
      `There is a ${kind.noun} "${asked.name}" already.`,
      'Read it and use mode overwrite (on the command line: --overwrite), or take another name.',
    )
  if (mode === 'overwrite' && !before)
    throw new MnemosError(
      'NOT_FOUND',
      `There is no ${kind.noun} "${asked.name}" to overwrite.`,
      'Use mode create; on the command line leave out --overwrite.',
    )
  // The person is shown what the gates make of it.
  const { entry, warnings } = await admit(parts, mode, asked, before, context)
  const text = kind.print(entry)
  assertKept(kind, entry, text)
  looking(entry.name, () => assertRoom(parts, entry))
  return { mode, entry, text, file: folder.pathOf(entry.name), before, warnings }
}

/**
 * Writes what the person was shown, if the file is still as it was then.
 * @throws MnemosError when nothing was written.
 */
export function writeSave<E extends Named>(
  parts: SaveParts<E>,
  draft: SaveDraft<E>,
  context: TurnContext,
): Promise<Saved> {
  const { store, folder, disk } = parts
  const { kind } = folder
  const changed = () =>
    new MnemosError(
      'CHANGED_MEANWHILE',
      `The ${kind.noun} "${draft.entry.name}" was changed after it was shown; nothing was written.`,
      'Read it again, and ask again only if it is still wanted.',
    )
  const { entry, text, before, file } = draft
  const path = `${entry.name}.md`
  return store.locked(async ({ held, ledger, intents, clock }) => {
    // Asked once more: what the person was shown must still be what may be written.
    const admitted = await admit(parts, draft.mode, entry, before, context)
    if (!kind.same(admitted.entry, entry)) throw changed()
    looking(entry.name, () => {
      assertReal(parts, entry.name)
      if (folder.isOther(entry.name)) throw changed()
      assertRoom(parts, entry)
    })
    const line: LedgerEntry = {
      at: iso(clock.now()),
      act: kind.folder,
      // Not the bare name: a record may bear the same.
      id: `${kind.folder}/${entry.name}`,
      by: context.author,
      ...(context.session ? { session: context.session.id } : {}),
      rev: [null, null],
    }
    held.check()
    const forget = intents.note({ room: kind.folder, path, hash: hashOf(text), entry: line })
    let replaced: string | undefined
    try {
      replaced = putText({ disk, files: folder.files }, path, text, before?.text, held)
    } catch (error) {
      looking(entry.name, () => assertReal(parts, entry.name))
      if (error instanceof EditedMeanwhile || looking(entry.name, () => folder.isOther(entry.name)))
        throw changed()
      throw storageError(`"${entry.name}" could not be saved`, error)
    }
    const warnings: string[] = []
    if (replaced !== undefined) {
      // An editor saved into the replaced file within the last microseconds: what the person wrote goes back.
      try {
        folder.files.write(path, replaced)
      } catch (error) {
        throw interrupted(clauseOf(error), error)
      }
      throw changed()
    }
    try {
      ledger.append([line])
      forget()
    } catch (error) {
      warnings.push(`It is saved, but the ledger could not be written (${clauseOf(error)}).`)
    }
    parts.look()
    return { file, warnings }
  })
}

/** Looks at the folder before anything is written. @throws MnemosError also where the disk refuses. */
function looking<T>(name: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    throw storageError(`"${name}" could not be saved`, error)
  }
}

/**
 * What the gates make of an entry.
 * @throws MnemosError where one refuses it, or makes something of it that is no entry.
 */
async function admit<E extends Named>(
  { store, folder: { kind } }: SaveParts<E>,
  mode: SaveMode,
  entry: E,
  before: StoredEntry<E> | undefined,
  context: TurnContext,
): Promise<{ entry: E; warnings: string[] }> {
  const { name } = entry
  const texts = kind.texts(entry)
  const write: EntryWrite = {
    what: 'entry',
    room: kind.folder,
    act: mode,
    name,
    texts,
    previous: before && kind.texts(before.entry),
  }
  const { change, warnings } = await store.admission.admit([write], context)
  const [admitted, ...others] = change
  if (admitted?.what !== 'entry' || admitted.name !== name || others.length > 0)
    throw new MnemosError(
      'REFUSED',
      [`A check does not let "${name}" be saved; nothing was written.`, ...warnings].join(' '),
      'Tell the person.',
    )
  const next = kind.plain(kind.withTexts(entry, { ...texts, ...admitted.texts }))
  assertSound(kind, next)
  return { entry: next, warnings }
}

/** @throws ReasonedError ENTRY_INVALID where it is no entry. */
function assertSound<E extends Named>(kind: EntryKind<E>, entry: E): void {
  const fault = kind.wrongIn(entry)
  if (fault !== undefined)
    throw new ReasonedError('INVALID_INPUT', { code: 'ENTRY_INVALID', name: entry.name, fault })
}

/** @throws MnemosError where the file would not give back what was to be saved, or would be too large. */
function assertKept<E extends Named>(kind: EntryKind<E>, entry: E, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > kind.fileBytes)
    throw new MnemosError(
      'INVALID_INPUT',
      `The file of "${entry.name}" would have ${bytes.length} bytes and may have ${kind.fileBytes}.`,
      'Merge or shorten what is there, and say so to the person.',
    )
  let kept = false
  try {
    kept = kind.same(kind.parse(bytes, entry.name), entry)
  } catch {
    // Then it is not kept.
  }
  if (!kept)
    throw new MnemosError(
      'INVALID_INPUT',
      `"${entry.name}" holds characters that a file cannot keep.`,
      'Leave out NUL and broken characters.',
    )
}

/** @throws MnemosError where it has no room beside the others. */
function assertRoom<E extends Named>({ disk, folder }: SaveParts<E>, entry: E): void {
  folder.kind.assertRoom(folder.look(), entry, disk.stamp(folder.pathOf(entry.name)) !== undefined)
}

/** @throws NoEntryFolder where something else stands in the folder's place; it is reported, too. */
function assertReal<E extends Named>({ folder, look }: SaveParts<E>, name: string): void {
  try {
    folder.assertReal()
  } catch (error) {
    look()
    if (!(error instanceof NoEntryFolder)) throw error
    throw new NoEntryFolder({ noun: folder.kind.noun, root: folder.root }, error.fault, name, {
      cause: error,
    })
  }
}
