/** The record files: what is skipped and why, restored copies of deleted records, and several files with one id. */

import type { Disk } from '../base/disk.ts'
import { type FileFault, restoredCopy } from '../files/file-fault.ts'
import { type RecordFiles, stemOf } from '../files/record-files.ts'
import { countsFirst, type FileStamp } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { decode, plainBytes } from '../record/encoding.ts'
import { parse } from '../record/parse.ts'
import { FILE_LIMIT } from '../record/record.ts'
import { type Finding, finding } from './finding.ts'

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
  const findings: Finding[] = scan.unread.map(({ path, fault }) =>
    finding('UNREAD_FOLDER', { fault }, { paths: [`memories/${path}`] }),
  )
  const bad = scan.bad.map(({ file, fault }) => ({ path: file.path, fault }))
  const good: SeenFile[] = []
  for (const [at, { path }] of scan.files.entries()) {
    const read = files.read(path)
    if (read && 'record' in read) {
      const { id, rev, created } = read.record
      if (tombstones.isDeleted(id, created)) findings.push(restored(path, tombstones.deletedAt(id)))
      else good.push({ ...read.file, id, rev })
    } else if (read) bad.push({ path, fault: read.fault })
    progress?.(at + 1, scan.files.length)
  }
  findings.push(
    ...bad.map(({ path, fault }) => badFile(path, fault, repairedBytes(disk, files, path) !== undefined)),
  )
  findings.push(...twoFiles(good))
  const paths = new Set([...scan.files.map(({ path }) => path), ...scan.bad.map(({ file }) => file.path)])
  return { findings, good, paths, unread: scan.unread.map(({ path }) => path) }
}

const restored = (path: string, deletedAt: string | undefined) =>
  finding('RESTORED_COPY', { fault: restoredCopy(deletedAt) }, { paths: [`memories/${path}`], fixable: true })

const badFile = (path: string, fault: FileFault, fixable: boolean) =>
  finding('BAD_FILE', { fault }, { paths: [`memories/${path}`], fixable })

/**
 * The bytes of a skipped file that would be a record without byte order mark and Windows line ends; undefined where
 * that is not what is wrong, or not all of it.
 */
export function repairedBytes(disk: Disk, files: RecordFiles, path: string): Uint8Array | undefined {
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
    const paths = files.toSorted(countsFirst).map(({ path }) => `memories/${path}`)
    return [finding('TWO_FILES', { id }, { paths })]
  })
}
