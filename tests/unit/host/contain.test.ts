/** What is thrown inside a listener of ours is told, and goes no further. */
import { expect, it } from 'vitest'
import { contained, containedAsync } from '../../../src/host/contain.ts'

const fails = () => {
  throw new Error('broken')
}

it('is told to the report, and the fallback is the answer', async () => {
  const told: string[] = []
  const report = (where: string, error: unknown) => told.push(`${where}: ${error}`)
  expect(contained(report, 'at once', fails, 'fallback')).toBe('fallback')
  expect(await containedAsync(report, 'later', async () => fails(), 'fallback')).toBe('fallback')
  expect(await containedAsync(report, 'before it waits', fails, 'fallback')).toBe('fallback')
  expect(told).toEqual(['at once', 'later', 'before it waits'].map((where) => `${where}: Error: broken`))
  expect(contained(report, 'well', () => 1, 2)).toBe(1)
  expect(told).toHaveLength(3)
})
