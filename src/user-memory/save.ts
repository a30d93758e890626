/** A save to the user memory: what the person is shown, and writing exactly that. */
import { iso } from '../base/clock.ts'
import { type Disk, storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { readOnlyError } from '../files/claim.ts'
import { EditedMeanwhile, put } from '../files/put.ts'
import type { EntryWrite } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { type Entry, plainDetails, sameEntry, textOf } from './entry.ts'
import { NoEntryFolder } from './fault.ts'
import type { StoredEntry, UserMemoryFolder } from './folder.ts'
import { assertKept, assertRoom, assertSound } from './save-checks.ts'

export const MODES = ['create', 'overwrite'] as const
export type SaveMode = (typeof MODES)[number]

/** What a save would write, and what it starts from: shown to the person, and bound to it. */
export interface SaveDraft {
  mode: SaveMode
  entry: Entry
  /** The whole new text of the file. */
  text: string
  /** Absolute. */
  file: string
  /** The entry that it replaces. */
  before: StoredEntry | undefined
  /** What the gates have to say of it. */
  warnings: string[]
}

export interface Saved {
  file: string
  warnings: string[]
}

export interface SaveParts {
  store: Store
  disk: Disk
  folder: UserMemoryFolder
  /** Looks at the folder and reports what is wrong with it. */
  look(): void
}

/**
 * What a save would write. Everything that can refuse it refuses it here, before the person is asked.
 * @throws MnemosError when nothing could be written.
 */
export async function prepareSave(
  parts: SaveParts,
  mode: SaveMode,
  wanted: Entry,
  context: TurnContext,
): Promise<SaveDraft> {
  const { store, folder, disk } = parts
  await store.open()
  if (store.readOnly !== undefined) throw readOnlyError(store.readOnly)
  const asked: Entry = { ...wanted, summary: wanted.summary.trim(), details: plainDetails(wanted.details) }
  assertSound(asked)
  assertReal(parts, asked.name)
  const before = folder.read(asked.name)
  if (mode === 'create' && before)
    throw new MnemosError(
      'INVALID_INPUT',
      `There is a user memory "${asked.name}" already.`,
      'Read it with memory_view and use mode overwrite, or take another name.',
    )
  if (mode === 'overwrite' && !before)
    throw new MnemosError(
      'NOT_FOUND',
      `There is no user memory "${asked.name}" to overwrite.`,
      'Use mode create.',
    )
  // The person is shown what the gates make of it.
  const { entry, warnings } = await admit(store, mode, asked, before, context)
  const text = textOf(entry)
  assertKept(entry, text)
  assertRoom(disk, folder, entry)
  return { mode, entry, text, file: folder.pathOf(entry.name), before, warnings }
}

/**
 * Writes what the person was shown, if the file is still as it was then.
 * @throws MnemosError when nothing was written.
 */
export function writeSave(parts: SaveParts, draft: SaveDraft, context: TurnContext): Promise<Saved> {
  const { store, folder, disk } = parts
  const { entry, text, before, file } = draft
  const path = `${entry.name}.md`
  return store.locked(async ({ held, ledger, clock }) => {
    // Asked once more: what the person was shown must still be what may be written.
    const admitted = await admit(store, draft.mode, entry, before, context)
    if (!sameEntry(admitted.entry, entry)) throw changed(entry.name)
    assertReal(parts, entry.name)
    if (folder.isOther(entry.name)) throw changed(entry.name)
    assertRoom(disk, folder, entry)
    let replaced: string | undefined
    try {
      replaced = put({ disk, files: folder.files }, path, text, before?.text, held)
    } catch (error) {
      assertReal(parts, entry.name)
      if (error instanceof EditedMeanwhile || folder.isOther(entry.name)) throw changed(entry.name)
      throw storageError(`"${entry.name}" could not be saved`, error)
    }
    if (replaced !== undefined) {
      // An editor saved into the replaced file within the last microseconds: what the person wrote goes back.
      folder.files.write(path, replaced)
      throw changed(entry.name)
    }
    const warnings: string[] = []
    try {
      ledger.append([
        {
          at: iso(clock.now()),
          act: 'user-memory',
          // Not the bare name: a record may bear the same.
          id: `user-memory/${entry.name}`,
          by: context.author,
          ...(context.session ? { session: context.session.id } : {}),
          rev: [null, null],
        },
      ])
    } catch (error) {
      warnings.push(`It is saved, but the ledger could not be written (${reasonOf(error)}).`)
    }
    parts.look()
    return { file, warnings }
  })
}

/** Whose texts these are, for the gates. */
const ROOM = 'user-memory'

const textsOf = ({ summary, details }: Entry) => ({ summary, details })

/**
 * What the gates make of an entry.
 * @throws MnemosError where one refuses it, or makes something of it that is no entry.
 */
async function admit(
  store: Store,
  mode: SaveMode,
  entry: Entry,
  before: StoredEntry | undefined,
  context: TurnContext,
): Promise<{ entry: Entry; warnings: string[] }> {
  const { name } = entry
  const write: EntryWrite = {
    what: 'entry',
    room: ROOM,
    act: mode,
    name,
    texts: textsOf(entry),
    previous: before && textsOf(before.entry),
  }
  const { change, warnings } = await store.admission.admit([write], context)
  const [admitted, ...others] = change
  if (admitted?.what !== 'entry' || admitted.name !== name || others.length > 0)
    throw new MnemosError(
      'REFUSED',
      [`A check does not let "${name}" be saved; nothing was written.`, ...warnings].join(' '),
      'Tell the person.',
    )
  const { summary = entry.summary, details = entry.details } = admitted.texts
  const next: Entry = { ...entry, summary: summary.trim(), details: plainDetails(details) }
  assertSound(next)
  return { entry: next, warnings }
}

/** @throws NoEntryFolder where something else stands in the folder's place; it is reported, too. */
function assertReal({ folder, look }: SaveParts, name: string): void {
  try {
    folder.assertReal()
  } catch (error) {
    look()
    if (!(error instanceof NoEntryFolder)) throw error
    throw new NoEntryFolder(folder.root, error.fault, name, { cause: error })
  }
}

const changed = (name: string) =>
  new MnemosError(
    'CHANGED_MEANWHILE',
    `The user memory "${name}" was changed after it was shown; nothing was written.`,
    'Read it with memory_view, and ask again only if it is still wanted.',
  )
