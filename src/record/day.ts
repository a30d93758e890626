/**
 * Days without a time. A person who dates a note by a day (`created: 2026-01-05`) means that day wherever they are, and no
 * one instant lies in it everywhere: it is stored as its beginning in UTC, and that instant is read as the day.
 */
import { DAY_MS, localDay } from '../base/clock.ts'

/** Whether an instant stands for a day without a time: midnight UTC to the millisecond. @param ms since the epoch. */
export const isWholeDay = (ms: number): boolean => ms % DAY_MS === 0

/** The day of a record for a person to read: of their own zone, but a day without a time as it was written. @param at ISO. */
export const shownDay = (at: string): string =>
  isWholeDay(Date.parse(at)) ? new Date(at).toISOString().slice(0, 10) : localDay(at)

/** What stands for the day that an instant falls on where this machine is. @param ms since the epoch, both ways. */
export function wholeDayOf(ms: number): number {
  const at = new Date(ms)
  const day = new Date(0)
  // The setter, since `Date.UTC` takes a year below 100 for one of the last century.
  return day.setUTCFullYear(at.getFullYear(), at.getMonth(), at.getDate())
}
