/** Every record as JSON lines, and where they may be written. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type Disk, storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { Progress } from '../store/catalog.ts'
import { exportHeader, exportHeaderSchema, exportLine } from '../store/export-format.ts'
import type { SkippedFile } from '../store/known-files.ts'
import type { Store } from '../store/store.ts'

export interface Exported {
  /** The header, then one line for each record; without line ends. */
  lines: string[]
  records: number
  /** Files that are no record and not among the lines. */
  bad: SkippedFile[]
  /** Files that vanished together and are not among the lines. */
  absent: number
}

export interface ExportAnswer {
  file: string
  records: number
  skipped: number
  absent: number
}

export async function exportRecords(store: Store, progress?: Progress): Promise<Exported> {
  await store.refresh()
  const entries = store.entries()
  const lines: string[] = []
  for (const [at, { path, copy }] of entries.entries()) {
    const file = store.readFile(path)
    if (file) lines.push(exportLine(file, copy))
    progress?.(at + 1, entries.length)
  }
  const { length: records } = lines
  return {
    lines: [exportHeader(store.now(), records), ...lines],
    records,
    bad: store.bad(),
    absent: store.absent,
  }
}

/** @throws MnemosError STORAGE where the file could not be written. */
export function writeExport(
  disk: Disk,
  file: string,
  { lines, records, bad, absent }: Exported,
): ExportAnswer {
  try {
    disk.replace(file, Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`))))
  } catch (error) {
    throw storageError(`The export ${file} could not be written`, error)
  }
  return { file, records, skipped: bad.length, absent }
}

/**
 * The file that an export may be written to, absolute and without links.
 * @param root of the data folder.
 * @throws MnemosError NOT_FOUND where its folder is missing, REFUSED where an export must not lie there.
 */
export function exportTarget(disk: Disk, given: string, root: string): string {
  const asked = resolve(given)
  let target: string
  try {
    target = join(realpathSync(dirname(asked)), basename(asked))
  } catch (error) {
    throw new MnemosError(
      'NOT_FOUND',
      `There is no folder ${dirname(asked)} (${reasonOf(error)}).`,
      'Make it first.',
    )
  }
  const inside = relative(realpathSync(root), target)
  if (inside === '' || !(inside.startsWith('..') || isAbsolute(inside))) {
    throw new MnemosError(
      'REFUSED',
      'An export does not belong into the data folder: what is deleted later would stay in it.',
      'Name a file somewhere else.',
    )
  }
  const stamp = disk.stamp(target)
  if (stamp && (stamp.kind !== 'file' || !isExport(disk, target))) {
    throw new MnemosError(
      'REFUSED',
      `${target} is there already and is no export of Mnemos.`,
      'Name another file.',
    )
  }
  return target
}

function isExport(disk: Disk, file: string): boolean {
  try {
    const text = disk.read(file)?.toString('utf8') ?? ''
    return exportHeaderSchema.safeParse(JSON.parse(text.slice(0, text.indexOf('\n')))).success
  } catch {
    // Not JSON, or not to be read: not ours to overwrite.
    return false
  }
}
