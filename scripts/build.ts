/** `src/` to `lib/`: JavaScript and type declarations. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

// A file whose source is gone must not stay in the package.
rmSync(lib, { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
  cwd: root,
  stdio: 'inherit',
})
const bin = join(lib, 'cli', 'main.js')
if (existsSync(bin)) chmodSync(bin, 0o755)
process.exitCode = status ?? 1
