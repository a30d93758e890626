/** Ledger and tombstones: lines that cannot be read, and deletions that the tombstones have lost. */
import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { type Finding, finding } from './finding.ts'

/** @param tombstones as they were just read. */
export function examineJournals(disk: Disk, layout: Layout, tombstones: Tombstones): Finding[] {
  const ledger = new Ledger(disk, layout.ledger).read().bad
  const { lines = [], unread = [], onlyInLedger = 0 } = tombstones.damage() ?? {}
  return [
    ...(ledger.length === 0
      ? []
      : [finding('LEDGER_LINES', { lines: ledger }, { paths: ledger.map(({ line }) => `ledger/${line}`) })]),
    ...(lines.length === 0
      ? []
      : [finding('TOMBSTONE_LINES', { lines }, { paths: lines.map(({ line }) => line), fixable: true })]),
    ...unread.map(({ name, fault }) => finding('TOMBSTONES_UNREADABLE', { fault }, { paths: [name] })),
    ...(onlyInLedger === 0
      ? []
      : [
          finding(
            'TOMBSTONES_MISSING',
            { count: onlyInLedger },
            { paths: ['tombstones.jsonl'], fixable: true },
          ),
        ]),
  ]
}
