/**
 * Which stored times can be believed. A clock that was ahead, for a session or by a wrong year in a hand-written file,
 * leaves times that are still to come; such a time is unknown: it leads no order and starts no age.
 */
import { DAY_MS } from '../base/clock.ts'
import type { MemoryRecord } from './record.ts'

/**
 * How far ahead a stored time may lie. The clocks of machines that share a folder differ, by up to 14 hours where one
 * takes its local time for UTC, and what such a machine writes must not fall behind everything else until it is due.
 */
export const AHEAD_MS = DAY_MS

/** The latest time that is believed. @param now both in milliseconds since the epoch. */
export const latestKnown = (now: number): number => now + AHEAD_MS

/**
 * A stored time in milliseconds since the epoch; undefined where it is unknown: no time at all, or one still to come.
 * @param stored ISO or milliseconds. @param now milliseconds.
 */
export function knownTime(stored: string | number | undefined, now: number): number | undefined {
  const ms = typeof stored === 'number' ? stored : Date.parse(stored ?? '')
  return ms <= latestKnown(now) ? ms : undefined
}

/** Oldest first; an unknown time comes last, and is no different from another. */
export function byAge(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a - b
}

/** Newest first; an unknown time comes last as well. */
export function byNews(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return b - a
}

type Dated = Pick<MemoryRecord, 'id' | 'created' | 'order'>

/** An order of records for `sort`, the oldest first; those of an unknown time last, by their order in a session and id. */
export const oldestFirst =
  (now: number) =>
  (a: Dated, b: Dated): number =>
    byAge(knownTime(a.created, now), knownTime(b.created, now)) ||
    (a.order ?? 0) - (b.order ?? 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** As {@link oldestFirst}, the newest first; those of an unknown time are last here too. */
export const newestFirst =
  (now: number) =>
  (a: Dated, b: Dated): number =>
    byNews(knownTime(a.created, now), knownTime(b.created, now)) ||
    (b.order ?? 0) - (a.order ?? 0) ||
    (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
