/** `mnemos export [file]`: every record as JSON lines, on stdout or in a file of its own. */
import { type Exported, exportRecords, exportTarget, writeExport } from '../answers/export.ts'
import { nodeDisk } from '../base/disk.ts'
import { faultClause } from '../messages/messages.ts'
import { progressBar } from './progress.ts'
import type { Session } from './session.ts'

export async function exportCommand({ store, print }: Session, given: string | undefined): Promise<void> {
  const target =
    given === undefined || given === '-' ? undefined : exportTarget(nodeDisk, given, store.layout.root)
  const exported = await exportRecords(store, progressBar('Exporting'))
  for (const sentence of leftOutSentences(exported)) process.stderr.write(`mnemos: ${sentence}\n`)
  if (target === undefined) {
    for (const line of exported.lines) process.stdout.write(`${line}\n`)
    return
  }
  const written = writeExport(nodeDisk, target, exported)
  const { file, records } = written
  print(written, [`Exported ${records === 1 ? 'one record' : `${records} records`} to ${file}.`])
}

/** What is in the folder and not in the export. */
function leftOutSentences({ bad, absent }: Exported): string[] {
  const are = (n: number) => (n === 1 ? 'One file is' : `${n} files are`)
  return [
    ...(bad.length === 0
      ? []
      : [
          `${are(bad.length)} no record and not in the export: ${bad.map(({ path, fault }) => `${path} (${faultClause(fault)})`).join(', ')}.`,
        ]),
    ...(absent === 0 ? [] : [`${are(absent)} absent and not in the export: see mnemos doctor.`]),
  ]
}
