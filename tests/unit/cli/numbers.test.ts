import { expect, it } from 'vitest'
import { limitOf } from '../../../src/cli/numbers.ts'

it('a limit is a whole number from 1 upwards, or none', () => {
  expect([limitOf(undefined), limitOf('1'), limitOf(' 50 ')]).toEqual([undefined, 1, 50])
})

it.each(['', '0', '-1', '1.5', 'many', '1e999', '0x'])('%j is no limit', (given) => {
  expect(() => limitOf(given)).toThrow(`--limit "${given}" is not a whole number. Take one from 1 upwards.`)
})
