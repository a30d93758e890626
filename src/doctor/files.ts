/** The record files: what is skipped and why, what came back from the dead, and two files with one id. */

import type { Disk } from '../base/disk.ts'
import { type RecordFiles, stemOf } from '../files/record-files.ts'
import { countsFirst, type FileStamp } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { restoredReason } from '../files/tombstones.ts'
import { plainBytes } from '../record/encoding.ts'
import { decode, parse } from '../record/format.ts'
import { FILE_LIMIT } from '../record/record.ts'
import { FIX, type Finding, finding } from './finding.ts'

export interface SeenFile extends FileStamp {
  id: string
  rev: number
}

export interface SeenFiles {
  findings: Finding[]
  good: SeenFile[]
  /** Every file, good or bad. */
  paths: ReadonlySet<string>
  /** Folders that could not be listed. */
  unread: readonly string[]
}

export function examineFiles(
  disk: Disk,
  files: RecordFiles,
  tombstones: Tombstones,
  progress?: (done: number, total: number) => void,
): SeenFiles {
  const scan = files.scan()
  const findings: Finding[] = scan.unread.map(({ path, reason }) =>
    finding('UNREAD_FOLDER', `The folder memories/${path} cannot be read (${reason}).`, 'Make it readable.', {
      paths: [`memories/${path}`],
    }),
  )
  const bad = scan.bad.map(({ file, bad: reason }) => ({ path: file.path, reason }))
  const good: SeenFile[] = []
  for (const [at, { path }] of scan.files.entries()) {
    const read = files.read(path)
    if (read && 'record' in read) {
      const { id, rev, created } = read.record
      if (tombstones.isDeleted(id, created)) findings.push(restored(path, tombstones.deletedAt(id)))
      else good.push({ ...read.file, id, rev })
    } else if (read) bad.push({ path, reason: read.bad })
    progress?.(at + 1, scan.files.length)
  }
  findings.push(...bad.map(({ path, reason }) => badFile(path, reason, mendedBytes(disk, files, path))))
  findings.push(...twoFiles(good))
  const paths = new Set([...scan.files.map(({ path }) => path), ...scan.bad.map(({ file }) => file.path)])
  return { findings, good, paths, unread: scan.unread.map(({ path }) => path) }
}

const restored = (path: string, at: string | undefined) =>
  finding(
    'RESTORED_COPY',
    `memories/${path} is left out: ${restoredReason(at)}.`,
    'Remove it with: mnemos doctor --fix. To hold it again, write it as a new record first.',
    { paths: [`memories/${path}`], fixable: true },
  )

function badFile(path: string, reason: string, mendable: Uint8Array | undefined): Finding {
  const sentence = `memories/${path} is skipped: ${reason}.`
  const paths = [`memories/${path}`]
  if (mendable) return finding('BAD_FILE', sentence, FIX, { paths, fixable: true })
  return finding('BAD_FILE', sentence, remedyFor(reason), { paths })
}

function remedyFor(reason: string): string {
  if (/not UTF-8|NUL/.test(reason))
    return 'Save it as UTF-8 in an editor; what encoding it has cannot be known.'
  if (/is empty|no text|only in part/.test(reason))
    return 'Write it again or remove it; a backup may still have its text.'
  if (/link|regular file/.test(reason)) return 'Put a plain file in its place, or move it out of memories/.'
  if (/larger than/.test(reason)) return 'Split it, or keep the long text elsewhere.'
  return 'Put it right in an editor.'
}

/**
 * The bytes of a skipped file that would be a record without byte order mark and Windows line ends; undefined where
 * that is not what is wrong, or not all of it.
 */
export function mendedBytes(disk: Disk, files: RecordFiles, path: string): Uint8Array | undefined {
  try {
    const read = files.read(path)
    if (!read || 'record' in read) return undefined
    const bytes = disk.read(files.absolute(path), FILE_LIMIT)
    // A hard link's other name would keep the old bytes, and the file stay unfit.
    if (!bytes || (disk.stamp(files.absolute(path))?.links ?? 1) > 1) return undefined
    const plain = plainBytes(bytes)
    parse(decode(plain), { stem: stemOf(path), mtimeMs: read.file.mtimeMs })
    return plain
  } catch {
    // Something else is wrong with it: it is named and left.
    return undefined
  }
}

function twoFiles(good: readonly SeenFile[]): Finding[] {
  const byId = Map.groupBy(good, ({ id }) => id)
  return [...byId].flatMap(([id, files]) => {
    if (files.length < 2) return []
    const [first, ...others] = files.toSorted(countsFirst).map(({ path }) => `memories/${path}`)
    return [
      finding(
        'TWO_FILES',
        `The id "${id}" stands in ${files.length} files: ${first} counts, ${others.join(', ')} ${others.length === 1 ? 'does' : 'do'} not.`,
        'Take over what the others have (mnemos edit), then remove them.',
        { paths: [first ?? '', ...others] },
      ),
    ]
  })
}
