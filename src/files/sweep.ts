/** Removing what a killed write left in a folder whose files are written only by who holds the lock. */
import { join } from 'node:path'
import { type Disk, TEMPORARY_PREFIX } from '../base/disk.ts'

/** Removes the temporary files of a folder, not of those in it. What cannot be removed stays and does no harm. */
export function sweepTemporary(disk: Disk, folder: string): void {
  try {
    if (disk.stamp(folder)?.kind !== 'folder') return
    for (const { name, kind } of disk.list(folder) ?? [])
      if (kind === 'file' && name.startsWith(TEMPORARY_PREFIX)) disk.remove(join(folder, name))
  } catch {
    // The next start tries again.
  }
}
