/**
 * What lies in the data folder, is none of Mnemos's own, and may hold a deleted record: trash and versions of editors and
 * syncs, their backups and swap files, and the history of a repository. It is named, not touched.
 */
import { dirname, join, relative, sep } from 'node:path'
import type { FolderEntry } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { layoutOf } from '../files/layout.ts'
import { stemOf } from '../files/record-files.ts'
import type { Pieces } from './pieces.ts'
import type { DeletedText } from './places.ts'

/** A file or folder that is not of the record. */
export interface OtherFile {
  /** Relative to the data folder; a repository may lie above it. */
  file: string
  /** It bears the record's name; it is another note with the same id; it is a repository, whose history may hold it; or it could not be looked at. */
  what: 'named' | 'namesake' | 'history' | 'unknown'
  /** That of another note. */
  workspace?: string | undefined
  /** Why it could not be looked at. */
  reason?: string
}

/** Folders that keep the history of the files beside and below them. */
const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.svn', '.bzr'])
/** Entries that are looked at: a data folder of many years has fewer, a whole disk that was linked in has more. */
const MOST_ENTRIES = 200_000
/** What an id is made of: a name that goes on with one of these is another name. */
const ID_CHARACTER = '[\\p{L}\\p{M}\\p{N}_-]'

type Parts = Pick<Pieces, 'disk' | 'files' | 'catalog'>

/** Files and folders of others that may hold the deleted records; by path. Never throws. */
export function otherFilesOf(
  parts: Parts,
  deleted: readonly Pick<DeletedText, 'id' | 'paths'>[],
): OtherFile[] {
  const root = dirname(parts.files.root)
  const names = deleted.flatMap(({ id, paths }) => [id, ...paths.map(stemOf)])
  const found = [...repositoriesAbove(parts, root), ...below(parts, root, isNamedAfter(names))]
  return found
    .map((one) => ({ ...one, file: relative(root, one.file).split(sep).join('/') || '.' }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** @returns whether a file's name is, or begins with, or holds one of the names. */
function isNamedAfter(names: readonly string[]): (name: string, isRecord: boolean) => boolean {
  const any = [...new Set(names.map((name) => name.normalize('NFC')))]
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|')
  const held = new RegExp(`(?<!${ID_CHARACTER})(?:${any})(?!${ID_CHARACTER})`, 'iu')
  // A record is another one, unless it is called as a copy is: `kettle (1).md`.
  const copied = new RegExp(`^(?:${any})(?!${ID_CHARACTER}|\\.md$)`, 'iu')
  return (name, isRecord) => (isRecord ? copied : held).test(name.normalize('NFC'))
}

function repositoriesAbove({ disk }: Parts, root: string): OtherFile[] {
  const found: OtherFile[] = []
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder)) {
    for (const name of REPOSITORIES) {
      const file = join(dirname(folder), name)
      try {
        if (disk.stamp(file)) found.push({ file, what: 'history' })
      } catch {
        // A folder that nobody may look into is no repository of this user's.
      }
    }
  }
  return found
}

function below(
  { disk, files, catalog }: Parts,
  root: string,
  isNamed: (name: string, isRecord: boolean) => boolean,
): OtherFile[] {
  const { index, ledger, usage, pending, constitution, userMemory, lock } = layoutOf(root)
  const own = new Set([dirname(index), ledger, usage, pending, dirname(constitution), userMemory, lock])
  const records = new Set([...catalog.records()].map(({ path }) => files.absolute(path)))
  const found: OtherFile[] = []
  const folders = [root]
  let left = MOST_ENTRIES
  const see = (folder: string, { name, kind }: FolderEntry) => {
    const path = join(folder, name)
    if (own.has(path)) return
    if (REPOSITORIES.has(name)) found.push({ file: path, what: 'history' })
    else if (isNamed(name, records.has(path))) found.push({ file: path, what: 'named' })
    else if (kind === 'folder') folders.push(path)
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      const entries = disk.list(folder) ?? []
      left -= entries.length
      if (left < 0) {
        found.push({ file: folder, what: 'unknown', reason: `there are more than ${MOST_ENTRIES} files` })
        break
      }
      for (const entry of entries) see(folder, entry)
    } catch (error) {
      found.push({ file: folder, what: 'unknown', reason: reasonOf(error) })
    }
  }
  return found
}
