/** The SQLite driver: it is loaded when an index is opened, and its errors are translated. */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import type { Disk } from '../../base/disk.ts'
import { MnemosError, reasonOf, systemCode } from '../../base/errors.ts'
import { IrregularFile } from '../../base/node-files.ts'
import { cut } from '../../base/text.ts'

/**
 * The index file is damaged, of another version, or was replaced by another process. Nothing is lost: call
 * `RecordIndex.open` again (it removes a damaged file) and, where the new one is `fresh`, fill it from the files.
 */
export class IndexDamaged extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The search index must be opened anew: ${reason}.`, options)
    this.name = 'IndexDamaged'
  }
}

/** Oldest Node whose ABI the shipped driver is built for; older ones crash the process when they load it. */
const OLDEST_NODE = 22

/** The class of the driver's databases. @throws MnemosError UNAVAILABLE when the native driver cannot be loaded here. */
export function loadDriver(
  load: (name: string) => unknown = createRequire(import.meta.url),
): typeof Database {
  try {
    const major = Number.parseInt(process.versions.node, 10)
    if (major < OLDEST_NODE) throw new Error(`Node ${major} is older than ${OLDEST_NODE}`)
    const Driver = load('better-sqlite3') as typeof Database
    // The package loads its native part only with the first database.
    new Driver(':memory:').close()
    return Driver
  } catch (thrown) {
    throw new MnemosError(
      'UNAVAILABLE',
      `Search is not available: the SQLite driver (better-sqlite3) does not load on this machine (${cut(reasonOf(thrown), 160)}).`,
      'Reinstall the plugin with this version of Node; records can still be read and written.',
      { cause: thrown },
    )
  }
}

/** SQLite follows links and waits for pipes: what it would open must be files. @throws MnemosError STORAGE where it is not. */
export function assertPlainFiles(disk: Disk, file: string): void {
  for (const path of SUFFIXES.map((suffix) => `${file}${suffix}`)) {
    if ((disk.stamp(path)?.kind ?? 'file') === 'file') continue
    throw new IrregularFile(path)
  }
}

/** What SQLite may put beside a database, and the database itself. */
const SUFFIXES = ['', '-journal', '-wal', '-shm']

/**
 * Removes an index and every journal that SQLite may have put beside it. A link or anything else in their place is none of
 * ours and stays. Throws when the disk refuses.
 */
export function removeDatabase(disk: Disk, file: string): void {
  for (const path of SUFFIXES.map((suffix) => `${file}${suffix}`))
    if (disk.stamp(path)?.kind === 'file') disk.remove(path)
}

/**
 * What an error of the driver means to the caller.
 * @returns IndexDamaged where a new index would help, a MnemosError for other errors of the driver, else what was thrown.
 */
export function meaningOf(thrown: unknown): unknown {
  if (thrown instanceof IndexDamaged || thrown instanceof MnemosError) return thrown
  const code = systemCode(thrown) ?? ''
  if (/^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|MISMATCH|CONSTRAINT|FORMAT|IOERR_SHORT_READ)/.test(code)) {
    return new IndexDamaged(reasonOf(thrown), { cause: thrown })
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new MnemosError(
      'LOCKED',
      'The search index is in use by another process.',
      'Try again in a moment.',
      {
        cause: thrown,
      },
    )
  }
  if (code.startsWith('SQLITE_')) {
    return new MnemosError(
      'STORAGE',
      `The search index cannot be used: ${reasonOf(thrown)}.`,
      'Check free space and rights.',
      {
        cause: thrown,
      },
    )
  }
  return thrown
}
