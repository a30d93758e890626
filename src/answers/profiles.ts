/** The profiles of this machine that have Mnemos. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { dataFolder } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'
import { noteProfile, readProfiles } from '../files/profiles.ts'
import { RecordFiles } from '../files/record-files.ts'

/** What lies in a data folder of a person's. */
export interface Holdings {
  /** Record files. */
  files: number
  /** Files of the user memory. */
  userMemory: number
  /** Whether there is a constitution. */
  constitution: boolean
}

export interface Profile extends Holdings {
  name: string
  folder: string
  /** Its own config names the folder, which wins over what is chosen. */
  configured: boolean
}

const PACKAGE = 'dsh-mnemos-continuity'

/** Those that were started with Mnemos, and those that have it installed and were not. By name. */
export function profilesWithMnemos(disk: Disk, dshHome: string): Profile[] {
  const { profiles: noted } = readProfiles(disk, dshHome)
  const home = join(dshHome, 'profiles')
  const installed = (disk.list(home) ?? [])
    .filter(({ name, kind }) => kind === 'folder' && existsSync(join(home, name, 'node_modules', PACKAGE)))
    .map(({ name }) => name)
  return [...new Set([...Object.keys(noted), ...installed])].sort().map((name) => {
    const folder = noted[name]?.dataDir ?? standardFolder(disk, dshHome, name)
    return { name, folder, ...holdingsOf(disk, folder), configured: noted[name]?.configured ?? false }
  })
}

function holdingsOf(disk: Disk, folder: string): Holdings {
  const layout = layoutOf(folder)
  const filesIn = (root: string) => new RecordFiles(disk, root).scan().files.length
  return {
    files: filesIn(layout.memories),
    userMemory: filesIn(layout.userMemory),
    constitution: existsSync(layout.constitution) || existsSync(layout.audit),
  }
}

export const holdsNothing = ({ files, userMemory, constitution }: Holdings): boolean =>
  files === 0 && userMemory === 0 && !constitution

/** Whether the host knows the profile: it makes a folder for it at its first start. */
export const isProfile = (dshHome: string, name: string): boolean =>
  existsSync(join(dshHome, 'profiles', name))

const standardFolder = (disk: Disk, dshHome: string, profile: string): string =>
  dataFolder({ disk, environment: {}, dshHome, profile, configured: '' }).folder

/** An installed profile that never started is noted, so that the command line finds its folder. */
export async function noteUnstarted(
  disk: Disk,
  dshHome: string,
  profile: string,
  folder: string,
): Promise<void> {
  const isInstalled = profilesWithMnemos(disk, dshHome).some(({ name }) => name === profile)
  if (!isInstalled || readProfiles(disk, dshHome).profiles[profile] !== undefined) return
  await noteProfile(disk, dshHome, profile, { dataDir: folder })
}
