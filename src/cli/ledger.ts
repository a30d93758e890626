/** `mnemos ledger`: who did what to which record, newest first. */

import { nodeDisk } from '../base/disk.ts'
import { LEDGER_ACTS, ledgerId } from '../files/ledger.ts'
import { instant } from '../search/recall/instant.ts'
import { UserMemoryFolder } from '../user-memory/folder.ts'
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
  const names = namesOf(store)
  const shown = found.slice(0, limit).map((entry) => {
    const name = names.get(entry.id)
    return name === undefined ? entry : { ...entry, name }
  })
  print({ entries: shown, more: found.length - shown.length, unreadable: bad }, [
    ...shown.map(
      ({ at, act, id: which, by, rev: [before, after], session, ...more }) =>
        `${at}  ${act.padEnd(12)}  ${'name' in more ? more.name : which}  ${dim(`rev ${before ?? '-'} → ${after ?? '-'}  ${by}${session === undefined ? '' : `  session ${session}`}`)}`,
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

/**
 * Names that stand in the ledger as hashes, of what is there now. A name that may tell something is kept out of the
 * ledger's file, not from the person who asks.
 */
function namesOf(store: Session['store']): ReadonlyMap<string, string> {
  const inUserMemory = new UserMemoryFolder(nodeDisk, store.layout.userMemory).files.scan().files
  const names = [
    ...store.ids(),
    ...inUserMemory.map(({ path }) => `user-memory/${path.replace(/\.md$/, '')}`),
  ]
  return new Map(names.flatMap((name) => (ledgerId(name) === name ? [] : [[ledgerId(name), name]])))
}
