/** Dates as people and models write them in a scope. */
import { DAY_MS } from '../../base/clock.ts'
import { MnemosError } from '../../base/errors.ts'
import { cut } from '../../base/text.ts'
import { instantOf } from '../../record/record.ts'

/**
 * A bound of a scope as ISO time: `{ since: … }`, or nothing when none was given. A day alone means its beginning
 * or its end.
 * @throws MnemosError INVALID_INPUT when it is no date.
 */
export function instant<K extends string>(
  name: K,
  given: string | undefined,
  day: 'begins' | 'ends',
): { [P in K]?: string } {
  const text = given?.trim() ?? ''
  if (text === '') return {}
  const start = instantOf(text)
  if (start === undefined) {
    throw new MnemosError(
      'INVALID_INPUT',
      `${name} "${cut(text, 40)}" is no date.`,
      'Write it like 2026-11-30 or 2026-11-30T08:00:00Z.',
    )
  }
  const ms = day === 'ends' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? start + DAY_MS - 1 : start
  return { [name]: new Date(ms).toISOString() } as { [P in K]?: string }
}
