/** One data folder for several profiles. */
import { resolve } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { dataFolder } from '../files/data-folder.ts'
import { changeProfiles } from '../files/profiles.ts'
import { type Profile, profilesWithMnemos } from './profiles.ts'

/** The profiles that could use the folder besides this one. */
export const otherProfiles = (disk: Disk, dshHome: string, profile: string | undefined): Profile[] =>
  profilesWithMnemos(disk, dshHome).filter(({ name }) => name !== profile)

/** Those of them that use another folder, and would use this one if it were chosen. */
export const apartFrom = (others: readonly Profile[], folder: string): Profile[] =>
  others.filter((one) => !one.configured && resolve(one.folder) !== resolve(folder))

/** Those of them that are named. @throws MnemosError NOT_FOUND where a name is none of theirs. */
export function namedAmong(others: readonly Profile[], names: readonly string[]): Profile[] {
  const unknown = names.find((name) => !others.some((one) => one.name === name))
  if (unknown !== undefined)
    throw new MnemosError(
      'NOT_FOUND',
      `There is no other profile "${unknown}" that has Mnemos.`,
      others.length === 0
        ? 'There is none at all.'
        : `There is: ${others.map(({ name }) => name).join(', ')}.`,
    )
  return others.filter(({ name }) => names.includes(name))
}

/**
 * Refuses what would not hold, before anything is done for it.
 * @param names of {@link profilesWithMnemos}.
 * @throws MnemosError where a profile's own config says otherwise.
 */
export function assertShareable(disk: Disk, dshHome: string, folder: string, names: readonly string[]): void {
  const own = profilesWithMnemos(disk, dshHome).filter(
    (one) => names.includes(one.name) && one.configured && one.folder !== folder,
  )
  if (own.length > 0) {
    throw new MnemosError(
      'REFUSED',
      `The config of ${own.map(({ name }) => name).join(', ')} names a data folder of its own, which wins; nothing was changed.`,
      "Take dataDir out of that profile's cordis.patch.yml, start it once, and try again.",
    )
  }
  // A choice that would not hold is refused now, not found out at the next start.
  for (const profile of names) {
    const { problem } = dataFolder({
      disk,
      environment: {},
      dshHome,
      profile,
      configured: '',
      chosen: folder,
    })
    if (problem !== undefined) throw new MnemosError('INVALID_INPUT', problem, 'Choose another folder.')
  }
}

/** Lets profiles use one folder ({@link assertShareable}). The plugin finds it in `profiles.json` at its next start. */
export async function shareFolder(
  disk: Disk,
  dshHome: string,
  folder: string,
  names: readonly string[],
): Promise<void> {
  await changeProfiles(disk, dshHome, (known) => {
    const chosen = names.map((name) => [name, { ...known.profiles[name], dataDir: folder, chosen: folder }])
    return { ...known, profiles: { ...known.profiles, ...Object.fromEntries(chosen) } }
  })
}
