/**
 * How often a property is tried: enough, in the fast projects, to find each fault that was planted for it. More runs
 * find rarer ones: `MNEMOS_TEST_RUNS=20 pnpm test:unit` tries every property twenty times as often.
 */
const FACTOR = Number(process.env.MNEMOS_TEST_RUNS ?? 1)

export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count * FACTOR) })
