import { expect, it } from 'vitest'
import { instant } from '../../../../src/search/recall/instant.ts'

it('a day means its beginning or its end', () => {
  expect(instant('since', '2026-11-30', 'begins')).toEqual({ since: '2026-11-30T00:00:00.000Z' })
  expect(instant('until', ' 2026-11-30 ', 'ends')).toEqual({ until: '2026-11-30T23:59:59.999Z' })
})

it('a time means itself, at either end', () => {
  expect(instant('until', '2026-11-30T08:00:00Z', 'ends')).toEqual({ until: '2026-11-30T08:00:00.000Z' })
})

it('nothing given is no bound, and what is no date is refused by its name', () => {
  expect([instant('since', undefined, 'begins'), instant('since', ' ', 'begins')]).toEqual([{}, {}])
  expect(() => instant('since', 'soon', 'begins')).toThrow(/since "soon" is no date/)
})
