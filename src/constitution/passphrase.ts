/** What a passphrase must be. */
import { MnemosError } from '../base/errors.ts'

/** The fewest characters of a passphrase; scrypt slows guessing and cannot make a short one long. */
export const PASSPHRASE_CHARACTERS = 8

/** Whether it has too few characters for a new one. */
export const isTooShort = (passphrase: string): boolean => [...passphrase].length < PASSPHRASE_CHARACTERS

/** @throws MnemosError INVALID_INPUT where it was not UTF-8: other bytes, decoded the same way, would open it too. */
export function checkWellFormed(passphrase: string): void {
  if (passphrase.isWellFormed() && !passphrase.includes('\ufffd')) return
  throw new MnemosError(
    'INVALID_INPUT',
    'The passphrase is not UTF-8; nothing was changed.',
    'Take one that is text in the encoding of this terminal.',
  )
}

/** Checks a new passphrase. @throws MnemosError INVALID_INPUT where it is not UTF-8 or too short. */
export function checkPassphrase(passphrase: string): void {
  checkWellFormed(passphrase)
  if (!isTooShort(passphrase)) return
  throw new MnemosError(
    'INVALID_INPUT',
    `The passphrase has fewer than ${PASSPHRASE_CHARACTERS} characters; nothing was changed.`,
    'Take a longer one.',
  )
}
