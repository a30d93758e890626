/** Which folder a constitution is made for. A profile need not have started yet. */
import { readdirSync } from 'node:fs'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { dshHomeOf, type Environment } from '../files/data-folder.ts'
import { chooseFolder, type FolderRequest, isDataFolder } from './choose-folder.ts'
import { type Profile, profilesWithMnemos } from './profiles.ts'

export interface InitFolder {
  folder: string
  profile: string | undefined
}

/**
 * The folder that is meant, or the profiles of which one has to be chosen.
 * @throws MnemosError INVALID_INPUT where the name can be no profile's, NOT_FOUND where no profile has Mnemos.
 */
export function initFolder(
  disk: Disk,
  request: FolderRequest,
  environment: Environment,
): InitFolder | { choices: Profile[] } {
  const { profile } = request
  if (profile !== undefined && /[\\/]|^\.*$/.test(profile))
    throw new MnemosError(
      'INVALID_INPUT',
      `"${profile}" is no name of a profile.`,
      'Name a folder below profiles/ of the host.',
    )
  if (request.data || environment.MNEMOS_DATA?.trim() || profile !== undefined)
    return { folder: chooseFolder(disk, request, environment).folder, profile }
  const dshHome = dshHomeOf(environment)
  const choices = profilesWithMnemos(disk, dshHome)
  const [first] = choices
  if (!first)
    throw new MnemosError(
      'NOT_FOUND',
      `No profile in ${dshHome} has Mnemos.`,
      'Name the profile with --profile, or the folder with --data.',
    )
  const isOne = choices.every(({ folder }) => folder === first.folder)
  return isOne ? { folder: first.folder, profile: first.name } : { choices }
}

/** @throws MnemosError INVALID_INPUT where none of them is named. */
export function chosenAmong(choices: readonly Profile[], name: string | undefined): InitFolder {
  const found = choices.find((one) => one.name === name)
  if (found) return { folder: found.folder, profile: found.name }
  throw new MnemosError(
    'INVALID_INPUT',
    `Several profiles have Mnemos: ${choices.map((one) => one.name).join(', ')}.`,
    'Name one with --profile.',
  )
}

/** What a person may have put there before anything of ours ran. */
const MADE_BY_HAND = ['constitution', 'user-memory']

/** A folder of something else does not become one of ours by mistake. @throws MnemosError REFUSED */
export function refuseForeign(disk: Disk, folder: string): void {
  if (disk.stamp(folder)?.kind !== 'folder' || isDataFolder(folder)) return
  const inside = readdirSync(folder).filter((name) => !MADE_BY_HAND.includes(name) && !name.startsWith('.'))
  if (inside.length === 0) return
  throw new MnemosError(
    'REFUSED',
    `${folder} is no data folder of Mnemos and holds other files (${inside[0]}, …); nothing was changed.`,
    'Name another with --data.',
  )
}
