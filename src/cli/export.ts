/** `mnemos export [file]`: every record as JSON lines, on stdout or in a file of its own. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { nodeDisk, storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { exportHeader, exportHeaderSchema, exportLine } from '../store/export-format.ts'
import { progressBar } from './progress.ts'
import type { Session } from './session.ts'

export async function exportCommand({ store, print }: Session, given: string | undefined): Promise<void> {
  const target = given === undefined || given === '-' ? undefined : targetOf(given, store.layout.root)
  await store.refresh()
  const entries = store.entries()
  const progress = progressBar('Exporting')
  const lines: Buffer[] = []
  for (const [at, { path, copy }] of entries.entries()) {
    const file = store.readFile(path)
    if (file) lines.push(Buffer.from(`${exportLine(file, copy)}\n`))
    progress?.(at + 1, entries.length)
  }
  const whole = [Buffer.from(`${exportHeader(store.now(), lines.length)}\n`), ...lines]
  for (const sentence of leftOut(store)) process.stderr.write(`mnemos: ${sentence}\n`)
  if (target === undefined) {
    for (const line of whole) process.stdout.write(line)
    return
  }
  try {
    nodeDisk.replace(target, Buffer.concat(whole))
  } catch (error) {
    throw storageError(`The export ${target} could not be written`, error)
  }
  print({ file: target, records: lines.length, skipped: store.bad().length, absent: store.absent }, [
    `Exported ${lines.length === 1 ? 'one record' : `${lines.length} records`} to ${target}.`,
  ])
}

/** What is in the folder and not in the export. */
function leftOut(store: Session['store']): string[] {
  const bad = store.bad()
  const are = (n: number) => (n === 1 ? 'One file is' : `${n} files are`)
  return [
    ...(bad.length === 0
      ? []
      : [
          `${are(bad.length)} no record and not in the export: ${bad.map(({ path, reason }) => `${path} (${reason})`).join(', ')}.`,
        ]),
    ...(store.absent === 0 ? [] : [`${are(store.absent)} absent and not in the export: see mnemos doctor.`]),
  ]
}

/** @throws MnemosError where an export must not be written. */
function targetOf(given: string, root: string): string {
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
  const stamp = nodeDisk.stamp(target)
  if (stamp && (stamp.kind !== 'file' || !isExport(target))) {
    throw new MnemosError(
      'REFUSED',
      `${target} is there already and is no export of Mnemos.`,
      'Name another file.',
    )
  }
  return target
}

function isExport(file: string): boolean {
  try {
    const text = nodeDisk.read(file)?.toString('utf8') ?? ''
    return exportHeaderSchema.safeParse(JSON.parse(text.slice(0, text.indexOf('\n')))).success
  } catch {
    // Not JSON, or not to be read: not ours to overwrite.
    return false
  }
}
