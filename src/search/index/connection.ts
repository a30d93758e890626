/** Opening the index file: a sound one is used, a damaged one is removed and made again. */
import { randomInt } from 'node:crypto'
import type Database from 'better-sqlite3'
import type { Disk } from '../../base/disk.ts'
import { MnemosError, reasonOf, systemCode } from '../../base/errors.ts'
import { assertPlainFiles, IndexDamaged, loadDriver, meaningOf, removeDatabase } from './driver.ts'
import { APPLICATION_ID, SCHEMA_VERSION, TABLES } from './schema.ts'

/**
 * Milliseconds to wait for another process's transaction. The wait blocks the host, so it is short: a process that
 * does not get its turn indexes the files at the next scan.
 */
const BUSY_MS = 200
/** Two processes may find the same damaged file at once; each attempt starts from the file that is there then. */
const OPEN_ATTEMPTS = 4
/** What SQLite calls a database that no file keeps. */
const MEMORY = ':memory:'

/** An open index file. */
export interface Connection {
  db: Database.Database
  /** Key of every hash in this file. */
  salt: number
  /** It was just made, so it is empty. */
  fresh: boolean
  /** Inode of the file that is open; undefined for a database in memory. */
  ino: number | undefined
}

/**
 * Opens the index file, or makes it; one that is damaged or of another version is removed first.
 * @param file a path, or `:memory:` for an index that no file keeps (a data folder that cannot be written).
 * @throws MnemosError UNAVAILABLE (no driver), STORAGE (the place cannot be written) or LOCKED.
 */
export function connect(disk: Disk, file: string): Connection {
  const Driver = loadDriver()
  let reason: unknown
  for (let n = 0; n < OPEN_ATTEMPTS; n++) {
    let ino: number | undefined
    try {
      if (file !== MEMORY) {
        // SQLite would make the file, and its journal after it, with a wider mode.
        assertPlainFiles(disk, file)
        disk.touch(file)
        ino = disk.stamp(file)?.ino
      }
      return { ...prepare(new Driver(file, { timeout: BUSY_MS })), ino }
    } catch (thrown) {
      reason = meaningOf(thrown)
      if (!(reason instanceof IndexDamaged)) break
      reason = removeDamaged(disk, file, ino) ?? reason
      if (!(reason instanceof IndexDamaged)) break
    }
  }
  if (reason instanceof MnemosError) throw reason
  throw new MnemosError(
    'STORAGE',
    `The search index cannot be opened (${systemCode(reason) ?? reasonOf(reason)}).`,
    'Check that the folder index/ of the data folder can be written.',
    { cause: reason },
  )
}

/**
 * Removes a damaged index. Another process may have put a sound file in its place since: only the file that was seen to
 * be damaged is removed. @returns why it cannot be removed; undefined where it need not or could be.
 */
function removeDamaged(disk: Disk, file: string, ino: number | undefined): unknown {
  try {
    if (ino !== undefined && disk.stamp(file)?.ino === ino) removeDatabase(disk, file)
    return undefined
  } catch (error) {
    return error
  }
}

function prepare(db: Database.Database): { db: Database.Database; salt: number; fresh: boolean } {
  try {
    // A rollback journal is gone when its transaction is; a WAL would keep old pages while others read.
    db.pragma('journal_mode = DELETE')
    db.pragma('secure_delete = ON')
    db.pragma('temp_store = MEMORY')
    // The index can be rebuilt, but an erasure that was answered must not come back after a power cut.
    db.pragma('synchronous = NORMAL')
    db.pragma('cache_size = -32000')
    const fresh = db.transaction(() => createWhenEmpty(db)).immediate()
    const salt = db.prepare<[], number>("SELECT value FROM meta WHERE key = 'salt'").pluck().get()
    if (salt === undefined) throw new IndexDamaged('its key is missing')
    db.prepare('SELECT count(*), max(path) FROM docs').get()
    return { db, salt, fresh }
  } catch (thrown) {
    db.close()
    throw thrown
  }
}

function createWhenEmpty(db: Database.Database): boolean {
  const application = Number(db.pragma('application_id', { simple: true }))
  const version = Number(db.pragma('user_version', { simple: true }))
  if (application === APPLICATION_ID && version === SCHEMA_VERSION) return false
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (application !== 0 || version !== 0 || tables !== 0) {
    throw new IndexDamaged(`it has version ${version}, this program writes ${SCHEMA_VERSION}`)
  }
  db.exec(TABLES)
  db.prepare("INSERT INTO meta VALUES ('salt', ?)").run(randomInt(2 ** 32))
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma(`user_version = ${SCHEMA_VERSION}`)
  return true
}
