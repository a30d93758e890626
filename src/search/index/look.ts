/** Looking at the index file without changing it: no table is made, nothing is filled or dropped. */
import type Database from 'better-sqlite3'
import type { Disk } from '../../base/disk.ts'
import { MnemosError, reasonOf, systemCode } from '../../base/errors.ts'
import { assertPlainFiles, loadDriver } from './driver.ts'
import { type FileRow, type IndexedFile, indexedFile } from './entries.ts'
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts'

export type IndexLook =
  | { state: 'missing' }
  | { state: 'no driver' | 'damaged' | 'in use'; reason: string }
  /** The version that it has, and the one that this program writes. */
  | { state: 'other version'; version: number; known: number }
  | { state: 'whole'; files: IndexedFile[] }

/** Throws nothing but what the disk throws when it is asked what is at the path. */
export function lookAtIndex(disk: Disk, file: string): IndexLook {
  if (disk.stamp(file) === undefined) return { state: 'missing' }
  let db: Database.Database | undefined
  try {
    assertPlainFiles(disk, file)
    db = new (loadDriver())(file, { readonly: true, fileMustExist: true, timeout: 1_000 })
    return read(db)
  } catch (error) {
    if (error instanceof MnemosError)
      return { state: error.code === 'UNAVAILABLE' ? 'no driver' : 'damaged', reason: error.message }
    const busy = /^SQLITE_(BUSY|LOCKED)/.test(systemCode(error) ?? '')
    return { state: busy ? 'in use' : 'damaged', reason: reasonOf(error) }
  } finally {
    db?.close()
  }
}

function read(db: Database.Database): IndexLook {
  const pragma = (name: string) => String(db.pragma(name, { simple: true }))
  const [application, version] = [Number(pragma('application_id')), Number(pragma('user_version'))]
  if (application !== APPLICATION_ID || version !== SCHEMA_VERSION)
    return { state: 'other version', version, known: SCHEMA_VERSION }
  const check = pragma('quick_check(1)')
  if (check !== 'ok') return { state: 'damaged', reason: check }
  return {
    state: 'whole',
    files: db
      .prepare<[], FileRow>('SELECT path, size, mtime AS mtimeMs, ino, id, bad, rev FROM docs ORDER BY path')
      .all()
      .map(indexedFile),
  }
}
