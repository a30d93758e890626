/** Ledger and tombstones: lines that cannot be read. They are append-only, so nothing in them is mended. */
import type { Disk } from '../base/disk.ts'
import { readJsonl } from '../files/jsonl.ts'
import type { Layout } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import { tombstoneSchema } from '../files/tombstones.ts'
import { counted, type Finding, finding, named } from './finding.ts'

export function examineJournals(disk: Disk, layout: Layout): Finding[] {
  const ledger = new Ledger(disk, layout.ledger).read().bad
  const tombstones = readJsonl(disk, layout.tombstones, 'tombstones.jsonl', tombstoneSchema).bad
  const lines = (bad: readonly { line: string; reason: string }[]) =>
    `${counted(bad.length, 'line', 'lines')} cannot be read: ${named(bad.map(({ line, reason }) => `${line} (${reason})`))}`
  const findings: Finding[] = []
  if (ledger.length > 0) {
    findings.push(
      finding(
        'LEDGER_LINES',
        `Ledger: ${lines(ledger)}.`,
        'A torn line is one write that a crash cut off; nothing is to be done.',
        {
          paths: ledger.map(({ line }) => `ledger/${line}`),
        },
      ),
    )
  }
  if (tombstones.length > 0) {
    findings.push(
      finding(
        'TOMBSTONE_LINES',
        `Tombstones: ${lines(tombstones)}.`,
        'A deletion that was cut off is finished by the next start; where a line was damaged later, a restored copy may come back.',
        { paths: tombstones.map(({ line }) => line) },
      ),
    )
  }
  return findings
}
