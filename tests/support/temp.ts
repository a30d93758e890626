/** Folders that are gone when the test file is done: `clean-up.ts` sees to that. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where they are made. For the fast projects that is a folder in memory (`memory-folder.ts`), where there is one. */
const TEMP = process.env.MNEMOS_TEST_TEMP ?? tmpdir()

const made: string[] = []

export async function removeTempDirs(): Promise<void> {
  await Promise.all(
    made.splice(0).map((dir) => rm(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 })),
  )
}

export function tempDirSync(label: string): string {
  const dir = mkdtempSync(join(TEMP, `mnemos-${label}-`))
  made.push(dir)
  return dir
}

export async function tempDir(label = 'test'): Promise<string> {
  return tempDirSync(label)
}
