/** Prints vitest's own counts from its JSON report as one plain line. A run in which nothing passed is a failure. */
import { readFileSync } from 'node:fs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: node scripts/test-counts.ts REPORT.json')
const report: { numPassedTests: number; numFailedTests: number; numPendingTests: number; success: boolean } =
  JSON.parse(readFileSync(path, 'utf8'))
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
if (passed === 0 || !report.success) process.exitCode = 1
