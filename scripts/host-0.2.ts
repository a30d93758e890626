/**
 * Brings a real DSH 0.2.1-rc.2 to this machine. That version is not on npm: it comes as one executable inside a
 * Python wheel.
 *
 * `node scripts/host-0.2.ts` says on stderr what it did and prints the paths as JSON on stdout.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cacheDir, makeOnce } from './cache.ts'

export const HOST_02_VERSION = '0.2.1-rc.2'
const WHEEL = 'deepseek-harness-runtime-bin==0.2.1rc2'
/** sha256 of the wheel by `process.platform-process.arch`. Other wheels exist, but nobody has run them here. */
const WHEEL_SHA256: Record<string, string> = {
  'linux-x64': '0a0a4eb85a22cd9339972e6a5ced77a27ec791353a5b220e3e10b8cdbbdeca39',
}
const EXECUTABLE = /^deepseek-harness-sdk-runtime-(?:linux|macos|win)-(?:x64|arm64)(?:\.exe)?$/
const RUNTIME_DIR = join('deepseek_harness_runtime', 'runtime')
const DOWNLOAD_PAUSES_MS = [1000, 3000]

const run = promisify(execFile)

/** The host cannot be had on this machine; the message is one sentence that says why. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}

export interface Host02 {
  /** The single file, a whole `dsh`. */
  executable: string
  /** The same host as a JavaScript tree: run `runtime-bootstrap.mjs` in it, or import from its `node_modules`. */
  unpackedDir: string
  version: string
}

/** @param say - told in one line each what is being done; silent when everything is there already. */
export async function ensureHost02(say: (line: string) => void = () => {}): Promise<Host02> {
  const platform = `${process.platform}-${process.arch}`
  const sha256 = WHEEL_SHA256[platform]
  if (sha256 === undefined)
    throw new Unavailable(
      `DSH ${HOST_02_VERSION} is known here for ${Object.keys(WHEEL_SHA256).join(', ')} only, and this is ${platform}.`,
    )
  // The hash is in the name, so a new pin never meets the files of an old one.
  const base = join(cacheDir(), `${HOST_02_VERSION}-${platform}-${sha256.slice(0, 12)}`)
  const packagedDir = join(base, 'packaged')
  const unpackedDir = join(base, 'unpacked')
  await makeOnce(packagedDir, (dir) => unpackWheel(dir, sha256, say))
  const executable = await findExecutable(packagedDir)
  await makeOnce(unpackedDir, (dir) => unpackTree(executable, dir, say))
  return { executable, unpackedDir, version: HOST_02_VERSION }
}

async function unpackWheel(dir: string, sha256: string, say: (line: string) => void): Promise<void> {
  const download = join(dir, '.wheel')
  await mkdir(download)
  say(`fetching ${WHEEL} (91 MB)`)
  await pipDownload(download)
  const [wheel] = (await readdir(download)).filter((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Unavailable(`pip downloaded no wheel for ${WHEEL}.`)
  const found = await hashFile(join(download, wheel))
  // Not `Unavailable`: a changed wheel must stop every run, never be skipped.
  if (found !== sha256)
    throw new Error(`${wheel} has sha256 ${found}, but ${sha256} is pinned; it is not used.`)
  say('unpacking the wheel (308 MB)')
  await run('python3', ['-m', 'zipfile', '-e', join(download, wheel), dir])
  await rm(download, { recursive: true })
  const runtime = join(dir, RUNTIME_DIR)
  // A zip carries no execute bits; ripgrep lies beside the runtime.
  for (const name of await readdir(runtime))
    if (name.startsWith('deepseek-')) await chmod(join(runtime, name), 0o755)
}

async function pipDownload(into: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', WHEEL, '-d', into], {
        timeout: 300_000,
      })
      return
    } catch (error) {
      if (isMissing(error))
        throw new Unavailable(`DSH ${HOST_02_VERSION} comes through pip, and there is no python3 on PATH.`)
      const pause = DOWNLOAD_PAUSES_MS[attempt]
      if (pause === undefined)
        throw new Unavailable(`pip could not download ${WHEEL} in three tries: ${lastLine(error)}`)
      await sleep(pause)
    }
  }
}

async function findExecutable(packagedDir: string): Promise<string> {
  const runtime = join(packagedDir, RUNTIME_DIR)
  const name = (await readdir(runtime)).find((entry) => EXECUTABLE.test(entry))
  if (name === undefined) throw new Unavailable(`The wheel ${WHEEL} holds no runtime executable.`)
  return join(runtime, name)
}

async function unpackTree(executable: string, dir: string, say: (line: string) => void): Promise<void> {
  say('unpacking the JavaScript tree (217 MB)')
  const home = await mkdtemp(`${dir}-home-`)
  try {
    await run(executable, ['--version'], {
      timeout: 120_000,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        DSH_HOME: home,
        UNPACK_TO: dir,
        NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'unpack-host.cjs'))}`,
      },
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  if (!existsSync(join(dir, 'runtime-bootstrap.mjs')))
    throw new Unavailable(`The runtime ${executable} gave up no JavaScript tree.`)
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return text.trim().split('\n').at(-1) ?? 'no reason given'
}

if (import.meta.main) {
  const started = performance.now()
  try {
    const host = await ensureHost02((line) => process.stderr.write(`${line}\n`))
    process.stderr.write(`DSH ${host.version} is ready (${Math.round(performance.now() - started)} ms)\n`)
    process.stdout.write(`${JSON.stringify(host)}\n`)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
