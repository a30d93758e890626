/** Proves the bench, not the plugin: what is said and done where the newer host cannot be had. */
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeOnce } from '../../../scripts/cache.ts'
import { ensureHost02, Unavailable } from '../../../scripts/host-0.2.ts'
import { findHost02 } from '../../support/hosts.ts'
import { tempDir } from '../../support/temp.ts'

let bin = ''
beforeEach(async () => {
  bin = await tempDir('bin')
  vi.stubEnv('PATH', bin)
  vi.stubEnv('MNEMOS_HOST_CACHE', await tempDir('cache'))
  vi.stubEnv('MNEMOS_BENCH_WITHOUT_0_2', undefined)
  vi.stubEnv('CI', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Stands in for pip; its last argument is the folder to download into. */
async function fakePython(script: string): Promise<void> {
  await writeFile(join(bin, 'python3'), `#!/bin/sh\nfor into; do :; done\n${script}\n`, { mode: 0o755 })
}

const linuxX64 = process.platform === 'linux' && process.arch === 'x64'

it.runIf(linuxX64)('says that python is missing', async () => {
  await expect(ensureHost02()).rejects.toThrow(Unavailable)
  await expect(ensureHost02()).rejects.toThrow('no python3 on PATH')
})

it.runIf(linuxX64)('refuses a wheel with another hash, and keeps nothing of it', async () => {
  await fakePython('echo changed > "$into/some.whl"')
  const failure = await ensureHost02().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  // Not `Unavailable`: that would only skip.
  expect(failure).not.toBeInstanceOf(Unavailable)
  expect(String(failure)).toContain('is pinned')
  const cache = process.env.MNEMOS_HOST_CACHE ?? ''
  for (const base of await readdir(cache)) expect(await readdir(join(cache, base))).toEqual([])
})

it('skips reported on a machine of a developer, and fails in CI', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await findHost02()).toBeUndefined()
  expect(await findHost02()).toBeUndefined()
  const lines = said.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('SKIPPED'))
  expect(lines).toEqual([
    expect.stringMatching(/^\[hosts\] SKIPPED: no test runs on DSH 0\.2\.1-rc\.2\. .+\n$/),
  ])
  vi.stubEnv('MNEMOS_BENCH_WITHOUT_0_2', undefined)
  vi.stubEnv('CI', 'true')
  await expect(findHost02()).rejects.toThrow(Unavailable)
})

it('makes a folder once, whole or not at all, even when two make it', async () => {
  const target = join(await tempDir('once'), 'thing')
  const failing = makeOnce(target, async (dir) => {
    await writeFile(join(dir, 'half'), '')
    throw new Error('half way')
  })
  await expect(failing).rejects.toThrow('half way')
  expect(existsSync(target)).toBe(false)
  const fill = vi.fn(async (dir: string) => writeFile(join(dir, 'whole'), ''))
  await Promise.all([makeOnce(target, fill), makeOnce(target, fill)])
  await makeOnce(target, fill)
  expect(fill.mock.calls.length).toBeLessThanOrEqual(2)
  expect(await readdir(target)).toEqual(['whole'])
  expect(await readdir(join(target, '..'))).toEqual(['thing'])
})
