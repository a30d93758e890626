/** Opens the store that a command is about, and prints what it answers. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { dataFolder, dshHomeOf, type Environment } from '../files/data-folder.ts'
import { readProfiles } from '../files/profiles.ts'
import { type Memory, openMemory } from '../memory/open.ts'
import { settingsOf } from '../memory/place.ts'
import type { Store } from '../store/store.ts'
import { progressBar } from './progress.ts'
import { steady, whole } from './style.ts'

export interface Globals {
  profile?: string
  data?: string
  json?: boolean
}

export interface Answer {
  json: boolean
  /** Prints a command's answer: the value for scripts, or the lines for a person. */
  print(value: unknown, lines: string[]): void
  /** The same, where the answer is a whole text: redirected it is that to the letter. */
  printText(value: unknown, text: string): void
}

export interface Session extends Answer {
  memory: Memory
  store: Store
  /** When the store began to be opened, by `performance.now()`. */
  began: number
  /** Those that are known to use the folder. */
  profiles: readonly string[]
}

export function answer({ json = false }: Globals): Answer {
  const out = (value: unknown, text: string) => {
    process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : text)
  }
  return {
    json,
    print: (value, lines) => out(value, lines.map((line) => `${steady(line)}\n`).join('')),
    printText: (value, text) => out(value, `${whole(text)}\n`),
  }
}

/** What a person is to know and is no part of the answer: on stderr, so that the answer can be redirected. */
export function aside(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${steady(line)}\n`).join(''))
}

/** What a look at the records left out because it could not be read. */
export function skippedLines(store: Store): string[] {
  const skipped = store.bad().length
  if (skipped === 0) return []
  const are = skipped === 1 ? 'One file is' : `${skipped} files are`
  return [`mnemos: ${are} skipped; why and what to do says mnemos doctor.`]
}

/** @throws MnemosError when it is not clear which folder is meant, or there is none. */
export async function openSession(
  globals: Globals,
  environment: Environment = process.env,
): Promise<Session> {
  const began = performance.now()
  const { folder, profiles } = chooseFolder(globals, environment)
  if (!existsSync(folder)) {
    throw new MnemosError(
      'NOT_FOUND',
      `There is no data folder ${folder}.`,
      'Start the host once with the plugin, or name another with --profile or --data.',
    )
  }
  if (!isDataFolder(folder)) {
    throw new MnemosError(
      'NOT_FOUND',
      `${folder} is no data folder of Mnemos: it has neither "version" nor "memories".`,
      'Name another with --data.',
    )
  }
  const memory = memoryIn({ folder, profiles }, environment)
  await memory.store.refresh(progressBar('Indexing'))
  return { memory, store: memory.store, began, profiles, ...answer(globals) }
}

/** A command that only looks must not make a data folder out of any folder that it is pointed at. */
export const isDataFolder = (folder: string): boolean =>
  ['version', 'memories'].some((name) => existsSync(join(folder, name)))

/** The memory of a folder with the settings of the profiles that use it. Nothing is opened yet. */
export function memoryIn(
  { folder, profiles }: { folder: string; profiles: readonly string[] },
  environment: Environment = process.env,
): Memory {
  const dshHome = dshHomeOf(environment)
  return openMemory({
    root: folder,
    config: settingsOf(nodeDisk, dshHome, profiles),
    clock: systemClock,
    disk: nodeDisk,
    dshHome,
    environment,
  })
}

/** @throws MnemosError when it is not clear which folder is meant. */
export function chooseFolder(
  globals: Globals,
  environment: Environment,
): { folder: string; profiles: readonly string[] } {
  const named = globals.profile === undefined ? [] : [globals.profile]
  const dshHome = dshHomeOf(environment)
  if (globals.data) {
    const folder = resolve(globals.data)
    return { folder, profiles: globals.profile === undefined ? usersOf(dshHome, folder) : named }
  }
  if (environment.MNEMOS_DATA?.trim()) {
    return {
      folder: dataFolder({ environment, dshHome, profile: 'default', configured: '' }).folder,
      profiles: named,
    }
  }
  const { profiles: known } = readProfiles(nodeDisk, dshHome)
  if (globals.profile !== undefined) {
    const noted = known[globals.profile]?.dataDir
    const standard = () =>
      dataFolder({ environment, dshHome, profile: globals.profile ?? '', configured: '' }).folder
    return { folder: noted ?? standard(), profiles: named }
  }
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

/** The profiles whose memory was in a folder at their last start. */
const usersOf = (dshHome: string, folder: string): string[] =>
  Object.entries(readProfiles(nodeDisk, dshHome).profiles).flatMap(([name, { dataDir }]) =>
    dataDir === folder ? [name] : [],
  )
