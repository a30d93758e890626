/** Packs what users install. As vitest's globalSetup it builds and packs the project once for all end-to-end files. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { packFolder } from './pack-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the project's own tarball. */
    tarball: string
  }
}

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(join(root, 'src'))) {
    // The bench was there before the plugin; a test that injects the tarball is told so.
    return undefined
  }
  await run(process.execPath, [join(root, 'scripts', 'build.ts')], { cwd: root })
  const into = await mkdtemp(join(tmpdir(), 'mnemos-pack-'))
  project.provide('tarball', await packFolder(root, into))
  return () => rm(into, { recursive: true, force: true })
}
