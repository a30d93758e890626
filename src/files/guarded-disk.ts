/**
 * The disk as a data folder sees it: once the folder was in use, nothing is made in it while nothing of it is there. A
 * stick that is pulled out leaves its mount point, and what is written into that is neither in the memory nor found again.
 */
import { dirname, sep } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { holdsAnything, readOnlyError } from './claim.ts'
import type { Layout } from './layout.ts'

export interface GuardedDisk extends Disk {
  /** Whether anything was stored in the folder through this disk. */
  hasStored(): boolean
}

/**
 * Guards the folder of a layout; elsewhere it is the disk as it is. What makes a file or folder throws READ_ONLY with the
 * fault NOT_MOUNTED. Between the look and the making lies one call to the system, which no program can close.
 */
export function guardedDisk(disk: Disk, layout: Layout): GuardedDisk {
  const { root, version, memories, userMemory, constitution, ledger, tombstones } = layout
  const stored = [memories, userMemory, dirname(constitution), ledger, tombstones]
  const isIn = (folder: string, path: string) => path === folder || path.startsWith(folder + sep)
  let hasSeen = false
  let hasStored = false

  const assertThere = (path: string) => {
    if (!isIn(root, path)) return
    if (holdsAnything(disk, layout)) hasSeen = true
    // The folder itself is made again as long as nothing can be lost by it.
    else if (path === root || path === version ? hasStored : hasSeen)
      throw readOnlyError({ code: 'NOT_MOUNTED', root })
  }
  const note = (path: string) => {
    hasStored ||= stored.some((place) => isIn(place, path))
  }
  return {
    ...disk,
    hasStored: () => hasStored,
    replace(path, data, options) {
      assertThere(path)
      disk.replace(path, data, options)
      note(path)
    },
    append(path, line) {
      assertThere(path)
      disk.append(path, line)
      note(path)
    },
    overwrite(path, data) {
      assertThere(path)
      disk.overwrite(path, data)
    },
    touch(path) {
      assertThere(path)
      disk.touch(path)
    },
    folder(path) {
      assertThere(path)
      disk.folder(path)
    },
    makeFolder(path) {
      assertThere(path)
      disk.makeFolder(path)
    },
  }
}
