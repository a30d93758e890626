/** Days and times as people write them. */

/** Where a time that names no zone is taken to be: in files `utc`, so that every machine reads the same. */
export type Zone = 'utc' | 'local'

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/
const NO_ZONE = /^\d{4}-\d{2}-\d{2}(?:[T ] *(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/
const NAMES_ZONE = /(?:\dZ|\b(?!AM$|PM$|Z$)[A-Z]{2,5}| Z|[\dA-Z] *[+-]\d{1,2}(?::?\d{2})?)(?: *\([^)]*\))?$/i

/**
 * Milliseconds of a day or time in ISO 8601; undefined for anything else, and for a day that no month has. A day alone is
 * its beginning.
 */
export function instantOf(written: string, zone: Zone = 'utc'): number | undefined {
  const text = written.trim()
  const [, year, month, day] = DAY.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (!isDay(`${year}-${month}-${day}`)) return undefined
  const clock = NO_ZONE.exec(text)
  const ms = clock
    ? onClock([Number(year), Number(month), Number(day)], clock.slice(1), zone)
    : Date.parse(zone === 'local' || NAMES_ZONE.test(text) ? text : `${text} UTC`)
  return Number.isNaN(ms) ? undefined : ms
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === day
}

type YearMonthDay = readonly [year: number, month: number, day: number]

/** @param clock hours, minutes, seconds and their fraction, as far as they are written. */
function onClock(
  [year, month, day]: YearMonthDay,
  clock: readonly (string | undefined)[],
  zone: Zone,
): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.slice(0, 3).map((part) => Number(part ?? 0))
  const isOnClock = hours < 24 ? minutes < 60 && seconds < 60 : hours === 24 && minutes + seconds === 0
  if (!isOnClock) return Number.NaN
  const at = new Date(0)
  const rest = [hours, minutes, seconds, Number(`${clock[3] ?? ''}000`.slice(0, 3))] as const
  // The setters, since `Date.UTC` takes a year below 100 for one of the last century.
  if (zone === 'utc') {
    at.setUTCFullYear(year, month - 1, day)
    return at.setUTCHours(...rest)
  }
  at.setFullYear(year, month - 1, day)
  return at.setHours(...rest)
}
