/** A disk with coarse times, as exFAT (10 ms), ext3 and HFS+ (a second), FAT (two seconds): what is set is not what is read. */
import { type Disk, diskOver } from '../../src/base/disk.ts'
import { type FileStats, nodeCalls } from '../../src/base/system-calls.ts'

/** The disk of this machine, but for times, which are rounded down. @param tickMs milliseconds. */
export function coarseDisk(tickMs: number): Disk {
  const floor = (ms: number) => Math.floor(ms / tickMs) * tickMs
  const coarse = (stats: FileStats): FileStats =>
    Object.assign(stats, { mtimeMs: floor(stats.mtimeMs), ctimeMs: floor(stats.ctimeMs) })
  return diskOver({
    ...nodeCalls,
    stats: (fd) => coarse(nodeCalls.stats(fd)),
    lstat: (path) => coarse(nodeCalls.lstat(path)),
    stat: (path) => coarse(nodeCalls.stat(path)),
  })
}
