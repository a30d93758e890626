/** The folders of a data folder that hold files of ours and no records: real ones, or what is in them is somebody else's. */
import { basename } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'

/** Whether a path is a real folder, or nothing yet. Throws what the disk throws. */
export const isOwnFolder = (disk: Disk, path: string): boolean =>
  (disk.stamp(path)?.kind ?? 'folder') === 'folder'

/**
 * Makes a folder for files of ours; one that is there must be a real one.
 * @throws MnemosError STORAGE where something else stands in its place, and what the disk throws.
 */
export function makeOwnFolder(disk: Disk, path: string): void {
  if (!isOwnFolder(disk, path))
    throw new MnemosError(
      'STORAGE',
      `${basename(path)} is a link or a file and no folder of ours.`,
      'Look at what it is, and put a folder in its place.',
    )
  disk.folder(path)
}
