/** What lies on the disk: tests look at it, not at what the code says of itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder, as bytes; none where there is no folder. */
export function filesBelow(folder: string): { path: string; bytes: Buffer }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }))
}

/** The paths of the files below a folder that hold a text. */
export const holding = (folder: string, text: string): string[] =>
  filesBelow(folder)
    .filter(({ bytes }) => bytes.includes(text))
    .map(({ path }) => path)
