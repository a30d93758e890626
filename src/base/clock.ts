/** Where time comes from. Tests pass their own; everything else uses {@link systemClock}. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** An instant as ISO 8601 in UTC with milliseconds, the only form in which times are stored. */
export const iso = (ms: number): string => new Date(ms).toISOString()

const two = (n: number) => String(n).padStart(2, '0')

/** The day of an instant where this machine is, for a person to read: `2026-11-30`. @param at ISO. */
export function localDay(at: string): string {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** As {@link localDay}, with the hour and minute: `2026-11-30 08:00`, for a sentence. @param at ISO. */
export function localMinute(at: string): string {
  const date = new Date(at)
  return `${localDay(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** As {@link localMinute}, with the seconds: `2026-11-30 08:00:00`, for a list. @param at ISO. */
export const localTime = (at: string): string => `${localMinute(at)}:${two(new Date(at).getSeconds())}`

export const DAY_MS = 86_400_000
