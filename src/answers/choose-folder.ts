/** Which data folder is meant, where a profile or a folder may be named. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { Home } from '../constitution/constitution-files.ts'
import { readOnlyError } from '../files/claim.ts'
import { dataFolder, dshHomeOf, type Environment } from '../files/data-folder.ts'
import { isUnmounted, readProfiles } from '../files/profiles.ts'

export interface FolderRequest {
  profile?: string | undefined
  data?: string | undefined
}

export interface ChosenFolder {
  /** Absolute. */
  folder: string
  /** The profiles whose settings hold: the one that was named, else those that are known to use the folder. */
  profiles: readonly string[]
}

/** @throws MnemosError when it is not clear which folder is meant. */
export function chooseFolder(
  disk: Disk,
  { profile, data }: FolderRequest,
  environment: Environment,
): ChosenFolder {
  const named = profile === undefined ? [] : [profile]
  const dshHome = dshHomeOf(environment)
  const { profiles: known } = readProfiles(disk, dshHome)
  if (data) {
    const folder = resolve(data)
    const users = Object.keys(known).filter((name) => known[name]?.dataDir === folder)
    return { folder, profiles: profile === undefined ? users : named }
  }
  const standard = (name: string) =>
    dataFolder({ disk, environment, dshHome, profile: name, configured: '' }).folder
  if (environment.MNEMOS_DATA?.trim()) return { folder: standard('default'), profiles: named }
  if (profile !== undefined) return { folder: known[profile]?.dataDir ?? standard(profile), profiles: named }
  const names = Object.keys(known)
  const folders = new Set(Object.values(known).map(({ dataDir }) => dataDir))
  const [folder] = folders
  if (folder !== undefined && folders.size === 1) return { folder, profiles: names }
  if (names.length > 1) {
    throw new MnemosError(
      'INVALID_INPUT',
      `Several profiles have a memory of their own: ${names.join(', ')}.`,
      'Name one with --profile.',
    )
  }
  throw new MnemosError(
    'NOT_FOUND',
    `No profile in ${dshHome} has started Mnemos yet.`,
    'Start the host once with the plugin, or name the folder with --data.',
  )
}

/** A command that only looks must not make a data folder out of any folder that it is pointed at. */
export const isDataFolder = (folder: string): boolean =>
  ['version', 'memories'].some((name) => existsSync(join(folder, name)))

/**
 * @throws MnemosError READ_ONLY where it held a memory and nothing of it is there, NOT_FOUND where it never did, or is a
 * folder of something else.
 */
export function assertDataFolder({ disk, dshHome, layout }: Home): void {
  const { root: folder } = layout
  // Before it is said how to make one: that would be made in the place of the disk.
  if (isUnmounted(disk, dshHome, layout)) throw readOnlyError({ code: 'NOT_MOUNTED', root: folder })
  if (!existsSync(folder)) {
    throw new MnemosError(
      'NOT_FOUND',
      `There is no data folder ${folder}.`,
      'Start the host once with the plugin, or name another with --profile or --data.',
    )
  }
  if (isDataFolder(folder)) return
  throw new MnemosError(
    'NOT_FOUND',
    `${folder} is no data folder of Mnemos: it has neither "version" nor "memories".`,
    'Name another with --data, or make the folder memories/ in it.',
  )
}
