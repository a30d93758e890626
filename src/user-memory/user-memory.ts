/**
 * The user memory: facts that the person approved, in every session's view. What stands in it is decided by its files
 * alone; a save is written only as it was shown to the person.
 */

import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import { EntryRoom } from '../entries/entry-room.ts'
import type { EntryKind } from '../entries/kind.ts'
import type { Look } from '../entries/look.ts'
import type { Store } from '../store/store.ts'
import { drawIndex } from './drawing.ts'
import {
  type Entry,
  FILE_BYTES,
  isName,
  parseEntry,
  plainDetails,
  sameEntry,
  textOf,
  wrongIn,
} from './entry.ts'

declare module '../store/problems.ts' {
  interface ProblemDetails {
    /** Names of entries that are over the limits and not in view. */
    ENTRIES_LEFT_OUT: { names: readonly string[] }
  }
}

export const USER_MEMORY: EntryKind<Entry> = {
  folder: 'user-memory',
  noun: 'user memory',
  fileBytes: FILE_BYTES,
  isName,
  parse: parseEntry,
  print: textOf,
  same: sameEntry,
  plain: (entry) => ({ ...entry, summary: entry.summary.trim(), details: plainDetails(entry.details) }),
  wrongIn,
  texts: ({ summary, details }) => ({ summary, details }),
  withTexts: (entry, { summary = entry.summary, details = entry.details }) => ({
    ...entry,
    summary,
    details,
  }),
  assertRoom: assertRoomInIndex,
}

/** The user memory of a data folder. */
export class UserMemory extends EntryRoom<Entry> {
  constructor(store: Store, disk: Disk) {
    super(store, disk, USER_MEMORY, ({ entries, beyond }) => {
      const names = [...drawIndex(entries).left, ...beyond]
      store.report('user memory index', names.length === 0 ? undefined : { code: 'ENTRIES_LEFT_OUT', names })
    })
  }

  /** The index as the last look found it; empty where there is nothing to show. */
  index(language: Language): string {
    return drawIndex(this.entries, language).text
  }
}

const MERGE = 'Merge or shorten what is there, and say so to the person.'

/** @throws MnemosError where its line would not be in the index, or would put another out of it. */
function assertRoomInIndex({ entries, beyond, full }: Look<Entry>, entry: Entry, isThere: boolean): void {
  if (isThere ? beyond.includes(entry.name) : full)
    throw new MnemosError(
      'INVALID_INPUT',
      `The user memory has too many files: "${entry.name}" would not be in the index.`,
      MERGE,
    )
  const now = drawIndex(entries).left
  const others = entries.filter(({ name }) => name !== entry.name)
  const then = drawIndex([...others, entry].sort((a, b) => (a.name < b.name ? -1 : 1))).left
  if (then.length <= now.length && !then.includes(entry.name)) return
  throw new MnemosError('INVALID_INPUT', `The user memory is full: "${entry.name}" does not fit.`, MERGE)
}
