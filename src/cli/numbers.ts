/** Options that are numbers. */
import { MnemosError } from '../base/errors.ts'

/** @returns undefined where none is given. @throws MnemosError INVALID_INPUT */
export function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new MnemosError(
    'INVALID_INPUT',
    `--limit "${given}" is not a whole number.`,
    'Take one from 1 upwards.',
  )
}
