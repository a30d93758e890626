/** Builds the project and packs what users install. Knows nothing of the test runner. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packFolder } from './pack-folder.ts'

const root = join(import.meta.dirname, '..', '..')

/** @returns the path of the tarball. */
export async function buildAndPack(into: string): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.ts')], { cwd: root })
  return packFolder(root, into)
}
