/**
 * `pnpm test:faults`: as much of the runs of this folder as two busy cores do in two minutes, for every change; what they
 * prove, and how each is run in full, is in docs/proofs.md. It fails where one of them finds anything broken.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const RUNS = [
  ['replay.ts'],
  ['faults.ts', '--seconds', '55'],
  ['lock-load.ts', '--seconds', '12', '--load', '1'],
] as const

const from = performance.now()
const failed: string[] = []
for (const [script, ...options] of RUNS) {
  process.stdout.write(`${[script, ...options].join(' ')}\n`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) failed.push(script)
}
const seconds = Math.round((performance.now() - from) / 1_000)
process.stdout.write(
  `${failed.length === 0 ? 'nothing is broken' : `broken: ${failed.join(', ')}`}, in ${seconds} s\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1
