/** `mnemos ledger`: who did what to which record, newest first. */

import { LEDGER_ACTS, ledgerId } from '../memory/ledger.ts'
import { instant } from '../memory/recall/instant.ts'
import { limitOf } from './numbers.ts'
import type { Session } from './session.ts'
import { dim, yellow } from './style.ts'

const LINES = 50
export const ACTS = LEDGER_ACTS

interface Options {
  id?: string
  since?: string
  until?: string
  act?: string
  limit?: string
}

export async function ledgerCommand({ store, print }: Session, options: Options): Promise<void> {
  const limit = limitOf(options.limit, LINES)
  const { since } = instant('since', options.since, 'begins')
  const { until } = instant('until', options.until, 'ends')
  const { entries, bad } = store.ledger(since, until)
  const id = options.id === undefined ? undefined : ledgerId(options.id)
  const found = entries
    // A hash may be asked for as it stands in the ledger.
    .filter((entry) => id === undefined || entry.id === id || entry.id === options.id)
    .filter((entry) => options.act === undefined || entry.act === options.act)
    .reverse()
  const shown = found.slice(0, limit)
  print({ entries: shown, more: found.length - shown.length, unreadable: bad }, [
    ...shown.map(
      ({ at, act, id: which, by, rev: [before, after], session }) =>
        `${at}  ${act.padEnd(11)}  ${which}  ${dim(`rev ${before ?? '-'} → ${after ?? '-'}  ${by}${session === undefined ? '' : `  session ${session}`}`)}`,
    ),
    ...(found.length === 0 ? ['The ledger has no such line.'] : []),
    ...(found.length > shown.length
      ? [dim(`${found.length - shown.length} older lines not shown (--limit)`)]
      : []),
    ...(bad.length === 0
      ? []
      : [
          yellow(
            `${bad.length === 1 ? 'One line' : `${bad.length} lines`} of the ledger cannot be read: ${bad.map(({ line, reason }) => `${line} (${reason})`).join(', ')}.`,
          ),
        ]),
  ])
}
