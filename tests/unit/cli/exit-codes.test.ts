import { expect, it } from 'vitest'
import { type ErrorCode, MnemosError } from '../../../src/base/errors.ts'
import { exitCodeOf } from '../../../src/cli/exit-codes.ts'

it.each<[ErrorCode, number]>([
  ['INVALID_INPUT', 2],
  ['NOT_FOUND', 3],
  ['DELETED', 3],
  ['REFUSED', 4],
  ['NOBODY_TO_ASK', 4],
  ['CHANGED_MEANWHILE', 4],
  ['LOCKED', 5],
  ['READ_ONLY', 5],
  ['UNAVAILABLE', 5],
  ['STORAGE', 1],
])('%s ends with %i, which scripts rely on', (code, exit) => {
  expect(exitCodeOf(new MnemosError(code, 'x', ''))).toBe(exit)
})

it('whatever else was thrown is a failure', () => {
  expect([exitCodeOf(new Error('x')), exitCodeOf(undefined)]).toEqual([1, 1])
})
