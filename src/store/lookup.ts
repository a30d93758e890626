/** Finding a record by its id, as its files stand now. */
import { localMinute } from '../base/clock.ts'
import { MnemosError, ReasonedError } from '../base/errors.ts'
import { type GoodFile, stemOf } from '../files/record-files.ts'
import { fieldsStated } from '../record/format.ts'
import { idOfStem } from '../record/parse.ts'
import type { Pieces } from './pieces.ts'

type LookupParts = Pick<Pieces, 'catalog' | 'tombstones'>

/** @throws MnemosError NOT_FOUND, DELETED, or what is wrong with the file. */
export function current(parts: LookupParts, name: string): GoodFile {
  const ids = idsNamedBy(name)
  for (const id of ids) {
    for (const path of parts.catalog.pathsOf(id)) {
      const loaded = parts.catalog.reread(path)
      if (loaded?.record.id === id) return loaded
    }
  }
  throw missing(parts, ids)
}

/**
 * The ids that a name may mean, first the name itself. Some keyboards and systems give accents apart from their letters;
 * ids have them together. And who names a note as its file is called means the id that was made of that.
 */
function idsNamedBy(name: string): [string, ...string[]] {
  const id = name.normalize('NFC')
  const folded = idOfStem(id.trim())
  return folded === id || folded === '' ? [id] : [id, folded]
}

/** Every file that bears an id, the one that counts first. */
export function filesOf(parts: Pick<Pieces, 'catalog'>, name: string): GoodFile[] {
  const id = name.normalize('NFC')
  return parts.catalog.pathsOf(id).flatMap((path) => {
    const loaded = parts.catalog.reread(path)
    // What it says is not known: it may be a copy that would be forgotten.
    if (!loaded && parts.catalog.isUnread(path))
      throw new MnemosError(
        'STORAGE',
        `memories/${path} cannot be read just now; nothing was changed.`,
        'Try again.',
      )
    return loaded?.record.id === id ? [loaded] : []
  })
}

/** The files that bear an id: those of the record that counts, it first, and those of other notes that only bear its name. */
export function filesByRecord(
  parts: Pick<Pieces, 'catalog'>,
  name: string,
): { own: GoodFile[]; namesakes: GoodFile[] } {
  const own: GoodFile[] = []
  const namesakes: GoodFile[] = []
  for (const file of filesOf(parts, name)) {
    const isOwn = own.length === 0 || own.some((other) => isCopy(file, other))
    ;(isOwn ? own : namesakes).push(file)
  }
  return { own, namesakes }
}

/**
 * Whether two files with one id are one record. A file that names no id has it from its name, and two notes may be called
 * alike (`2024/README.md`, `2025/README.md`): they are one only where they say so or say the same.
 */
function isCopy(one: GoodFile, other: GoodFile): boolean {
  const [a, b] = [fieldsStated(one.text), fieldsStated(other.text)]
  if (a.id !== undefined || b.id !== undefined) return true
  if (a.created !== undefined && b.created !== undefined && one.record.created === other.record.created)
    return true
  return one.record.summary === other.record.summary
}

/** What a person who was shown these files has seen: a deletion is bound to it. */
export const shownOf = (files: readonly GoodFile[]): string =>
  JSON.stringify(files.map(({ file, text }) => [file.path, text]).sort())

/** Why there is no record under any of these ids, with what to do. */
function missing(parts: LookupParts, [named, ...others]: readonly [string, ...string[]]): MnemosError {
  for (const id of [named, ...others]) {
    const broken = parts.catalog
      .bad()
      // A restored copy is no file to be repaired: its record was deleted.
      .find(
        ({ path, fault }) =>
          fault.code !== 'RESTORED_COPY' && path.endsWith('.md') && stemOf(path).normalize('NFC') === id,
      )
    if (broken) return new ReasonedError('STORAGE', { code: 'FILE_UNREADABLE', id, ...broken })
    const at = parts.tombstones.deletedAt(id)
    if (at)
      return new MnemosError(
        'DELETED',
        `The record "${id}" was deleted on ${localMinute(at)}.`,
        'Nothing brings it back; what is wanted again is written anew.',
      )
  }
  return new MnemosError(
    'NOT_FOUND',
    `There is no record "${named}".`,
    'Search for it: recall, or mnemos search.',
  )
}
