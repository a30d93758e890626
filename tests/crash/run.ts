/** `pnpm test:crash`: the fast run, then the one on real hosts. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

let failed = false
for (const script of ['stress.ts', 'hosts.ts']) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' })
  failed ||= status !== 0
}
process.exitCode = failed ? 1 : 0
