/**
 * A folder of entries among the places that hold record text. Its files were approved one by one and are made from no
 * record, so a deletion changes none of them; those that hold the same words are named. What a killed
 * write left is removed.
 */
import { reasonOf } from '../base/errors.ts'
import { holdsVerbatim, verbatimOf } from '../record/verbatim.ts'
import type { Alike, Place } from '../store/places.ts'
import { rawText } from '../store/raw-text.ts'
import { NoEntryFolder } from './fault.ts'
import type { EntryFolder } from './folder.ts'
import type { Named } from './kind.ts'

export const entryPlace = <E extends Named>(folder: EntryFolder<E>): Place => ({
  name: folder.kind.noun,
  folder: folder.kind.folder,
  stays: true,
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

function entriesHolding<E extends Named>(folder: EntryFolder<E>, verbatim: ReadonlySet<string>): Alike[] {
  const { kind, root } = folder
  try {
    const { entries, bad, beyond } = folder.look()
    const known = new Set(
      entries
        .filter((entry) => holdsVerbatim(Object.values(kind.texts(entry)), verbatim))
        .map(({ name }) => `${name}.md`),
    )
    // What an entry does not tell: comments, and files that are none.
    const names = [
      ...[...entries.map(({ name }) => name), ...beyond].map((name) => `${name}.md`),
      ...bad.map(({ file }) => file),
    ]
    return names.sort().flatMap((name): Alike[] => {
      const file = `${kind.folder}/${name}`
      const raw = known.has(name) ? undefined : rawText(folder.disk, `${root}/${name}`)
      if (raw && 'reason' in raw) return [{ what: 'unknown', file, reason: raw.reason }]
      return known.has(name) || (raw && holdsVerbatim([raw.text], verbatim)) ? [{ what: 'entry', file }] : []
    })
  } catch (error) {
    // What lies there is not of the record, so it does not hold up the deletion.
    const reason = error instanceof NoEntryFolder ? 'it is no folder' : reasonOf(error)
    return [{ what: 'unknown', file: `${kind.folder}/`, reason }]
  }
}
