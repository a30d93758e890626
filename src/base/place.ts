/** What the system tells of a place on disk. */
import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'

const attempt = <T>(what: () => T, otherwise: T): T => {
  try {
    return what()
  } catch {
    // What the system does not tell is not known, and no reason to stop.
    return otherwise
  }
}

export const nodePlace = {
  writable: (path: string): boolean =>
    attempt(() => {
      accessSync(path, constants.W_OK)
      return true
    }, false),
  real: (path: string): string => attempt(() => realpathSync(path), path),
  /** The number of the file system's kind; other systems than Linux number them as they like. */
  fileSystem: (path: string): number | undefined =>
    process.platform === 'linux' ? attempt(() => statfsSync(path).type >>> 0, undefined) : undefined,
  exists: (path: string): boolean => existsSync(path),
}
