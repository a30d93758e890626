/** The installed package that this code belongs to. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Its folder: the nearest one above that has a manifest, since built files lie at other depths than their sources. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Absolute path of something that is shipped with the package. */
export const packagePath = (...parts: string[]): string => join(packageRoot(), ...parts)
