/**
 * The fast crash run: Node processes with a store each on one folder, killed at random and replaced, and an editor.
 * `node tests/crash/stress.ts [--seconds 60] [--writers 3] [--keep]`
 * `MNEMOS_CRASH_TICK_MS=2000` lets the writers see times as a coarse file system has them; `MNEMOS_TEST_TEMP` names the
 * folder that it runs in, which may lie on such a file system.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { tick } from './journal.ts'
import { judge, seed } from './run-parts.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    writers: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
})
/** A writer lives so long, at most, after it has loaded: kills fall into its boot and its first acts alike. */
const LIFE_MS = 4000

const out = (line: string) => process.stdout.write(`${line}\n`)
/** A killed process loses nothing that the kernel has, so memory will do, and leaves more time for acts. */
const place = process.env.MNEMOS_TEST_TEMP ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
const base = mkdtempSync(join(place, 'mnemos-crash-'))
const [root, journals] = [join(base, 'data'), join(base, 'journals')]
mkdirSync(journals)

const alive = new Set<ChildProcess>()
const said: string[] = []
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

function start(
  script: string,
  args: string[],
): { child: ChildProcess; loaded: Promise<void>; gone: Promise<void> } {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Starting costs most of the time otherwise.
    env: { ...process.env, NODE_COMPILE_CACHE: join(base, 'compiled') },
  })
  alive.add(child)
  let ready = () => {}
  const loaded = new Promise<void>((resolve) => {
    ready = resolve
  })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('loaded')) ready()
    const rest = text.replace('loaded\n', '')
    if (rest !== '') said.push(rest)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => {
      alive.delete(child)
      ready()
      resolve()
    }),
  )
  return { child, loaded, gone }
}

/** When which writer was killed. */
const killed = new Map<string, number>()
/** One writer after the other, each killed after a random while. */
async function slot(k: number, ids: string[], until: number): Promise<void> {
  for (let n = 0; performance.now() < until; n++) {
    const who = `w${k}x${n}`
    const { child, loaded, gone } = start('worker.ts', [root, journals, who, ...ids])
    await loaded
    await Promise.race([gone, sleep(Math.random() * LIFE_MS)])
    child.kill('SIGKILL')
    await gone
    killed.set(who, tick())
  }
}

const { ids, files } = await seed(root)
const until = performance.now() + Number(values.seconds) * 1000
const editor = start('editor.ts', [journals, 'ed', '4', ...files])
await Promise.all([...Array(Number(values.writers)).keys()].map((k) => slot(k, ids, until)))
editor.child.kill('SIGTERM')
await editor.gone

out(`${values.writers} writers and an editor, ${values.seconds} s, ${killed.size} killed with -9`)
const holds = await judge(root, journals, ids, out, { said, killed })
if (!holds) out(`  the folder is kept: ${base}`)
if (holds && !values.keep) rmSync(base, { recursive: true })
process.exitCode = holds ? 0 : 1
