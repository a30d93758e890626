/** Ledger and tombstones: lines that cannot be read, and deletions that the tombstones have lost. */
import type { Disk } from '../base/disk.ts'
import { faultOf } from '../files/file-fault.ts'
import type { BadLine } from '../files/jsonl.ts'
import type { Layout } from '../files/layout.ts'
import { Ledger } from '../files/ledger.ts'
import type { Tombstones } from '../files/tombstones.ts'
import { type Finding, finding } from './finding.ts'

/** @param tombstones as they were just read. */
export function examineJournals(disk: Disk, layout: Layout, tombstones: Tombstones): Finding[] {
  const { bad: ledger, unread: notRead } = ledgerLines(disk, layout)
  const { lines = [], unread = [], onlyInLedger = 0 } = tombstones.damage() ?? {}
  return [
    ...notRead,
    ...(ledger.length === 0
      ? []
      : [finding('LEDGER_LINES', { lines: ledger }, { paths: ledger.map(({ line }) => `ledger/${line}`) })]),
    ...(lines.length === 0
      ? []
      : [finding('TOMBSTONE_LINES', { lines }, { paths: lines.map(({ line }) => line), fixable: true })]),
    // Where something else stands in its place, that is reported as such.
    ...unread
      .filter(({ fault }) => fault.code !== 'NOT_REGULAR')
      .map(({ name, fault }) => finding('TOMBSTONES_UNREADABLE', { fault }, { paths: [name] })),
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

/** The lines of the ledger that cannot be read, or that none of it can. */
function ledgerLines(disk: Disk, layout: Layout): { bad: readonly BadLine[]; unread: Finding[] } {
  try {
    return { bad: new Ledger(disk, layout.ledger).read().bad, unread: [] }
  } catch (error) {
    return { bad: [], unread: [finding('BAD_FILE', { fault: faultOf(error) }, { paths: ['ledger'] })] }
  }
}
