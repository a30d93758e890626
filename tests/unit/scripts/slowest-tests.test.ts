import { expect, it } from 'vitest'
import { slowestLines } from '../../../scripts/slowest-tests.ts'

it('the ten slowest tests are listed with their durations, and the sum of all', () => {
  const tests = Array.from({ length: 12 }, (_, n) => ({
    name: `unit a.test.ts > number ${n}`,
    ms: n * 100.4,
  }))
  const lines = slowestLines(tests)
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('The 10 slowest of 12 tests, which took 6.6 s together:')
  expect(lines[1]).toBe('  1104 ms  unit a.test.ts > number 11')
  expect(lines.at(-1)).toBe('   201 ms  unit a.test.ts > number 2')
  expect(slowestLines([])).toEqual(['The 0 slowest of 0 tests, which took 0.0 s together:'])
})
