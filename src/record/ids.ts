/** Ids that we make: ten characters without look-alikes, so that one can be read reported and typed. */
import { customAlphabet } from 'nanoid'

/** No 0/o, 1/i/l, no upper case, no vowels that spell words. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const LENGTH = 10
const make = customAlphabet(ALPHABET, LENGTH)
const MADE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** A new id that `taken` does not know. */
export function newId(taken: (id: string) => boolean): string {
  for (;;) {
    const id = make()
    // A digit must be in it, so that no hand-chosen word is ever mistaken for one of ours.
    if (/\d/.test(id) && !taken(id)) return id
  }
}

const SUFFIX_LENGTH = 4
const makeSuffix = customAlphabet(ALPHABET, SUFFIX_LENGTH)

/** A short end for a name that is taken, one that `taken` does not know. */
export function newSuffix(taken: (suffix: string) => boolean): string {
  for (;;) {
    const suffix = makeSuffix()
    if (!taken(suffix)) return suffix
  }
}

/** Whether an id has the shape of those that we make; any other name was chosen by a person and may tell something. */
export const isMadeId = (id: string): boolean => MADE.test(id) && /\d/.test(id)
