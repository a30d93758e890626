/** What is known of the place where a data folder lies: what the disk says of it, and what the system says. */

import { statfsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { Disk } from './disk.ts'

const known = <T>(what: () => T, otherwise: T): T => {
  try {
    return what()
  } catch {
    // What the system does not tell is not known, and no reason to stop.
    return otherwise
  }
}

/** Answers about places on a disk. None of them throws. */
export const placesOn = (disk: Disk) => ({
  /** Whether a folder can be written. */
  writable: (path: string): boolean =>
    known(() => {
      disk.writable(path)
      return true
    }, false),
  /** The path with every link in it resolved, or as it is where that cannot be done. */
  real: (path: string): string => known(() => disk.real(path), path),
  /** The number of the file system's kind (`statfs`), on Linux: other systems number them as they like. */
  fileSystem: (path: string): number | undefined =>
    process.platform === 'linux' ? known(() => statfsSync(path).type >>> 0, undefined) : undefined,
  exists: (path: string): boolean => known(() => disk.stamp(path) !== undefined, false),
})

/** Whether a path is the folder or lies in it. Both absolute; links are not resolved. */
export function isInside(outer: string, path: string): boolean {
  const way = relative(outer, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}
