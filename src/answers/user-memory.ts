/** The user memory, as a person lists, reads and adds to it. */

import type { SaveMode } from '../entries/save.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { type Entry, sameEntry } from '../user-memory/entry.ts'
import type { UserMemory } from '../user-memory/user-memory.ts'

export interface EntryAnswer extends Entry {
  /** Absolute. */
  file: string
}

export interface EntriesAnswer {
  /** In the order of their names, with those that the limits keep out of the view. */
  entries: EntryAnswer[]
  /** Files that are no entries, from the data folder on. */
  skipped: string[]
}

/** @throws MnemosError where the folder cannot be looked at. */
export function answerEntries({ folder }: UserMemory): EntriesAnswer {
  const { entries, bad } = folder.look()
  return {
    entries: entries.map((entry) => ({ ...entry, file: folder.pathOf(entry.name) })),
    skipped: bad.map(({ file }) => `user-memory/${file}`),
  }
}

/** @throws MnemosError NOT_FOUND, or what is wrong with its file. */
export function answerEntry(userMemory: UserMemory, name: string): EntryAnswer {
  const { entry, file } = userMemory.view(name)
  return { ...entry, file }
}

export interface AddAnswer {
  name: string
  /** Absolute. */
  file: string
  /** False where the file says exactly this already. */
  saved: boolean
  warnings: string[]
}

/**
 * What the person writes themselves: nobody is asked.
 * @throws MnemosError when nothing was written.
 */
export async function answerAddEntry(
  userMemory: UserMemory,
  entry: Entry,
  mode: SaveMode,
  context: TurnContext,
): Promise<AddAnswer> {
  const draft = await userMemory.prepare(mode, entry, context)
  const { name } = draft.entry
  if (draft.before && sameEntry(draft.before.entry, draft.entry))
    return { name, file: draft.file, saved: false, warnings: draft.warnings }
  const { file, warnings } = await userMemory.save(draft, context)
  return { name, file, saved: true, warnings: [...draft.warnings, ...warnings] }
}
