/** `mnemos recent`: the newest records, one line each. */
import { visible } from '../base/visible.ts'
import { STATUSES, type Status } from '../record/record.ts'
import { limitOf } from './numbers.ts'
import { aside, type Session, skippedLines } from './session.ts'
import { bold, dim } from './style.ts'

const RECENT = 20

export async function recentCommand(
  { store, print }: Session,
  options: { limit?: string; all?: boolean },
): Promise<void> {
  const limit = limitOf(options.limit, RECENT)
  const statuses = options.all === true ? STATUSES : (['active'] as const)
  const records = await store.recent(limit, statuses)
  print(
    records.map(({ id, kind, source, status, summary, tags, created, updated }) => ({
      id,
      kind,
      source,
      status,
      summary,
      tags,
      created,
      updated,
    })),
    records.length === 0
      ? ['There are no records yet.']
      : records.map(
          ({ id, created, kind, status, summary }) =>
            `${bold(id)}  ${dim(`${created.slice(0, 10)} ${status === 'active' ? kind : `${kind}, ${status}`}`)}  ${visible(summary)}`,
        ),
  )
  // The answer for scripts is a list and stays one, so this goes beside it.
  const more = (await countOf(store, statuses)) - records.length
  aside([...(more > 0 ? [`mnemos: ${more} more not shown (--limit).`] : []), ...skippedLines(store)])
}

async function countOf(store: Session['store'], statuses: readonly Status[]): Promise<number> {
  const { total, byStatus } = await store.counts()
  const counted = Object.values(byStatus).length > 0 || total === 0
  // Without an index nothing counts by status, and the files are read for the list anyway.
  if (!counted) return (await store.recent(total, statuses)).length
  return statuses.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0)
}
