/** `mnemos recent`: the newest records, one line each. */
import { visible } from '../base/visible.ts'
import { STATUSES } from '../memory/record.ts'
import { limitOf } from './numbers.ts'
import type { Session } from './session.ts'
import { bold, dim } from './style.ts'

const RECENT = 20

export async function recentCommand(
  { store, print }: Session,
  options: { limit?: string; all?: boolean },
): Promise<void> {
  const limit = limitOf(options.limit, RECENT)
  const records = await store.recent(limit, options.all === true ? STATUSES : ['active'])
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
}
