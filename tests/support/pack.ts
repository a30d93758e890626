/** Packs what users install. As vitest's globalSetup it builds and packs the project once for all end-to-end files. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildAndPack } from './build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the project's own tarball. */
    tarball: string
  }
}

const root = join(import.meta.dirname, '..', '..')

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(join(root, 'src'))) {
    // The bench was there before the plugin; a test that injects the tarball is told so.
    return undefined
  }
  const into = await mkdtemp(join(tmpdir(), 'mnemos-pack-'))
  project.provide('tarball', await buildAndPack(into))
  return () => rm(into, { recursive: true, force: true })
}
