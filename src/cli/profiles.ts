/** The profiles of this machine that have Mnemos, and one folder for several of them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { dataFolder } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'
import { changeProfiles, noteProfile, readProfiles } from '../files/profiles.ts'
import { RecordFiles } from '../files/record-files.ts'

export interface Profile {
  name: string
  folder: string
  /** Record files in it. */
  files: number
  /** Files of its user memory. */
  userMemory: number
  /** Whether a constitution lies in it. */
  constitution: boolean
  /** Its own config names the folder, which wins over what is chosen. */
  configured: boolean
}

const PACKAGE = 'dsh-mnemos-continuity'

/** Those that were started with Mnemos, and those that have it installed and were not. By name. */
export function profilesWithMnemos(dshHome: string): Profile[] {
  const { profiles: noted } = readProfiles(nodeDisk, dshHome)
  const home = join(dshHome, 'profiles')
  const installed = (nodeDisk.list(home) ?? [])
    .filter(({ name, kind }) => kind === 'folder' && existsSync(join(home, name, 'node_modules', PACKAGE)))
    .map(({ name }) => name)
  return [...new Set([...Object.keys(noted), ...installed])].sort().map((name) => {
    const folder = noted[name]?.dataDir ?? standardFolder(dshHome, name)
    const layout = layoutOf(folder)
    const filesIn = (root: string) => new RecordFiles(nodeDisk, root).scan().files.length
    return {
      name,
      folder,
      files: filesIn(layout.memories),
      userMemory: filesIn(layout.userMemory),
      constitution: existsSync(layout.constitution) || existsSync(layout.audit),
      configured: noted[name]?.configured ?? false,
    }
  })
}

/** Whether the host knows the profile: it makes a folder for it at its first start. */
export const isProfile = (dshHome: string, name: string): boolean =>
  existsSync(join(dshHome, 'profiles', name))

/** What a profile's folder holds of a person's, in words; empty where it holds nothing. */
export function holdings({ files, userMemory, constitution }: Profile): string {
  const parts = [
    ...(files === 0
      ? []
      : [files === 1 ? 'one record file in memories/' : `${files} record files in memories/`]),
    ...(userMemory === 0
      ? []
      : [userMemory === 1 ? 'one file in user-memory/' : `${userMemory} files in user-memory/`]),
    ...(constitution ? ['its constitution in constitution/'] : []),
  ]
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

const standardFolder = (dshHome: string, profile: string): string =>
  dataFolder({ environment: {}, dshHome, profile, configured: '' }).folder

/**
 * Refuses what would not hold, before anything is done for it.
 * @param names of {@link profilesWithMnemos}.
 * @throws MnemosError where a profile's own config says otherwise.
 */
export function assertShareable(dshHome: string, folder: string, names: readonly string[]): void {
  const own = profilesWithMnemos(dshHome).filter(
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
    const { problem } = dataFolder({ environment: {}, dshHome, profile, configured: '', chosen: folder })
    if (problem !== undefined) throw new MnemosError('INVALID_INPUT', problem, 'Choose another folder.')
  }
}

/** Lets profiles use one folder ({@link assertShareable}). The plugin finds it in `profiles.json` at its next start. */
export async function shareFolder(dshHome: string, folder: string, names: readonly string[]): Promise<void> {
  await changeProfiles(nodeDisk, dshHome, (known) => {
    const chosen = names.map((name) => [name, { ...known.profiles[name], dataDir: folder, chosen: folder }])
    return { ...known, profiles: { ...known.profiles, ...Object.fromEntries(chosen) } }
  })
}

/** An installed profile that never started is noted, so that the other commands find its folder. */
export async function noteUnstarted(dshHome: string, profile: string, folder: string): Promise<void> {
  const isInstalled = profilesWithMnemos(dshHome).some(({ name }) => name === profile)
  if (!isInstalled || readProfiles(nodeDisk, dshHome).profiles[profile] !== undefined) return
  await noteProfile(nodeDisk, dshHome, profile, { dataDir: folder })
}
