/** Which folder a profile's records lie in, and how the command line tool finds the same one. */
import { homedir } from 'node:os'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { layoutOf } from './layout.ts'
import { DataLock } from './lock.ts'

export type Environment = Record<string, string | undefined>

const LOCK_TIMEOUT_MS = 3_000

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
  const { environment, dshHome, profile, configured, chosen = '' } = options
  const standard = join(mnemosHome(dshHome), profile)
  const wanted = environment.MNEMOS_DATA?.trim() || configured.trim() || chosen.trim()
  if (wanted === '') return { folder: standard }
  const folder = resolve(dshHome, withHome(wanted))
  const profiles = join(dshHome, 'profiles')
  const inside = relative(profiles, folder)
  if (inside === '' || !(inside.startsWith('..') || isAbsolute(inside))) {
    return {
      folder: standard,
      problem: `The data folder ${folder} lies inside the host's profiles, which package managers rewrite; ${standard} is used instead.`,
    }
  }
  return { folder }
}

/**
 * What `dataDir` in a profile's config puts aside: the folder that the person chose with `mnemos init`, or where none
 * was chosen the profile's own, if something lies in it. One sentence; undefined where nothing is put aside. Never throws.
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

/** A person's own things lie in it. */
function isInUse(disk: Disk, folder: string): boolean {
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

const entrySchema = z.looseObject({
  /** Where its records lie, as noted at its last start. */
  dataDir: z.string(),
  /** The folder that the person chose for it with `mnemos init`. */
  chosen: z.string().optional().catch(undefined),
  /** Its own config names the folder, and wins over what was chosen. */
  configured: z.boolean().optional().catch(undefined),
})
const profilesSchema = z.looseObject({
  profiles: z.record(z.string(), entrySchema).default({}),
})
export type Profiles = z.output<typeof profilesSchema>

const fileOf = (dshHome: string) => join(mnemosHome(dshHome), 'profiles.json')

/** What is wrong with `profiles.json`, in one sentence; undefined where it is sound or not there. */
export function profilesProblem(disk: Disk, dshHome: string): string | undefined {
  try {
    profilesSchema.parse(JSON.parse(disk.read(fileOf(dshHome))?.toString('utf8') ?? '{}'))
    return undefined
  } catch {
    // Zod's and JSON's own words would not help a person here.
    return `${fileOf(dshHome)} is damaged, so it is not known where each profile keeps its records.`
  }
}

/** The entries that can be read: one that cannot does not take the others with it. */
function readable(value: unknown): Profiles {
  const outer = z.looseObject({ profiles: z.record(z.string(), z.unknown()).default({}) }).parse(value)
  const entries = Object.entries(outer.profiles).filter(([, entry]) => entrySchema.safeParse(entry).success)
  return profilesSchema.parse({ ...outer, profiles: Object.fromEntries(entries) })
}

/** Which profiles have Mnemos, and where their records lie; empty when nothing is known. Never throws. */
export function readProfiles(disk: Disk, dshHome: string): Profiles {
  try {
    return readable(JSON.parse(disk.read(fileOf(dshHome))?.toString('utf8') ?? '{}'))
  } catch {
    // Damaged or foreign: it is put aside and written anew at the next boot; until then the standard folders hold.
    return { profiles: {} }
  }
}

/**
 * Keeps a `profiles.json` of which anything cannot be read under a name of its own, before it is written anew.
 * @returns a sentence that says so.
 * @throws MnemosError where it cannot be kept.
 */
function keepDamaged(disk: Disk, dshHome: string): string | undefined {
  const file = fileOf(dshHome)
  let bytes: Buffer | undefined
  try {
    bytes = disk.read(file)
  } catch (error) {
    throw new MnemosError(
      'STORAGE',
      `${file} cannot be read (${reasonOf(error)}); nothing was changed.`,
      'Make it a file that can be read, or move it away.',
    )
  }
  if (bytes === undefined || profilesProblem(disk, dshHome) === undefined) return undefined
  const base = `${basename(file)}.damaged-${iso(Date.now()).replace(/[-:]|\.\d+/g, '')}`
  const taken = new Set((disk.list(mnemosHome(dshHome)) ?? []).map(({ name }) => name))
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
  disk.replace(join(mnemosHome(dshHome), name), bytes)
  return `${file} was damaged and is written anew; what lay there is kept as ${name}, in case other profiles or approvals were noted in it.`
}

/**
 * Changes `profiles.json`, alone among all processes. What others wrote into it stays; where it is damaged it is put
 * aside first.
 * @param change what is to be noted, from what is known then; undefined where nothing is to be changed.
 * @returns a sentence where it was put aside.
 * @throws whatever the disk or the lock says.
 */
export async function changeProfiles(
  disk: Disk,
  dshHome: string,
  change: (known: Profiles) => Profiles | undefined,
): Promise<string | undefined> {
  disk.folder(mnemosHome(dshHome))
  return new DataLock(join(mnemosHome(dshHome), '.lock'), LOCK_TIMEOUT_MS).run(() => {
    const changed = change(readProfiles(disk, dshHome))
    if (changed === undefined) return undefined
    const kept = keepDamaged(disk, dshHome)
    disk.replace(fileOf(dshHome), `${JSON.stringify(changed, null, 2)}\n`)
    return kept
  })
}

/**
 * Notes where a profile's records lie. Written only when it changed.
 * @param configured whether its config names the folder.
 * @returns what went wrong or was put aside, in one sentence.
 */
export async function noteProfile(
  disk: Disk,
  dshHome: string,
  profile: string,
  dataDir: string,
  configured = false,
): Promise<string | undefined> {
  const before = readProfiles(disk, dshHome).profiles[profile]
  if (before?.dataDir === dataDir && (before.configured ?? false) === configured) return undefined
  try {
    return await changeProfiles(disk, dshHome, (known) => {
      const { configured: _, ...entry } = { ...known.profiles[profile], dataDir }
      const noted = configured ? { ...entry, configured } : entry
      return { ...known, profiles: { ...known.profiles, [profile]: noted } }
    })
  } catch (error) {
    return `The profile could not be noted in ${fileOf(dshHome)} (${reasonOf(error)}), so the command line tool may need --data.`
  }
}
