/** `profiles.json` in the host's home: which profiles have Mnemos, where their records lie and with which settings. */
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { FolderUse } from './claim.ts'
import { mnemosHome } from './data-folder.ts'
import { keptCopyName } from './kept-copy.ts'
import { DataLock } from './lock.ts'

const LOCK_TIMEOUT_MS = 3_000

const entrySchema = z.looseObject({
  /** Where its records lie, as noted at its last start. */
  dataDir: z.string(),
  /** The folder that the person chose for it with `mnemos init`. */
  chosen: z.string().optional().catch(undefined),
  /** Its folder has held a memory: where nothing of it is there, the folder is not mounted, and no new one. */
  used: z.literal(true).optional().catch(undefined),
  /** Its own config names the folder, and wins over what was chosen. */
  configured: z.boolean().optional().catch(undefined),
  /** The settings of its config that were in force at its last start and are not the defaults. */
  config: z.record(z.string(), z.unknown()).optional().catch(undefined),
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
    // Damaged or foreign: it is kept under another name and written anew at the next boot; until then the standard folders hold.
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
  const folder = mnemosHome(dshHome)
  const copy = { stem: basename(file), extension: '', why: 'damaged', at: Date.now() }
  const name = keptCopyName(disk, folder, copy)
  disk.replace(join(folder, name), bytes)
  return `${file} was damaged and is written anew; what lay there is kept as ${name}, in case other profiles or approvals were noted in it.`
}

/**
 * Changes `profiles.json`, alone among all processes. What others wrote into it stays; where it is damaged it is put
 * aside first.
 * @param change what is to be noted, from what is known then; undefined where nothing is to be changed.
 * @returns a sentence where it was.
 * @throws whatever the disk or the lock says.
 */
export async function changeProfiles(
  disk: Disk,
  dshHome: string,
  change: (known: Profiles) => Profiles | undefined,
): Promise<string | undefined> {
  disk.folder(mnemosHome(dshHome))
  return new DataLock(disk, join(mnemosHome(dshHome), '.lock'), LOCK_TIMEOUT_MS).run(() => {
    const changed = change(readProfiles(disk, dshHome))
    if (changed === undefined) return undefined
    const kept = keepDamaged(disk, dshHome)
    disk.replace(fileOf(dshHome), `${JSON.stringify(changed, null, 2)}\n`)
    return kept
  })
}

/** What a host notes of its profile at its start. */
export interface ProfileNote {
  dataDir: string
  /** Whether its config names the folder. */
  configured?: boolean
  /** Settings that are not the defaults. */
  config?: Record<string, unknown>
}

/**
 * Notes where a profile's records lie and which settings are in force. Written only when it changed.
 * @returns what went wrong or was kept under another name, in one sentence.
 */
export async function noteProfile(
  disk: Disk,
  dshHome: string,
  profile: string,
  { dataDir, configured = false, config = {} }: ProfileNote,
): Promise<string | undefined> {
  const before = readProfiles(disk, dshHome).profiles[profile]
  const isNoted =
    before?.dataDir === dataDir &&
    (before.configured ?? false) === configured &&
    JSON.stringify(before.config ?? {}) === JSON.stringify(config)
  if (isNoted) return undefined
  try {
    return await changeProfiles(disk, dshHome, (known) => {
      const old = known.profiles[profile]
      const { configured: _, config: __, used, ...entry } = { ...old, dataDir }
      const noted = {
        ...entry,
        ...(used && old?.dataDir === dataDir ? { used } : {}),
        ...(configured ? { configured } : {}),
        ...(Object.keys(config).length > 0 ? { config } : {}),
      }
      return { ...known, profiles: { ...known.profiles, [profile]: noted } }
    })
  } catch (error) {
    return `The profile could not be noted in ${fileOf(dshHome)} (${reasonOf(error)}), so the command line tool may need --data.`
  }
}

/** Whether a folder is noted to have held a memory. Never throws. @param root absolute. */
export const wasFolderUsed = (disk: Disk, dshHome: string, root: string): boolean =>
  Object.values(readProfiles(disk, dshHome).profiles).some(({ dataDir, used }) => used && dataDir === root)

/** The use of a folder as `profiles.json` has it. @param root absolute. */
export function folderUse(disk: Disk, dshHome: string, root: string): FolderUse {
  let isNoted = false
  return {
    was: () => wasFolderUsed(disk, dshHome, root),
    async note() {
      if (isNoted) return
      try {
        await noteFolderUsed(disk, dshHome, root, true)
        // A profile that is not noted yet is noted later.
        isNoted = wasFolderUsed(disk, dshHome, root)
      } catch {
        // Where the profile cannot be noted at all, that is reported at the start.
      }
    },
  }
}

/**
 * Notes that a folder holds a memory, or with `used` false that what it held will not come back.
 * @throws whatever the disk or the lock says.
 */
export async function noteFolderUsed(
  disk: Disk,
  dshHome: string,
  root: string,
  used: boolean,
): Promise<void> {
  const isOther = (entry: Profiles['profiles'][string]) =>
    entry.dataDir === root && (entry.used ?? false) !== used
  if (!Object.values(readProfiles(disk, dshHome).profiles).some(isOther)) return
  await changeProfiles(disk, dshHome, (known) => ({
    ...known,
    profiles: Object.fromEntries(
      Object.entries(known.profiles).map(([name, { used: was, ...entry }]) => [
        name,
        entry.dataDir !== root
          ? { ...entry, ...(was ? { used: was } : {}) }
          : used
            ? { ...entry, used: true }
            : entry,
      ]),
    ),
  }))
}
