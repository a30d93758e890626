/** Ledger and tombstones: lines that cannot be read. They are append-only, so nothing in them is repaired. */
import type { Disk } from '../base/disk.ts'
import { readJsonl } from '../files/jsonl.ts'
import type { Layout } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import { tombstoneSchema } from '../files/tombstones.ts'
import { type Finding, finding } from './finding.ts'

export function examineJournals(disk: Disk, layout: Layout): Finding[] {
  const ledger = new Ledger(disk, layout.ledger).read().bad
  const tombstones = readJsonl(disk, layout.tombstones, 'tombstones.jsonl', tombstoneSchema).bad
  return [
    ...(ledger.length === 0
      ? []
      : [finding('LEDGER_LINES', { lines: ledger }, { paths: ledger.map(({ line }) => `ledger/${line}`) })]),
    ...(tombstones.length === 0
      ? []
      : [finding('TOMBSTONE_LINES', { lines: tombstones }, { paths: tombstones.map(({ line }) => line) })]),
  ]
}
