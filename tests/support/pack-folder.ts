/** Packs a package folder as it is published. Knows nothing of the test runner. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `pnpm pack` of any package folder. @returns the path of the tarball. */
export async function packFolder(folder: string, into: string): Promise<string> {
  await run('pnpm', ['pack', '--pack-destination', into], { cwd: folder })
  const [tarball] = (await readdir(into)).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`pnpm packed nothing from ${folder}`)
  return join(into, tarball)
}
