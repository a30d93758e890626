/** The record files: what is skipped and why, restored copies of deleted records, and several files with one id. */

import { type FileFault, restoredCopy } from '../files/file-fault.ts'
import type { RecordFiles } from '../files/record-files.ts'
import { countsFirst, type FileStamp } from '../files/stamps.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { unusedValues } from '../record/parse.ts'
import { type Finding, finding } from './finding.ts'

export interface ExaminedFile extends FileStamp {
  id: string
  rev: number
}

export interface SeenFiles {
  findings: Finding[]
  good: ExaminedFile[]
  /** Every file, good or bad. */
  paths: ReadonlySet<string>
  /** Folders that could not be listed. */
  unread: readonly string[]
}

export function examineFiles(
  files: RecordFiles,
  tombstones: Tombstones,
  progress?: (done: number, total: number) => void,
): SeenFiles {
  const scan = files.scan()
  const findings: Finding[] = scan.unread.map(({ path, fault }) =>
    finding('UNREAD_FOLDER', { fault }, { paths: [path === '.' ? 'memories' : `memories/${path}`] }),
  )
  const bad = scan.bad.map(({ file, fault }) => ({ path: file.path, fault }))
  const good: ExaminedFile[] = []
  for (const [at, { path }] of scan.files.entries()) {
    const read = files.read(path)
    if (read && 'record' in read) {
      const { id, rev, created } = read.record
      if (tombstones.isDeleted(id, created)) findings.push(restored(path, tombstones.deletedAt(id)))
      else good.push({ ...read.file, id, rev })
      findings.push(...foreignIn(path, read.text))
    } else if (read) bad.push({ path, fault: read.fault })
    progress?.(at + 1, scan.files.length)
  }
  findings.push(...bad.map(({ path, fault }) => badFile(path, fault)))
  findings.push(...twoFiles(good))
  const paths = new Set([...scan.files.map(({ path }) => path), ...scan.bad.map(({ file }) => file.path)])
  return { findings, good, paths, unread: scan.unread.map(({ path }) => path) }
}

const restored = (path: string, deletedAt: string | undefined) =>
  finding('RESTORED_COPY', { fault: restoredCopy(deletedAt) }, { paths: [`memories/${path}`], fixable: true })

const badFile = (path: string, fault: FileFault) =>
  finding('BAD_FILE', { fault }, { paths: [`memories/${path}`] })

/** Values in fields of ours that are not used, or not whole: nothing is wrong with them, and a person may wonder why they do nothing. */
function foreignIn(path: string, text: string): Finding[] {
  const values = unusedValues(text)
  return values.length === 0 ? [] : [finding('FOREIGN_VALUES', { values }, { paths: [`memories/${path}`] })]
}

function twoFiles(good: readonly ExaminedFile[]): Finding[] {
  const byId = Map.groupBy(good, ({ id }) => id)
  return [...byId].flatMap(([id, files]) => {
    if (files.length < 2) return []
    const paths = files.toSorted(countsFirst).map(({ path }) => `memories/${path}`)
    return [finding('TWO_FILES', { id }, { paths })]
  })
}
