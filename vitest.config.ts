import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import SlowestTests from './scripts/slowest-tests.ts'
import { hostPackages } from './tests/support/host-packages.ts'
import { findHost02 } from './tests/support/hosts.ts'
import { memoryFolder } from './tests/support/memory-folder.ts'

/**
 * The fast ones first: they tell sooner what is broken. Vitest puts projects with one worker and no order (on two
 * cores that is the default of all) after all others, so every project is given one.
 */
/** Longer than any fast test takes, for a machine that is busy with something else. */
const FAST_TIMEOUT_MS = 30_000
const setupFiles = ['tests/support/clean-up.ts']
const FAST = {
  maxWorkers: '100%',
  sequence: { groupOrder: 1 },
  testTimeout: FAST_TIMEOUT_MS,
  isolate: false,
  setupFiles,
}
/** Where the temporary folders of `unit` and `host` lie. One that is named in the environment holds for every project. */
const temp = process.env.MNEMOS_TEST_TEMP ?? memoryFolder()
const IN_MEMORY = temp === undefined ? {} : { MNEMOS_TEST_TEMP: temp }
const SLOW = { maxWorkers: 1, sequence: { groupOrder: 2 }, setupFiles }
/** A host boots in a second or two, a browser in five; a busy machine takes several times that. */
const SLOW_TIMEOUT_MS = 180_000

/** One project a host, over the same files. */
function hostProject(name: string, version: string, tree: string): TestProjectConfiguration {
  return {
    plugins: [hostPackages(tree)],
    test: {
      name,
      include: ['tests/host/**/*.test.ts'],
      env: { MNEMOS_TEST_HOST: version, MNEMOS_TEST_HOST_TREE: tree, ...IN_MEMORY },
      ...FAST,
    },
  }
}

// Here and not in the tests: which projects there are depends on it.
const newer = await findHost02()
/** Where `.ci/run` wants the counts. */
const report = process.env.MNEMOS_TEST_REPORT

export default defineConfig({
  test: {
    reporters: ['default', new SlowestTests(), ...(report ? ['json'] : [])],
    ...(report ? { outputFile: { json: report } } : {}),
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], env: IN_MEMORY, ...FAST } },
      { test: { name: 'files', include: ['tests/files/**/*.test.ts'], ...FAST } },
      { test: { name: 'cases', include: ['tests/cases/**/*.test.ts'], env: IN_MEMORY, ...FAST } },
      hostProject('host-rc8', '0.1.0-rc.8', import.meta.dirname),
      ...(newer ? [hostProject('host-0.2', newer.version, newer.unpackedDir)] : []),
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/pack.ts'],
          testTimeout: SLOW_TIMEOUT_MS,
          hookTimeout: SLOW_TIMEOUT_MS,
          // One file after the other: each starts hosts and a browser.
          ...SLOW,
        },
      },
    ],
  },
})
