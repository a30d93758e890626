/** The memory that an entry outside the host is about: a command, or another protocol. */
import { type ChosenFolder, chooseFolder, type FolderRequest } from '../answers/choose-folder.ts'
import { systemClock } from '../base/clock.ts'
import { nodeDisk } from '../base/disk.ts'
import { dshHomeOf, type Environment } from '../files/data-folder.ts'
import { type Memory, openMemory } from './open.ts'
import { settingsOf } from './place.ts'

/**
 * The memory that is meant. Nothing is opened yet, and the folder need not be there.
 * @throws MnemosError when it is not clear which folder is meant.
 */
export function chosenMemory(
  asked: FolderRequest,
  environment: Environment = process.env,
): { memory: Memory; profiles: readonly string[] } {
  const chosen = chooseFolder(nodeDisk, asked, environment)
  return { memory: memoryIn(chosen, environment), profiles: chosen.profiles }
}

/** The memory of a folder with the settings of the profiles that use it. Nothing is opened yet. */
export function memoryIn({ folder, profiles }: ChosenFolder, environment: Environment = process.env): Memory {
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
