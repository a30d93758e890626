import { expect, it } from 'vitest'
import { DAY_MS, iso, systemClock } from '../../../src/base/clock.ts'

it('times are stored as ISO 8601 in UTC with milliseconds', () => {
  expect(iso(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(iso(DAY_MS + 1)).toBe('1970-01-02T00:00:00.001Z')
})

it('the system clock tells the time of the system', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now >= before && now <= Date.now()).toBe(true)
})
