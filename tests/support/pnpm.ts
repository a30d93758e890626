/** Puts one chosen pnpm, and no other, in front of a child: `dsh plugin` runs whatever `pnpm` it finds on PATH. */
import { execFile } from 'node:child_process'
import { accessSync, constants, realpathSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDir, makeOnce } from '../../scripts/cache.ts'

export type PnpmMajor = '10' | '11'

const PNPM_11 = '11.28.10'
const PROJECT_BIN = join('node_modules', '.bin')

/** Makes `<binDir>/pnpm` the chosen one. */
export async function placePnpm(binDir: string, major: PnpmMajor): Promise<void> {
  await mkdir(binDir, { recursive: true })
  const link = join(binDir, 'pnpm')
  await rm(link, { force: true })
  await symlink(major === '11' ? await ensurePnpm11() : await runningPnpm(), link)
}

/** PATH without the project's own commands: a child must not find tools that a user would not have. */
export function outerPath(): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => isAbsolute(dir) && !(dir.startsWith(process.cwd()) && dir.endsWith(PROJECT_BIN)))
}

/** The pnpm that runs this test run: 10, as `packageManager` pins it. */
async function runningPnpm(): Promise<string> {
  for (const dir of outerPath()) {
    const file = join(dir, 'pnpm')
    try {
      accessSync(file, constants.X_OK)
      return realpathSync(file)
    } catch {
      // Not in this folder.
    }
  }
  throw new Error('There is no pnpm on PATH; start the tests as `npx -y pnpm@10.34.9 test`.')
}

/**
 * Not a devDependency: its commands would take the place of the pnpm that runs the project's scripts.
 */
async function ensurePnpm11(): Promise<string> {
  const dir = join(cacheDir(), `pnpm-${PNPM_11}`)
  await makeOnce(dir, async (making) => {
    await promisify(execFile)(
      'npm',
      ['install', '--prefix', making, '--no-audit', '--no-fund', '--no-save', `pnpm@${PNPM_11}`],
      { timeout: 120_000 },
    )
  })
  return realpathSync(join(dir, 'node_modules', 'pnpm', 'bin', 'pnpm.mjs'))
}
