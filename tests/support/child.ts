/** Child processes of the bench: clean environment, own process group, and a sure end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  pid: number
  /** What came so far on both streams, in the order it came. */
  output(): string
  /** Resolves with the first match in the output; rejects when the process ends first or the time is over. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray>
  exited: Promise<number | null>
  /** Ends the whole process group and returns when it is gone. */
  stop(): Promise<void>
}

export interface ChildOptions {
  cwd: string
  env: Record<string, string>
  input?: string
  timeoutMs?: number
}

/** How long a process may take over a polite request to end. The host gives a hanging disposer 5 s. */
const TERM_GRACE_MS = 7_000
/** A grandchild may hold the pipe open after its parent is gone; nobody waits longer than this for it. */
const PIPE_GRACE_MS = 500

/** What a child may inherit: how to speak and how to reach package registries. No home, no tool's own settings. */
const INHERITED =
  /^(?:LANG|LC_\w+|TZ|TERM|TMPDIR|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|\w+_CA_BUNDLE|(?:https?|no|all)_proxy|npm_config_(?:registry|cafile|https_proxy|proxy|noproxy))$/i

export function inheritedEnv(): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && INHERITED.test(name)) env[name] = value
  return env
}

const groups = new Set<number>()
process.on('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
})

export async function runChild(command: string, args: string[], options: ChildOptions): Promise<Finished> {
  const child = start(command, args, options)
  const { pid } = child
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin?.end(options.input ?? '')
  const timeoutMs = options.timeoutMs ?? 60_000
  let late = false
  const timer = setTimeout(() => {
    late = true
    if (pid !== undefined) signalGroup(pid, 'SIGKILL')
  }, timeoutMs)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const code = await exitOf(child)
    await Promise.race([closed, sleep(PIPE_GRACE_MS, undefined, { ref: false })])
    if (late)
      throw new Error(
        `${command} ${args.join(' ')} took over ${timeoutMs} ms\n${tail(stdout)}\n${tail(stderr)}`,
      )
    return { code, stdout, stderr }
  } finally {
    clearTimeout(timer)
    child.stdout?.destroy()
    child.stderr?.destroy()
    if (pid !== undefined) {
      // Whatever it left behind in its group goes too.
      signalGroup(pid, 'SIGKILL')
      groups.delete(pid)
    }
  }
}

export function spawnChild(command: string, args: string[], options: ChildOptions): Running {
  const child = start(command, args, options)
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} could not be started`)
  let output = ''
  const listeners = new Set<() => void>()
  const take = (text: string) => {
    output += text
    for (const listener of listeners) listener()
  }
  child.stdout?.setEncoding('utf8').on('data', take)
  child.stderr?.setEncoding('utf8').on('data', take)
  child.stdin?.end(options.input ?? '')
  const exited = exitOf(child)
  exited.catch(() => {
    // Seen by those who await `exited`; nobody has to.
  })

  const waitFor = (pattern: RegExp, timeoutMs = 30_000): Promise<RegExpMatchArray> =>
    new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer)
        listeners.delete(look)
        settle()
      }
      const look = () => {
        const match = output.match(pattern)
        if (match) done(() => resolve(match))
      }
      const fail = (why: string) =>
        done(() => reject(new Error(`${why} before ${pattern} was seen:\n${tail(output)}`)))
      const timer = setTimeout(() => fail(`${timeoutMs} ms went by`), timeoutMs)
      listeners.add(look)
      exited.then(
        (code) => fail(`the process ended with ${code}`),
        (error: unknown) => fail(String(error)),
      )
      look()
    })

  const stop = async (): Promise<void> => {
    signalGroup(pid, 'SIGTERM')
    const gone = exited.then(
      () => true,
      () => true,
    )
    const polite = await Promise.race([gone, sleep(TERM_GRACE_MS, false, { ref: false })])
    signalGroup(pid, 'SIGKILL')
    if (!polite) await gone
    groups.delete(pid)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  return { pid, output: () => output, waitFor, exited, stop }
}

function start(command: string, args: string[], options: ChildOptions): ChildProcess {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  // The child may be gone before it has read its input; that is no fault of the bench.
  child.stdin?.on('error', () => {})
  if (child.pid !== undefined) groups.add(child.pid)
  return child
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: the whole group is gone already, which is what was wanted.
  }
}

function tail(text: string): string {
  return text.slice(-2000)
}
