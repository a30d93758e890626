/** Folders that are gone when the test file is done. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Where they are made. For the fast projects that is a folder in memory (`memory-folder.ts`), where there is one. */
export const TEMP = process.env.MNEMOS_TEST_TEMP ?? tmpdir()

const made: string[] = []

// Registered at import, so it is the first hook of the file and, hooks being unwound backwards, the last to run:
// what the tests started is stopped by then.
afterAll(async () => {
  await Promise.all(
    made.splice(0).map((dir) => rm(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 })),
  )
})

export async function tempDir(label = 'test'): Promise<string> {
  const dir = await mkdtemp(join(TEMP, `mnemos-${label}-`))
  made.push(dir)
  return dir
}
