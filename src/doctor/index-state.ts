/** The derived index: whether it is whole, and in step with the files. */

import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import { matchesNoted, vanishedTogether } from '../files/stamps.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import { lookAtIndex } from '../search/index/look.ts'
import type { SeenFiles } from './files.ts'
import { type Finding, finding } from './finding.ts'

export function examineIndex(disk: Disk, { index: file }: Layout, seen: SeenFiles): Finding[] {
  // Anything else in its place is reported as such.
  if ((disk.stamp(file)?.kind ?? 'file') !== 'file') return []
  const look = lookAtIndex(disk, file)
  const paths = ['index/index.sqlite']
  const stale = { paths, fixable: true }
  switch (look.state) {
    case 'missing':
      return seen.paths.size === 0 ? [] : [finding('INDEX_MISSING', {}, stale)]
    case 'no driver':
      return [finding('NO_DRIVER', { reason: look.reason }, { paths })]
    case 'in use':
      return [finding('INDEX_IN_USE', {}, { paths })]
    case 'damaged':
      return [finding('INDEX_DAMAGED', { reason: look.reason }, stale)]
    case 'other version':
      return [finding('INDEX_VERSION', { version: look.version, known: look.known }, stale)]
    case 'whole':
      return [...outOfStep(look.files, seen), ...absent(look.files, seen)]
  }
}

function outOfStep(indexed: readonly IndexedFile[], seen: SeenFiles): Finding[] {
  const known = new Map(indexed.map((file) => [file.path, file]))
  const wrong: string[] = []
  let behind = 0
  for (const file of seen.good) {
    const entry = known.get(file.path)
    if (!entry || !matchesNoted(entry, file)) behind++
    else if (entry.id !== file.id || entry.rev !== file.rev) wrong.push(`memories/${file.path}`)
  }
  const gone = goneFiles(indexed, seen)
  const count = behind + (vanishedTogether(gone.length, indexed.length) ? 0 : gone.length)
  return [
    ...(wrong.length === 0 ? [] : [finding('INDEX_WRONG', {}, { paths: wrong, fixable: true })]),
    ...(count === 0 ? [] : [finding('INDEX_BEHIND', { count }, { fixable: true })]),
  ]
}

const goneFiles = (indexed: readonly IndexedFile[], { paths, unread }: SeenFiles) =>
  indexed.filter(
    ({ path }) =>
      !paths.has(path) && !unread.some((folder) => folder === '.' || path.startsWith(`${folder}/`)),
  )

function absent(indexed: readonly IndexedFile[], seen: SeenFiles): Finding[] {
  const gone = goneFiles(indexed, seen)
  if (!vanishedTogether(gone.length, indexed.length)) return []
  return [finding('ABSENT_FILES', {}, { paths: gone.map(({ path }) => `memories/${path}`) })]
}
