/** Options that are numbers. */
import { MnemosError } from '../base/errors.ts'

/** @throws MnemosError INVALID_INPUT */
export function limitOf(given: string | undefined, otherwise: number): number {
  const limit = given === undefined ? otherwise : Number(given)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new MnemosError('INVALID_INPUT', `--limit "${given}" is no number from 1 up.`)
}
