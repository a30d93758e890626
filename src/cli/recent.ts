/** `mnemos recent`: the newest records, one line each. */
import { answerRecent } from '../answers/recent.ts'
import { visible } from '../base/visible.ts'
import { shownDay } from '../record/day.ts'
import { limitOf } from './numbers.ts'
import { beside, type Session, skippedLines } from './session.ts'
import { bold, dim } from './style.ts'

export async function recentCommand(
  { store, print }: Session,
  { limit, all }: { limit?: string; all?: boolean },
): Promise<void> {
  const { records, more, skipped } = await answerRecent(store, { limit: limitOf(limit), all })
  print(
    records,
    records.length === 0
      ? ['There are no records yet.']
      : records.map(
          ({ id, created, kind, status, summary }) =>
            `${bold(id)}  ${dim(`${shownDay(created)} ${status === 'active' ? kind : `${kind}, ${status}`}`)}  ${visible(summary)}`,
        ),
  )
  // The answer for scripts is a list and stays one, so this goes beside it.
  beside([...(more > 0 ? [`mnemos: ${more} more not shown (--limit).`] : []), ...skippedLines(skipped)])
}
