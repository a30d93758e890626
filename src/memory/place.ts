/** Which data folder a profile's memory lies in, and what the plugin notes of it for the command line. */
import { type Config, defaultConfig, readConfig } from '../base/config.ts'
import type { Disk } from '../base/disk.ts'
import { dataFolder, type Environment, overruled } from '../files/data-folder.ts'
import { noteProfile, readProfiles } from '../files/profiles.ts'

export interface MemoryPlace {
  root: string
  /** Why it is another folder than the one that was asked for. */
  problem: string | undefined
  /** What the config's `dataDir` takes precedence over, where that holds something. */
  overruled: string | undefined
  /** Notes folder and settings for the command line. @returns what went wrong with it. Never rejects. */
  note(): Promise<string | undefined>
}

export function placeOf(options: {
  disk: Disk
  environment: Environment
  profile: { name: string; dshHome: string }
  config: Config
}): MemoryPlace {
  const { disk, environment, profile, config } = options
  const { dshHome, name } = profile
  const isConfigured = config.dataDir.trim() !== ''
  const chosen = readProfiles(disk, dshHome).profiles[name]?.chosen
  const { folder: root, problem } = dataFolder({
    disk,
    environment,
    dshHome,
    profile: name,
    configured: config.dataDir,
    chosen,
  })
  // A folder that the environment names holds for this run, and whoever names it knows; the command line reads the
  // same variable.
  const isForThisRun = Boolean(environment.MNEMOS_DATA?.trim())
  return {
    root,
    problem,
    overruled:
      isConfigured && !isForThisRun
        ? overruled(disk, { dshHome, profile: name, folder: root, chosen })
        : undefined,
    note: async () =>
      isForThisRun
        ? undefined
        : noteProfile(disk, dshHome, name, {
            dataDir: root,
            configured: isConfigured,
            config: settingsIn(config),
          }),
  }
}

/** What differs from the defaults; where the folder lies is noted by itself. */
function settingsIn(config: Config): Record<string, unknown> {
  const defaults: Record<string, unknown> = defaultConfig()
  return Object.fromEntries(
    Object.entries(config).filter(([key, value]) => key !== 'dataDir' && value !== defaults[key]),
  )
}

/**
 * The settings that profiles were last started with; where they differ, a key has its default.
 * @param names of profiles; one that is not known has the defaults.
 */
export function settingsOf(disk: Disk, dshHome: string, names: readonly string[]): Config {
  const { profiles } = readProfiles(disk, dshHome)
  const all = names.map((name) => readConfig(profiles[name]?.config).config)
  const [first = defaultConfig()] = all
  const defaults: Record<string, unknown> = defaultConfig()
  const agreed = Object.entries(first).map(([key, value]) => {
    const isAgreed = all.every((one) => (one as Record<string, unknown>)[key] === value)
    return [key, isAgreed ? value : defaults[key]]
  })
  return readConfig(Object.fromEntries(agreed)).config
}
