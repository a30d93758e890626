/**
 * The fast crash run: Node processes with a store each on one folder, killed at random and replaced, and an editor.
 * `node tests/crash/stress.ts [--seconds 60] [--writers 3] [--keep]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { Store } from '../../src/memory/store.ts'
import { personContext } from '../../src/memory/turn-context.ts'
import { filesBelow } from '../support/files.ts'
import { readJournals } from './journal.ts'
import { verify } from './verify.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    writers: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
})
const SHARED = 20
/** A writer lives so long, at most, after it has loaded: kills fall into its boot and its first acts alike. */
const LIFE_MS = 2000

const out = (line: string) => process.stdout.write(`${line}\n`)
/** A killed process loses nothing that the kernel has, so memory will do, and leaves more time for acts. */
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mnemos-crash-'))
const [root, journals] = [join(base, 'data'), join(base, 'journals')]
mkdirSync(journals)

const openStore = () =>
  new Store({ root, config: { ...defaultConfig(), scanEveryMs: 0 }, clock: systemClock, disk: nodeDisk })

async function sharedRecords(): Promise<string[]> {
  const store = openStore()
  const ids: string[] = []
  for (let n = 0; n < SHARED; n++) {
    const record = { summary: `The shared fact number ${n}`, content: 'It has a long story.' }
    const { records } = await store.commit([{ act: 'create', record }], personContext())
    ids.push(records[0]?.id ?? '')
  }
  store.close()
  return ids
}

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

let kills = 0
/** One writer after the other, each killed after a random while. */
async function slot(k: number, ids: string[], until: number): Promise<void> {
  for (let n = 0; performance.now() < until; n++) {
    const { child, loaded, gone } = start('worker.ts', [root, journals, `w${k}x${n}`, ...ids])
    await loaded
    await sleep(Math.random() * LIFE_MS)
    child.kill('SIGKILL')
    kills++
    await gone
  }
}

const ids = await sharedRecords()
const files = ids.map((id) => {
  const found = readdirSync(join(root, 'memories'), { recursive: true }).find((name) =>
    String(name).endsWith(`${id}.md`),
  )
  return join(root, 'memories', String(found))
})
const until = performance.now() + Number(values.seconds) * 1000
const editor = start('editor.ts', [journals, 'ed', '10', ...files])
await Promise.all([...Array(Number(values.writers)).keys()].map((k) => slot(k, ids, until)))
editor.child.kill('SIGKILL')
await editor.gone

const left = filesBelow(join(root, 'pending')).length
const store = openStore()
await store.ready()
await store.commit([{ act: 'create', record: { summary: 'the last write' } }], personContext())
const problems = store.problems()
const { total } = await store.counts()
store.close()
const deeds = readJournals(journals)
const { broken, figures } = verify(root, deeds, ids)
out(`${values.writers} writers and an editor, ${values.seconds} s, ${kills} killed with -9`)
for (const [name, n] of Object.entries(figures)) out(`  ${n} ${name}`)
out(`  ${left} acts were pending at the last kill`)
if (total !== figures.records) broken.push(`counts say ${total}, the folder holds ${figures.records}`)
const reasons = new Map<string, number>()
for (const { outcome, reason = '', who } of deeds)
  if (outcome === 'refused') {
    const short = `${who.startsWith('ed') ? 'editor: ' : ''}${reason.replace(/[0-9a-z]{10}/g, '…').slice(0, 110)}`
    reasons.set(short, 1 + (reasons.get(short) ?? 0))
  }
for (const [reason, n] of reasons) out(`  refused ${n}: ${reason}`)
for (const problem of problems) out(`  said at the end: ${problem}`)
for (const text of new Set(said)) broken.push(`a process said: ${text.slice(0, 600)}`)
for (const text of broken.slice(0, 30)) out(`  BROKEN ${text}`)
out(
  broken.length === 0
    ? '  every law holds'
    : `  ${broken.length} laws do not hold; the folder is kept: ${base}`,
)
if (broken.length === 0 && !values.keep) rmSync(base, { recursive: true })
process.exitCode = broken.length === 0 ? 0 : 1
