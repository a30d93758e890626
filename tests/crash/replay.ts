/**
 * Power cuts and kills at every step of seven acts, replayed by a strict model of what a disk keeps.
 * `node tests/crash/replay.ts`
 */
import { ACTS, replay } from '../support/replay.ts'

const out = (line: string) => process.stdout.write(`${line}\n`)
let wrong = 0
for (const act of ACTS) {
  const { cuts, states, broken } = await replay(act)
  wrong += broken.length
  out(`${act.name}: ${cuts} cuts, ${states} states, ${broken.length} broken`)
  for (const sentence of broken.slice(0, 5)) out(`  ${sentence}`)
}
out(`${wrong} broken`)
process.exitCode = wrong === 0 ? 0 : 1
