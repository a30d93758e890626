/** Dates as people and models write them in a scope: days of their own time zone. */
import { MnemosError } from '../../base/errors.ts'
import { cut } from '../../base/text.ts'
import { instantOf } from '../../record/instant.ts'

/**
 * A bound of a scope as ISO time: `{ since: … }`, or nothing when none was given. A day alone means its beginning or its
 * end, where this machine is; so does a time that names no zone.
 * @throws MnemosError INVALID_INPUT when it is no date.
 */
export function instant<K extends string>(
  name: K,
  given: string | undefined,
  day: 'begins' | 'ends',
): { [P in K]?: string } {
  const text = given?.trim() ?? ''
  if (text === '') return {}
  const start = instantOf(text, 'local')
  if (start === undefined) {
    throw new MnemosError(
      'INVALID_INPUT',
      `${name} "${cut(text, 40)}" is no date.`,
      'Write it like 2026-11-30 or 2026-11-30T08:00:00Z.',
    )
  }
  const at = new Date(start)
  if (day === 'ends' && /^\d{4}-\d{2}-\d{2}$/.test(text)) {
    // By the calendar: where the clocks change, a day has no 24 hours.
    at.setDate(at.getDate() + 1)
    at.setMilliseconds(at.getMilliseconds() - 1)
  }
  return { [name]: at.toISOString() } as { [P in K]?: string }
}
