/**
 * Many writes on a machine that is busy with other things: none may fail for the lock.
 * `node tests/crash/lock-load.ts [--calls 20000] [--processes 4] [--each 5000] [--load 2] [--seconds 20]`
 * First one process alone, then several on one folder; `--load` is how many processes do nothing but compute
 * meanwhile. With `--seconds` each of the two ends then, whatever it has done.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { reasonOf } from '../../src/base/errors.ts'
import { explained } from '../../src/messages/messages.ts'
import { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '20000' },
    processes: { type: 'string', default: '4' },
    each: { type: 'string', default: '5000' },
    load: { type: 'string', default: '2' },
    seconds: { type: 'string' },
    /** Of a process that this one starts: the folder, and how many calls it makes. */
    writer: { type: 'string' },
  },
})
const out = (line: string) => process.stdout.write(`${line}\n`)

interface Written {
  asked: number
  done: number
  /** Sentences, with how often each was said. */
  failed: Record<string, number>
  slowestMs: number
}

async function write(root: string, calls: number): Promise<Written> {
  const store = new Store({ root, config: defaultConfig(), clock: systemClock, disk: nodeDisk })
  const written: Written = { asked: 0, done: 0, failed: {}, slowestMs: 0 }
  const until = performance.now() + Number(values.seconds ?? Number.POSITIVE_INFINITY) * 1_000
  for (let n = 0; n < calls && performance.now() < until; n++) {
    const from = performance.now()
    written.asked++
    try {
      await store.commit(
        [{ act: 'create', record: { summary: `The fact number ${n} of ${process.pid}` } }],
        personContext(),
      )
      written.done++
    } catch (error) {
      const reason = reasonOf(explained(error))
      written.failed[reason] = 1 + (written.failed[reason] ?? 0)
    }
    written.slowestMs = Math.max(written.slowestMs, performance.now() - from)
  }
  store.close()
  return written
}

if (values.writer !== undefined) {
  process.stdout.write(JSON.stringify(await write(values.writer, Number(values.each))))
  process.exit()
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (let n = 0; n < Number(values.load); n++)
  children.add(spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random())'], { stdio: 'ignore' }))

function writer(root: string): Promise<Written> {
  const limit = values.seconds === undefined ? [] : ['--seconds', values.seconds]
  const args = [import.meta.filename, '--writer', root, '--each', values.each, ...limit]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  return new Promise((resolve) =>
    child.once('close', () => {
      children.delete(child)
      resolve(
        text === ''
          ? { asked: 1, done: 0, failed: { 'the process ended': 1 }, slowestMs: 0 }
          : JSON.parse(text),
      )
    }),
  )
}

let failures = 0
async function run(what: string, body: (root: string) => Promise<Written[]>): Promise<void> {
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mnemos-lock-'))
  const from = performance.now()
  const all = await body(join(base, 'data'))
  const done = all.reduce((sum, one) => sum + one.done, 0)
  const asked = all.reduce((sum, one) => sum + one.asked, 0)
  const slowest = Math.round(Math.max(...all.map(({ slowestMs }) => slowestMs)))
  const seconds = Math.round((performance.now() - from) / 1_000)
  out(`${what}: ${done} of ${asked} done in ${seconds} s, the slowest in ${slowest} ms`)
  for (const { failed } of all)
    for (const [reason, times] of Object.entries(failed)) out(`  ${times} times: ${reason}`)
  failures += asked - done
  if (done === 0) failures++
  rmSync(base, { recursive: true })
}

const [calls, processes] = [Number(values.calls), Number(values.processes)]
await run('one process', async (root) => [await write(root, calls)])
await run(`${processes} processes`, (root) =>
  Promise.all(Array.from({ length: processes }, () => writer(root))),
)
out(`${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1
process.exit()
