/**
 * A vitest reporter that lists the ten slowest tests of the fast projects (`unit` and `host-*`) and what all of them took
 * together. `pnpm test:slowest` prints nothing else; a run of all of them ends with it.
 */
import type { Reporter, TestModule } from 'vitest/node'

export interface TimedTest {
  /** `host-rc8 tests/host/view.test.ts > group > name`. */
  name: string
  /** What it took, without its set-up, in milliseconds. */
  ms: number
}

const SHOWN = 10
const FAST = /^(?:unit|host-.+)$/
/** A run of fewer tests is somebody's work on one part: the list would only be in the way. */
const WHOLE_RUN = 500

/** The slowest tests in lines of plain text, and the sum of all. */
export function slowestLines(tests: readonly TimedTest[]): string[] {
  const sum = tests.reduce((total, { ms }) => total + ms, 0)
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)
  return [
    `The ${slowest.length} slowest of ${tests.length} tests, which took ${(sum / 1000).toFixed(1)} s together:`,
    ...slowest.map(({ name, ms }) => `${Math.round(ms).toString().padStart(6)} ms  ${name}`),
  ]
}

function timed(modules: readonly TestModule[]): TimedTest[] {
  return modules
    .filter(({ project }) => FAST.test(project.name))
    .flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        const took = test.diagnostic()?.duration
        const name = `${module.project.name} ${module.relativeModuleId} > ${test.fullName}`
        return took === undefined ? [] : [{ name, ms: took }]
      }),
    )
}

export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = timed(modules)
    if (tests.length >= WHOLE_RUN) process.stdout.write(`\n${slowestLines(tests).join('\n')}\n`)
  }
}
