/** What the command line's exit codes mean; a script may rely on them. */
import { type ErrorCode, MnemosError } from '../base/errors.ts'

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  'not found': 3,
  refused: 4,
  unavailable: 5,
} as const

const BY_CODE: Record<ErrorCode, number> = {
  INVALID_INPUT: EXIT.usage,
  NOT_FOUND: EXIT['not found'],
  DELETED: EXIT['not found'],
  REFUSED: EXIT.refused,
  NOBODY_TO_ASK: EXIT.refused,
  CHANGED_MEANWHILE: EXIT.refused,
  LOCKED: EXIT.unavailable,
  READ_ONLY: EXIT.unavailable,
  STORAGE: EXIT.failed,
  UNAVAILABLE: EXIT.unavailable,
}

export const exitCodeOf = (error: unknown): number =>
  error instanceof MnemosError ? BY_CODE[error.code] : EXIT.failed
