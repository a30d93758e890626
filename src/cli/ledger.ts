/** `mnemos ledger`: who did what to which record, newest first. */
import { answerLedger, type NamedEntry } from '../answers/ledger.ts'
import { localTime } from '../base/clock.ts'
import { LEDGER_ACTS } from '../files/ledger.ts'
import { limitOf } from './numbers.ts'
import type { Session } from './session.ts'
import { dim, yellow } from './style.ts'

export const ACTS = LEDGER_ACTS

interface LedgerOptions {
  id?: string
  since?: string
  until?: string
  act?: string
  limit?: string
}

export async function ledgerCommand(
  { memory, print }: Session,
  { limit, ...asked }: LedgerOptions,
): Promise<void> {
  const ledger = answerLedger(memory, { ...asked, limit: limitOf(limit) })
  const { entries, more, unreadable } = ledger
  print(ledger, [
    ...entries.map(ledgerLine),
    ...(entries.length === 0 ? ['The ledger has no such line.'] : []),
    ...(more > 0 ? [dim(`${more} older lines not shown (--limit)`)] : []),
    ...(unreadable.length === 0
      ? []
      : [
          yellow(
            `${unreadable.length === 1 ? 'One line' : `${unreadable.length} lines`} of the ledger cannot be read: ${unreadable.map(({ line, reason }) => `${line} (${reason})`).join(', ')}.`,
          ),
        ]),
  ])
}

function ledgerLine({ at, act, id, by, rev: [before, after], session, name }: NamedEntry): string {
  // The file of a plain note counts no revisions.
  const revisions = before === after ? '' : `rev ${before ?? '-'} → ${after ?? '-'}  `
  const how = `${revisions}${by}${session === undefined ? '' : `  session ${session}`}`
  return `${localTime(at)}  ${act.padEnd(12)}  ${name ?? id}  ${dim(how)}`
}
