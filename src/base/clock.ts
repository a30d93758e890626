/** Where time comes from. Tests pass their own; everything else uses {@link systemClock}. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** An instant as ISO 8601 in UTC with milliseconds, the only form in which times are stored. */
export const iso = (ms: number): string => new Date(ms).toISOString()

export const DAY_MS = 86_400_000
