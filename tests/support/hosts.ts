/** The two hosts that the plugin supports, as real commands. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { cacheDir } from '../../scripts/cache.ts'
import { ensureHost02, Unavailable } from '../../scripts/host-0.2.ts'
import {
  type ChildOptions,
  type Finished,
  inheritedEnv,
  type Running,
  runChild,
  spawnChild,
} from './child.ts'
import { outerPath, type PnpmMajor, placePnpm } from './pnpm.ts'

export type HostName = '0.1.0-rc.8' | '0.2.1-rc.2'

export interface RunOptions {
  /** DSH_HOME. The child's HOME lies in it, so nothing of the real home is read or written. */
  home: string
  /** Default: `<home>/work`, made when it is not there. */
  cwd?: string
  env?: Record<string, string>
  input?: string
  /** Default: 60 s; the child is killed then and the call rejects. Not for `spawn`. */
  timeoutMs?: number
}

export interface Host {
  name: HostName
  run(args: string[], options: RunOptions): Promise<Finished>
  /** For what runs until it is stopped. Always `await stop()`. */
  spawn(args: string[], options: RunOptions): Promise<Running>
  /**
   * The same host on plain Node. On 0.2 only this one can serve the web page and migrate old sessions; on rc.8 there
   * is no other.
   */
  unpacked: Host
}

const MIN_NODE_MAJOR = 24
const SKIPPED = 'MNEMOS_BENCH_WITHOUT_0_2'

/**
 * Both hosts, or only rc.8 where 0.2 cannot be had, having said so on stderr. In CI a missing host is a failure.
 */
export async function availableHosts(): Promise<Host[]> {
  const newer = await host02()
  return newer ? [hostRc8(), newer] : [hostRc8()]
}

/** DSH 0.1.0-rc.8, which the project itself brings. */
export function hostRc8(): Host {
  const major = Number(process.versions.node.split('.')[0])
  if (major < MIN_NODE_MAJOR)
    throw new Error(
      `The hosts need Node ${MIN_NODE_MAJOR}, this is ${process.version}; start the tests as \`npx -y pnpm@10.34.9 test\`.`,
    )
  return hostOf('0.1.0-rc.8', process.execPath, [rc8Bin()])
}

/** DSH 0.2.1-rc.2; undefined, and reported, where it cannot be had. */
export async function host02(): Promise<Host | undefined> {
  const found = await findHost02()
  if (found === undefined) return undefined
  const bootstrap = join(found.unpackedDir, 'runtime-bootstrap.mjs')
  const unpacked = hostOf('0.2.1-rc.2', process.execPath, [bootstrap])
  return { ...hostOf('0.2.1-rc.2', found.executable, []), unpacked }
}

/** Where 0.2 lies on this machine; undefined, and reported once a run, where it cannot be had. */
export async function findHost02(): Promise<Awaited<ReturnType<typeof ensureHost02>> | undefined> {
  // Set for the workers by the process that loaded the configuration: it has tried, and said so.
  if (process.env[SKIPPED] !== undefined) return undefined
  try {
    return await ensureHost02((line) => process.stderr.write(`[hosts] ${line}\n`))
  } catch (error) {
    if (!(error instanceof Unavailable) || process.env.CI === 'true') throw error
    process.stderr.write(`[hosts] SKIPPED: no test runs on DSH 0.2.1-rc.2. ${error.message}\n`)
    process.env[SKIPPED] = error.message
    return undefined
  }
}

/** Runs the real `dsh plugin add` and checks that it took, silently and unattended. */
export async function installPlugin(
  host: Host,
  home: string,
  profile: string,
  tarball: string,
  { pnpm = '10' }: { pnpm?: PnpmMajor } = {},
): Promise<Finished> {
  await placePnpm(binOf(home), pnpm)
  const done = await host.run(['plugin', '--profile', profile, 'add', tarball], { home, timeoutMs: 180_000 })
  const said = `${done.stdout}\n${done.stderr}`
  const trouble = done.code === 0 ? said.match(TROUBLE)?.[0] : `exit code ${done.code}`
  if (trouble)
    throw new Error(`\`dsh plugin add\` on ${host.name} with pnpm ${pnpm}: ${trouble}\n${said.slice(-4000)}`)
  return done
}

/**
 * What the hosts and pnpm say when a plugin is there but not in force, or when a person has to decide something.
 * Not among them, as harmless: pnpm 10's list of ignored build scripts (better-sqlite3 is in it and needs none), and
 * the missing peer that the host provides. `dsh web` of the unpacked 0.2 always says that one entry of its own
 * (office-to-pdf) did not activate: look for the plugin's name there.
 */
export const TROUBLE =
  /incompatible|skipping profile bundle|did not activate|ERR_PNPM_\w+|ELIFECYCLE|unmet peer|\(y\/n\)/i

function hostOf(name: HostName, command: string, prefix: string[]): Host {
  const host: Host = {
    name,
    run: async (args, options) => runChild(command, [...prefix, ...args], await childOptions(options)),
    spawn: async (args, options) => spawnChild(command, [...prefix, ...args], await childOptions(options)),
    get unpacked() {
      return host
    },
  }
  return host
}

async function childOptions({ home, cwd, env, input, timeoutMs }: RunOptions): Promise<ChildOptions> {
  const bin = binOf(home)
  const userHome = join(home, 'user')
  const work = cwd ?? join(home, 'work')
  await mkdir(userHome, { recursive: true })
  await mkdir(work, { recursive: true })
  if (!existsSync(join(bin, 'pnpm'))) await placePnpm(bin, '10')
  const store = join(cacheDir(), 'pnpm-store')
  return {
    cwd: work,
    env: {
      ...inheritedEnv(),
      PATH: [bin, dirname(process.execPath), ...outerPath()].join(delimiter),
      HOME: userHome,
      DSH_HOME: home,
      // One store for all runs, or every install would fetch every dependency anew. pnpm 11 reads the second name.
      npm_config_store_dir: store,
      pnpm_config_store_dir: store,
      // No look-up of newer versions at every install.
      npm_config_update_notifier: 'false',
      pnpm_config_update_notifier: 'false',
      ...env,
    },
    ...(input === undefined ? {} : { input }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

function binOf(home: string): string {
  return join(home, 'user', 'bin')
}

function rc8Bin(): string {
  const manifest = createRequire(import.meta.url).resolve('@deepseek-ai/dsh/package.json')
  return join(dirname(manifest), 'lib', 'bin.js')
}
