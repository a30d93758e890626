/** What refuses an entry before anybody is asked, and once more before it is written. */
import type { Disk } from '../base/disk.ts'
import { MnemosError, ReasonedError } from '../base/errors.ts'
import { drawIndex } from './drawing.ts'
import { type Entry, FILE_BYTES, parseEntry, sameEntry, wrongIn } from './entry.ts'
import type { UserMemoryFolder } from './folder.ts'

const MERGE = 'Merge or shorten what is there, and say so to the person.'

/** @throws ReasonedError ENTRY_INVALID where it is no entry. */
export function assertSound(entry: Entry): void {
  const fault = wrongIn(entry)
  if (fault !== undefined)
    throw new ReasonedError('INVALID_INPUT', { code: 'ENTRY_INVALID', name: entry.name, fault })
}

/** @throws MnemosError where the file would not give back what was to be saved, or would be too large. */
export function assertKept(entry: Entry, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > FILE_BYTES)
    throw new MnemosError(
      'INVALID_INPUT',
      `The file of "${entry.name}" would have ${bytes.length} bytes and may have ${FILE_BYTES}.`,
      MERGE,
    )
  let kept = false
  try {
    kept = sameEntry(parseEntry(bytes, entry.name), entry)
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

/** @throws MnemosError where its line would not be in the index, or would put another out of it. */
export function assertRoom(disk: Disk, folder: UserMemoryFolder, entry: Entry): void {
  const { entries, beyond, full } = folder.look()
  const isThere = disk.stamp(folder.pathOf(entry.name)) !== undefined
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
