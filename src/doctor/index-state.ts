/** The derived index: whether it is whole, and in step with the files. */

import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import { sameStamp, vanishedTogether } from '../files/stamps.ts'
import type { IndexedFile } from '../search/index/entries.ts'
import { lookAtIndex } from '../search/index/look.ts'
import type { SeenFiles } from './files.ts'
import { type Finding, finding, named } from './finding.ts'

const REBUILD = 'Rebuild it with: mnemos rebuild-index'

export function examineIndex(disk: Disk, { index: file }: Layout, seen: SeenFiles): Finding[] {
  const look = lookAtIndex(file, disk.stamp(file) !== undefined)
  const paths = ['index/index.sqlite']
  const stale = { paths, fixable: true }
  switch (look.state) {
    case 'missing':
      if (seen.paths.size === 0) return []
      return [
        finding(
          'INDEX_MISSING',
          'There is no search index.',
          'The next start makes it; so does mnemos rebuild-index.',
          stale,
        ),
      ]
    case 'no driver':
      return [finding('NO_DRIVER', look.reason, '', { paths })]
    case 'in use':
      return [
        finding('INDEX_IN_USE', 'The search index is in use just now and was not looked at.', 'Try again.', {
          paths,
        }),
      ]
    case 'damaged':
      return [finding('INDEX_DAMAGED', `The search index is damaged (${look.reason}).`, REBUILD, stale)]
    case 'other version':
      return [
        finding(
          'INDEX_VERSION',
          `The search index is not one of this program: ${look.reason}.`,
          REBUILD,
          stale,
        ),
      ]
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
    if (!entry || !sameStamp(entry, file)) behind++
    else if (entry.id !== file.id || entry.rev !== file.rev) wrong.push(`memories/${file.path}`)
  }
  const findings: Finding[] = []
  if (wrong.length > 0) {
    findings.push(
      finding(
        'INDEX_WRONG',
        `The search index says something else than the files: ${named(wrong)}.`,
        REBUILD,
        {
          paths: wrong,
          fixable: true,
        },
      ),
    )
  }
  const gone = goneFiles(indexed, seen)
  const removed = vanishedTogether(gone.length, indexed.length) ? 0 : gone.length
  if (behind + removed > 0) {
    findings.push(
      finding(
        'INDEX_BEHIND',
        `${behind + removed === 1 ? 'One file has' : `${behind + removed} files have`} changed since the index was last brought up to date.`,
        'The next look at the folder does it: any command, any turn of a running host.',
        { fixable: true },
      ),
    )
  }
  return findings
}

const goneFiles = (indexed: readonly IndexedFile[], { paths, unread }: SeenFiles) =>
  indexed.filter(
    ({ path }) =>
      !paths.has(path) && !unread.some((folder) => folder === '.' || path.startsWith(`${folder}/`)),
  )

function absent(indexed: readonly IndexedFile[], seen: SeenFiles): Finding[] {
  const gone = goneFiles(indexed, seen)
  if (!vanishedTogether(gone.length, indexed.length)) return []
  const paths = gone.map(({ path }) => `memories/${path}`)
  return [
    finding(
      'ABSENT_FILES',
      `${gone.length} record files vanished at once, as when a disk is not mounted or a sync is half done: they are not shown and nothing is forgotten (${named(paths)}).`,
      'Wait for them, or forget them with: mnemos doctor --forget-absent',
      { paths },
    ),
  ]
}
