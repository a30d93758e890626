/** Which files and folders in a data folder are Mnemos's own: what a person or another program keeps beside them is not. */
import { basename, dirname, join } from 'node:path'
import { type Disk, type FolderEntry, TEMPORARY_PREFIX } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'

export interface Existing {
  /** Absolute. */
  path: string
  kind: 'file' | 'folder'
}

const isTemporary = (name: string): boolean => name.startsWith(TEMPORARY_PREFIX)

/** What of a folder is a file of ours, by its name. */
type IsOwn = (name: string) => boolean
const ending =
  (...ends: string[]): IsOwn =>
  (name) =>
    isTemporary(name) || (!name.startsWith('.') && ends.some((end) => name.endsWith(end)))

/** The files that lie in the data folder itself, and the copies that are kept of them. */
const TOP = /^(?:version|(?:tombstones|deletions|workspaces)\b.*\.jsonl?)$/
const YEAR_OR_MONTH = /^\d{2}(?:\d{2})?$/

/** Every file and folder of ours that is there, the data folder first. Never throws: what cannot be listed holds nothing. */
export function ownFiles(disk: Disk, layout: Layout): Existing[] {
  const { root, memories, index, ledger, usage, pending, constitution, userMemory } = layout
  const plain: readonly (readonly [string, IsOwn])[] = [
    [dirname(index), (name) => name.startsWith(basename(index))],
    [ledger, ending('.jsonl')],
    [usage, ending('.jsonl')],
    [pending, ending('.json')],
    [dirname(constitution), ending('.md', '.json', '.jsonl')],
    [userMemory, ending('.md')],
  ]
  const top = filesIn(disk, root, (name) => isTemporary(name) || TOP.test(name))
  const folders = plain.flatMap(([folder, isOwn]) => {
    if (kindOf(disk, folder) !== 'folder') return []
    return [{ path: folder, kind: 'folder' as const }, ...filesIn(disk, folder, isOwn)]
  })
  const records = kindOf(disk, memories) === 'folder' ? recordsBelow(disk, memories) : []
  const self: Existing[] = [{ path: root, kind: 'folder' }]
  return [...self, ...[...top, ...folders, ...records].sort((a, b) => (a.path < b.path ? -1 : 1))]
}

const filesIn = (disk: Disk, folder: string, isOwn: IsOwn): Existing[] =>
  listed(disk, folder).flatMap(({ name, kind }) =>
    kind === 'file' && isOwn(name) ? [{ path: join(folder, name), kind: 'file' as const }] : [],
  )

/** The record files at any depth, and the folders on the way to them. */
function recordsBelow(disk: Disk, memories: string): Existing[] {
  const isOwn = ending('.md')
  const own: Existing[] = []
  /** @returns whether the folder is one of ours. */
  const walk = (folder: string): boolean => {
    const files = filesIn(disk, folder, isOwn)
    own.push(...files)
    const inside = listed(disk, folder)
      .filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.'))
      .map(({ name }) => walk(join(folder, name)))
    const isOurs =
      folder === memories || files.length > 0 || inside.includes(true) || YEAR_OR_MONTH.test(basename(folder))
    if (isOurs) own.push({ path: folder, kind: 'folder' })
    return isOurs
  }
  walk(memories)
  return own
}

function kindOf(disk: Disk, path: string): FolderEntry['kind'] | undefined {
  try {
    return disk.stamp(path)?.kind
  } catch {
    // What the disk tells nothing of is named where its files are read.
    return undefined
  }
}

/** The entries of a folder; none where it cannot be listed. */
export function listed(disk: Disk, folder: string): FolderEntry[] {
  try {
    return disk.list(folder) ?? []
  } catch {
    // As above.
    return []
  }
}
