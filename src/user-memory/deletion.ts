/**
 * The user memory among the places that hold record text. Its files were approved by the person one by one and are
 * made from no record, so a deletion changes none of them; those that hold the same words are named. What a killed
 * write left is removed.
 */
import { reasonOf } from '../base/errors.ts'
import { holdsVerbatim, verbatimOf } from '../record/verbatim.ts'
import type { Alike, Place } from '../store/places.ts'
import { NoEntryFolder } from './fault.ts'
import type { UserMemoryFolder } from './folder.ts'

export const userMemoryPlace = (folder: UserMemoryFolder): Place => ({
  name: 'user memory',
  erase: () => {
    if (!folder.isReal()) return
    const { files } = folder
    files.sweep(files.scan().temporary.filter((path) => !path.includes('/')))
  },
  alike: (deleted) => {
    const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
    return verbatim.size === 0 ? [] : entriesHolding(folder, verbatim)
  },
})

function entriesHolding(folder: UserMemoryFolder, verbatim: ReadonlySet<string>): Alike[] {
  try {
    return folder
      .look()
      .entries.filter(({ summary, details }) => holdsVerbatim([summary, details], verbatim))
      .map(({ name }) => ({ file: `user-memory/${name}.md` }))
  } catch (error) {
    // What lies there is not of the record, so it does not hold up the deletion.
    const unknown = error instanceof NoEntryFolder ? 'it is no folder' : reasonOf(error)
    return [{ file: 'user-memory/', unknown }]
  }
}
