/** The passphrase: from the environment for scripts, else asked at the terminal, where it is not shown. */
import { isCancel, password } from '@clack/prompts'
import { MnemosError } from '../base/errors.ts'
import {
  checkPassphrase,
  checkWellFormed,
  isTooShort,
  PASSPHRASE_CHARACTERS,
} from '../constitution/passphrase.ts'
import type { Environment } from '../files/data-folder.ts'

const VARIABLE = 'MNEMOS_PASSPHRASE'

/** Asks for one passphrase; undefined where the person gave up. */
export type AskPassphrase = (message: string) => Promise<string | undefined>

export const atTerminal: AskPassphrase = async (message) => {
  const given = await password({ message })
  return isCancel(given) ? undefined : given
}

/** Undefined where there is nobody to ask. */
export const terminal = (quiet: boolean): AskPassphrase | undefined =>
  !quiet && process.stdin.isTTY === true ? atTerminal : undefined

/** The person ended the questions. */
export const givenUp = () =>
  new MnemosError('REFUSED', 'Nothing was changed.', 'Run it again when you want it.')

/** @throws MnemosError REFUSED where there is none and nobody to ask, INVALID_INPUT where it is not UTF-8. */
export async function knownPassphrase(
  ask: AskPassphrase | undefined,
  environment: Environment,
): Promise<string> {
  const given = environment[VARIABLE]
  if (given) {
    checkWellFormed(given)
    return given
  }
  if (!ask) throw nobody()
  const answer = await ask('Passphrase of the constitution')
  if (answer === undefined) throw givenUp()
  checkWellFormed(answer)
  return answer
}

/**
 * A new passphrase. One that is too short or mistyped is asked for again.
 * @throws MnemosError REFUSED where there is none and nobody to ask, or the person gave up.
 */
export async function newPassphrase(
  ask: AskPassphrase | undefined,
  environment: Environment,
): Promise<string> {
  const given = environment[VARIABLE]
  if (given) {
    checkPassphrase(given)
    return given
  }
  if (!ask) throw nobody()
  const wanted = `A new passphrase, at least ${PASSPHRASE_CHARACTERS} characters, for every later change of the constitution`
  for (let wrong = ''; ; ) {
    const first = await ask(`${wrong}${wanted}`)
    if (first === undefined) throw givenUp()
    if (isTooShort(first)) {
      wrong = `That has fewer than ${PASSPHRASE_CHARACTERS} characters. `
      continue
    }
    const second = await ask('The same once more')
    if (second === undefined) throw givenUp()
    if (first === second) return first
    wrong = 'The two differ. '
  }
}

const nobody = () =>
  new MnemosError(
    'REFUSED',
    'Nothing was changed: there is no terminal to ask for the passphrase at.',
    `For scripts, give it in ${VARIABLE}, for this one command.`,
  )
