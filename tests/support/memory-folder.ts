/**
 * A folder that lies in memory, where a flush to disk costs nothing; it is a fifth of what the fast tests take. They
 * prove what is written and in which order, not that a disk keeps it: `files`, `e2e` and `crash` run on a real one.
 */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'

const SHARED_MEMORY = '/dev/shm'
/** What the tests have there at once is a quarter of it. Containers often give 64 MiB. */
const ENOUGH_BYTES = 1024 ** 3

/** Undefined where there is none, it is too small, or no program may be started in it, as some tests do. */
export function memoryFolder(): string | undefined {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === SHARED_MEMORY)
    const fits = bavail * bsize >= ENOUGH_BYTES && mount !== undefined && !/\bnoexec\b/.test(mount)
    return fits ? SHARED_MEMORY : undefined
  } catch {
    // Another system: its folder for temporary files does as well.
    return undefined
  }
}
