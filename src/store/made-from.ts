/** Which files are made from records that are deleted, or were made from those in turn. */
import { type GoodFile, stemOf } from '../files/record-files.ts'
import { sameStamp } from '../files/stamps.ts'
import type { Pieces } from './pieces.ts'

export interface MadeFrom {
  files: GoodFile[]
  /**
   * Files that are, or seem to be, made from them and cannot be read just now: in the middle of a save, on a disk that is
   * not mounted. They may come back with the words. Relative to the memories folder.
   */
  unread: string[]
}

type Parts = Pick<Pieces, 'catalog' | 'files' | 'disk'>

/** Every record that names one of the ids as what it was made from, and what was made from those in turn. */
export function madeFrom(parts: Parts, ids: Iterable<string>): MadeFrom {
  const gone = new Set(ids)
  const seem = parts.catalog.bad().flatMap(({ path }) => (seemsMadeFrom(parts, path, gone) ? [path] : []))
  const found = madeFromByIndex(parts, gone) ?? madeFromByFiles(parts, gone)
  return { files: found.files, unread: [...new Set([...seem, ...found.unread])] }
}

/** A file that is no record just now, as in the middle of a save, and seems to be made from a deleted one. */
function seemsMadeFrom(parts: Parts, path: string, gone: ReadonlySet<string>): boolean {
  if (!path.endsWith('.md') || gone.has(stemOf(path).normalize('NFC')) || !mentions(parts, path, gone))
    return false
  return parts.catalog.reread(path) === undefined
}

/** Asks the index, so that only files that name a source are read; undefined where there is none that can be asked. */
function madeFromByIndex(parts: Parts, gone: ReadonlySet<string>): MadeFrom | undefined {
  const changed = changedFiles(parts)
  const made = new Map<string, GoodFile>()
  const unread: string[] = []
  // It grows while it is gone through.
  const sources = new Set(gone)
  for (const source of sources) {
    const paths = parts.catalog.useIfFree((index) => index.derivedFrom(source))
    if (paths === undefined) return undefined
    const files = paths.flatMap((path) => {
      // Before it is read: one that turns out to be broken has no id any more, and one that was forgotten has none.
      const id = parts.catalog.idOf(path)
      const file = parts.catalog.reread(path)
      if (file || id === undefined || gone.has(id)) return file ?? []
      unread.push(path)
      sources.add(id)
      return []
    })
    for (const file of [...files, ...changed]) {
      if (gone.has(file.record.id) || !file.record.derivedFrom.includes(source)) continue
      made.set(file.file.path, file)
      sources.add(file.record.id)
    }
  }
  return { files: [...made.values()], unread }
}

/** Files that were written into since they were last read: what the index says of them does not count. */
function changedFiles(parts: Parts): GoodFile[] {
  const paths = [...parts.catalog.records()].flatMap((known) => {
    const now = parts.files.stamp(known.path)
    return now && sameStamp(known, now) ? [] : [known.path]
  })
  return paths.flatMap((path) => parts.catalog.reread(path) ?? [])
}

/** Reads every file: where there is no index. */
function madeFromByFiles(parts: Parts, gone: ReadonlySet<string>): MadeFrom {
  const made = new Map<string, GoodFile>()
  const unread: string[] = []
  const known = [...parts.catalog.records()]
  // What it is made from nobody can tell.
  for (const { path, id } of known)
    if (id !== null && !gone.has(id) && !parts.files.stamp(path)) unread.push(path)
  const sources = new Set(gone)
  for (let grew = true; grew; ) {
    grew = false
    for (const { path, id } of known) {
      if (id === null || gone.has(id) || made.has(path) || !mentions(parts, path, sources)) continue
      const file = parts.catalog.reread(path)
      if (!file?.record.derivedFrom.some((source) => sources.has(source))) continue
      made.set(path, file)
      sources.add(id)
      grew = true
    }
  }
  return { files: [...made.values()], unread }
}

/** A look at the bytes first: parsing every file of a large folder would take long. */
function mentions(parts: Parts, path: string, ids: ReadonlySet<string>): boolean {
  const bytes = parts.disk.read(parts.files.absolute(path))
  if (!bytes?.includes('derivedFrom')) return false
  for (const id of ids) if (bytes.includes(id)) return true
  return false
}
