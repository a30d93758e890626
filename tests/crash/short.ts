/**
 * `pnpm test:faults`: as much of the runs of this folder as two busy cores do in two minutes, for every change; what they
 * prove, and how each is run in full, is in docs/proofs.md. It fails where one of them finds anything broken.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Of the start of the whole: what a slow machine needs more for the replay, which has no limit, the failures give up. */
const FAULTS_UNTIL_S = 60
const FAULTS_AT_LEAST_S = 15

const from = performance.now()
const elapsed = () => (performance.now() - from) / 1_000
const RUNS: readonly (() => [script: string, ...options: string[]])[] = [
  () => ['replay.ts'],
  () => [
    'faults.ts',
    '--seconds',
    String(Math.max(FAULTS_AT_LEAST_S, Math.round(FAULTS_UNTIL_S - elapsed()))),
  ],
  () => ['lock-load.ts', '--seconds', '8', '--load', '1'],
]

const failed: string[] = []
for (const run of RUNS) {
  const [script, ...options] = run()
  process.stdout.write(`${[script, ...options].join(' ')}\n`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) failed.push(script)
}
process.stdout.write(
  `${failed.length === 0 ? 'nothing is broken' : `broken: ${failed.join(', ')}`}, in ${Math.round(elapsed())} s\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1
