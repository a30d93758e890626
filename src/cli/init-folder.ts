/** The part of `mnemos init` that asks for which profile it is, and which other ones are to share its folder. */
import { chosenAmong, type InitFolder, initFolder } from '../answers/init-folder.ts'
import type { Profile } from '../answers/profiles.ts'
import { apartFrom, namedAmong, otherProfiles } from '../answers/sharing.ts'
import { nodeDisk } from '../base/disk.ts'
import { dshHomeOf, type Environment } from '../files/data-folder.ts'
import type { Questions } from './init-questions.ts'
import { givenUp } from './passphrase.ts'
import type { Globals } from './session.ts'

/** @throws MnemosError where it is not clear which folder is meant, or the person gave up. */
export async function askedFolder(
  globals: Globals,
  questions: Questions | undefined,
  environment: Environment,
): Promise<InitFolder> {
  const found = initFolder(nodeDisk, globals, environment)
  if ('folder' in found) return found
  const name = await questions?.profile(found.choices)
  if (name === undefined && questions) throw givenUp()
  return chosenAmong(found.choices, name)
}

/**
 * The other profiles that are to use the folder: those that are named, else those that the person picks.
 * @throws MnemosError NOT_FOUND where a named one has no Mnemos, REFUSED where the person gave up.
 */
export async function askedSharing(
  named: readonly string[] | undefined,
  { folder, profile }: InitFolder,
  globals: Globals,
  questions: Questions | undefined,
  environment: Environment,
): Promise<Profile[]> {
  const others = otherProfiles(nodeDisk, dshHomeOf(environment), profile)
  if (named !== undefined) return namedAmong(others, named)
  const apart = apartFrom(others, folder)
  // A folder that is named for this run only is nobody's to share.
  const isRunOnly = Boolean(environment.MNEMOS_DATA?.trim()) && !globals.data
  if (!questions || apart.length === 0 || isRunOnly) return []
  const picked = await questions.share(folder, apart)
  if (picked === undefined) throw givenUp()
  return namedAmong(apart, picked)
}
