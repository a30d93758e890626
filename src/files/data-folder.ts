/** Which folder a profile's records lie in. */
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { isInside } from '../base/place.ts'
import { layoutOf } from './layout.ts'

export type Environment = Record<string, string | undefined>

const withHome = (path: string) =>
  path === '~' ? homedir() : /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path

/** The host's home: DSH_HOME, else `.dsh` in the person's home. */
export const dshHomeOf = (environment: Environment): string =>
  environment.DSH_HOME ? resolve(withHome(environment.DSH_HOME)) : join(homedir(), '.dsh')

export const mnemosHome = (dshHome: string) => join(dshHome, 'mnemos')

/**
 * The data folder of a profile: MNEMOS_DATA, else the config's `dataDir`, else what the person chose with
 * `mnemos init`, else `$DSH_HOME/mnemos/<profile>`. A place that package managers rewrite is not taken.
 */
export function dataFolder(options: {
  disk: Disk
  environment: Environment
  dshHome: string
  profile: string
  configured: string
  /** From `profiles.json`. */
  chosen?: string | undefined
}): {
  folder: string
  problem?: string
} {
  const { disk, environment, dshHome, profile, configured, chosen = '' } = options
  const standard = join(mnemosHome(dshHome), profile)
  const wanted = environment.MNEMOS_DATA?.trim() || configured.trim() || chosen.trim()
  if (wanted === '') return { folder: standard }
  const folder = resolve(dshHome, withHome(wanted))
  const profiles = join(dshHome, 'profiles')
  // A link leads into it as well.
  if (isInside(profiles, folder) || isInside(realPath(disk, profiles), realPath(disk, folder))) {
    return {
      folder: standard,
      problem: `The data folder ${folder} lies inside the host's profiles, which package managers rewrite; ${standard} is used instead.`,
    }
  }
  return { folder }
}

/** The path without links, also of a folder that does not exist. Never throws. */
function realPath(disk: Disk, path: string): string {
  try {
    return disk.real(path)
  } catch {
    // What cannot be resolved keeps its name, within the folder that can be.
    return dirname(path) === path ? path : join(realPath(disk, dirname(path)), basename(path))
  }
}

/**
 * What `dataDir` in a profile's config puts aside: the folder that the person chose with `mnemos init`, or where none
 * was chosen the profile's own, if something lies in it. One sentence; undefined where nothing is overruled. Never throws.
 */
export function overruled(
  disk: Disk,
  options: { dshHome: string; profile: string; folder: string; chosen?: string | undefined },
): string | undefined {
  const { dshHome, profile, folder, chosen } = options
  const other = chosen ? resolve(dshHome, withHome(chosen)) : join(mnemosHome(dshHome), profile)
  if (other === folder || (!chosen && !isInUse(disk, other))) return undefined
  const what = chosen ? 'the folder that was chosen with mnemos init' : "the profile's own folder"
  return `dataDir in the config of the profile ${profile} names ${folder} and wins over ${what}, ${other}: what lies there is not in view. To use that one, take dataDir out of the profile's cordis.patch.yml.`
}

/** Whether a person's own things lie in a data folder. Never throws. */
export function isInUse(disk: Disk, folder: string): boolean {
  const { memories, userMemory, constitution, audit } = layoutOf(folder)
  try {
    return (
      [memories, userMemory].some((path) => (disk.list(path) ?? []).length > 0) ||
      [constitution, audit].some((path) => disk.stamp(path) !== undefined)
    )
  } catch {
    // What cannot be looked at is no reason to name it.
    return false
  }
}
