/** The file that a person wants approved. */
import { resolve } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { REFUSE_BYTES } from '../constitution/constitution.ts'
import { type NewText, parseConstitutionDraft } from '../constitution/draft.ts'

/** Beyond any text with a header that could be approved. */
const READ_LIMIT = 4 * REFUSE_BYTES

/** @throws MnemosError where it is not there or cannot be a constitution. */
export function draftFile(disk: Disk, file: string): NewText {
  const path = resolve(file)
  const { size, kind } = disk.stamp(path) ?? { size: 0, kind: 'file' }
  if (kind === 'link')
    throw new MnemosError(
      'INVALID_INPUT',
      `${file} is a link, and links are not followed here.`,
      'Name the file that it leads to.',
    )
  if (kind !== 'file') throw new MnemosError('INVALID_INPUT', `${file} is not a file.`, 'Name a text file.')
  if (size > READ_LIMIT)
    throw new MnemosError(
      'INVALID_INPUT',
      `${file} has ${size} bytes, and ${REFUSE_BYTES} are the most that a constitution may have.`,
      'Shorten it: it stands in every request.',
    )
  const bytes = disk.read(path)
  if (!bytes) throw new MnemosError('NOT_FOUND', `There is no file ${file}.`, 'Name a text file.')
  return parseConstitutionDraft(bytes, file)
}
