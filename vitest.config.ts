import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { hostPackages } from './tests/support/host-packages.ts'
import { findHost02 } from './tests/support/hosts.ts'

/** One project a host, over the same files. */
function hostProject(name: string, version: string, tree: string): TestProjectConfiguration {
  return {
    plugins: [hostPackages(tree)],
    test: {
      name,
      include: ['tests/host/**/*.test.ts'],
      env: { MNEMOS_TEST_HOST: version, MNEMOS_TEST_HOST_TREE: tree },
    },
  }
}

const report = process.env.MNEMOS_TEST_REPORT
const newer = await findHost02()

export default defineConfig({
  test: {
    // Where `.ci/run` wants the counts.
    ...(report ? { reporters: ['default', 'json'], outputFile: { json: report } } : {}),
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      hostProject('host-rc8', '0.1.0-rc.8', import.meta.dirname),
      ...(newer ? [hostProject('host-0.2', newer.version, newer.unpackedDir)] : []),
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/pack.ts'],
          // After the fast ones, which tell sooner what is broken.
          sequence: { groupOrder: 1 },
          // Each file starts hosts and a browser; side by side they would only slow one another down.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
