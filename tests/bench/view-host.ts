/**
 * The view over a long life, in process on one host: `node --import tests/support/host-hooks.ts tests/bench/view-host.ts`
 * with MNEMOS_TEST_HOST_TREE. Prints one JSON line a measure; exits 1 when one does not hold.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import * as plugin from '../../src/plugin.ts'
import { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'
import {
  events,
  type Harness,
  type HarnessOptions,
  startHarness,
  toolResults,
} from '../support/in-process.ts'
import type { ModelView, Reply } from '../support/model-view.ts'

const base = mkdtempSync(join(tmpdir(), 'mnemos-view-'))
let failed = false

function measure(name: string, holds: boolean, figures: Record<string, unknown>): void {
  failed ||= !holds
  process.stdout.write(`${JSON.stringify({ name, holds, ...figures })}\n`)
}

/** A memory whose every part of the view is full. */
async function fullMemory(root: string): Promise<void> {
  const store = new Store({ root, config: defaultConfig(), clock: systemClock, disk: nodeDisk })
  await store.refresh()
  const of = (kind: string, n: number, summary: string) => ({
    act: 'create' as const,
    record: {
      kind,
      summary: `${summary} ${n}`,
      layer: 'permanent' as const,
      source: 'autobiographical' as const,
    },
  })
  for (let n = 0; n < 8; n++)
    await store.commit(
      [of('identity', n, `Answers slowly and looks into the record first, as it was agreed in year`)],
      personContext(),
    )
  for (let n = 0; n < 5; n++)
    await store.commit(
      [of('decision', n, 'Prefers the boring tool and says what it costs, decision')],
      personContext(),
    )
  for (let n = 0; n < 8; n++)
    await store.commit(
      [of('experience', n, 'A migration that nobody rehearsed failed at night, experience')],
      personContext(),
    )
  store.close()
  const folder = join(root, 'user-memory')
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < 200; n++) {
    const name = `fact-${String(n).padStart(3, '0')}`
    writeFileSync(
      join(folder, `${name}.md`),
      `---\nname: ${name}\ntype: user\nsummary: Likes fact number ${n} said in one line\n---\n`,
    )
  }
}

const labelsOf = (request: ModelView | undefined): string[] =>
  (request?.messages ?? []).flatMap(({ text }) => /^\[Mnemos: ([^\]]*)\]/.exec(text)?.[1] ?? [])
const headOf = ({ system, tools }: ModelView) => JSON.stringify({ system, tools })
const isOnce = (labels: readonly string[], parts: readonly string[]) =>
  labels.length === parts.length && parts.every((part) => labels.includes(part))

interface Host extends Harness {
  call(agent: Agent, name: string, args: unknown): Promise<{ text: string; isError: boolean }>
  mains(): ModelView[]
}

async function start(data: string, options: HarnessOptions = {}): Promise<Host> {
  Object.assign(process.env, { MNEMOS_DATA: data, DSH_HOME: join(base, 'home'), LANG: 'en_US.UTF-8' })
  const queue: Reply[] = []
  const harness = await startHarness({
    ...options,
    plugins: [[plugin, { scanEveryMs: 0 }]],
    script: async (view, n) =>
      view.kind === 'compact'
        ? { text: 'A summary of what was said.' }
        : (queue.shift() ?? (await options.script?.(view, n)) ?? { text: 'ok' }),
  })
  return {
    ...harness,
    async call(agent, name, args) {
      queue.push({ toolCalls: [{ name, args }] }, { text: 'done' })
      await harness.say(agent, `call ${name}`)
      const result = toolResults(agent.session).at(-1)
      if (!result) throw new Error(`${name} gave no result`)
      return result
    },
    mains: () => harness.requests.filter(({ kind }) => kind === 'main'),
  }
}

/** 200 turns without a write, and 200 with five. */
async function turns(data: string): Promise<string[]> {
  const host = await start(data)
  const agent = await host.newAgent()
  for (let turn = 0; turn < 200; turn++) await host.say(agent, `turn ${turn}`)
  const quiet = host.mains()
  const parts = labelsOf(quiet[0])
  const heads = new Set(quiet.map(headOf)).size
  const prefix = quiet.every((request, at) => {
    const before = quiet[at - 1]?.messages ?? []
    return JSON.stringify(request.messages.slice(0, before.length)) === JSON.stringify(before)
  })
  measure('200 turns without a write', heads === 1 && prefix && isOnce(labelsOf(quiet.at(-1)), parts), {
    heads,
    'each request begins with the one before': prefix,
    'parts sent': labelsOf(quiet.at(-1)).length,
    parts,
  })
  const before = labelsOf(host.mains().at(-1)).length
  for (let turn = 0; turn < 200; turn++) {
    if (turn % 40 === 20)
      await host.call(agent, 'remember', {
        summary: `Decided in turn ${turn}`,
        kind: 'decision',
        why: 'bench',
      })
    else await host.say(agent, `turn ${turn}`)
  }
  const more = labelsOf(host.mains().at(-1)).length - before
  const allHeads = new Set(host.mains().map(headOf)).size
  measure('200 turns with 5 writes', allHeads === 1 && more <= 5 && more > 0, {
    heads: allHeads,
    'parts more': more,
  })
  await host.dispose()
  return parts
}

/** A resume in a new host, a fork, an automatic fold and one by command. */
async function breaks(data: string, parts: readonly string[]): Promise<void> {
  const sessionsDir = join(base, 'sessions')
  const first = await start(data, { sessionsDir })
  const agent = await first.newAgent()
  await first.say(agent, 'one')
  const head = headOf(first.mains()[0] as ModelView)
  await first.end(agent)
  await first.dispose()
  const host = await start(data, { sessionsDir, compaction: true })
  const again = await host.resume(agent.session.id)
  const check = (name: string) => {
    const request = host.mains().at(-1) as ModelView
    const labels = labelsOf(request)
    measure(`whole and once after ${name}`, isOnce(labels, parts) && headOf(request) === head, {
      parts: labels.length,
      'head unchanged': headOf(request) === head,
    })
  }
  await host.say(again, 'two')
  check('a resume in a new process’s host')
  const fork = await host.fork(again)
  await host.say(fork, 'three')
  check('a fork')
  await host.command(again, '/compact')
  await host.say(again, 'four')
  check('/compact')
  const folds = () => events(fork.session).filter(({ type }) => type === 'compaction/summary').length
  for (let n = 0; n < 60 && folds() === 0; n++) await host.say(fork, `${n} ${'much to read '.repeat(1_500)}`)
  await host.say(fork, 'five')
  if (folds() === 0) measure('an automatic fold', false, { folds: 0 })
  check('an automatic fold')
  await host.dispose()
}

/** A thousand turns with resumes and forks: no message id twice in a session. */
async function longLife(data: string): Promise<void> {
  const sessionsDir = join(base, 'long')
  let host = await start(data, { sessionsDir, compaction: true })
  let agent = await host.newAgent()
  let [resumes, forks, twice, messages] = [0, 0, 0, 0]
  for (let turn = 1; turn <= 1000; turn++) {
    await host.say(agent, `turn ${turn}`)
    if (turn % 100 === 50) {
      await host.call(agent, 'remember', {
        summary: `Decided in turn ${turn}`,
        kind: 'decision',
        why: 'bench',
      })
      agent = await host.fork(agent)
      forks++
    }
    if (turn % 100 === 0) {
      const { id } = agent.session
      await host.end(agent)
      await host.dispose()
      host = await start(data, { sessionsDir, compaction: true })
      agent = await host.resume(id)
      resumes++
    }
  }
  const ids = events(agent.session).flatMap((event) => (event.type === 'user/message' ? [event.data.id] : []))
  messages = ids.length
  twice = ids.length - new Set(ids).size
  measure('1,000 turns with resumes and forks', twice === 0 && messages > 1000, {
    resumes,
    forks,
    messages,
    'ids twice': twice,
  })
  await host.dispose()
  if (readdirSync(sessionsDir).length === 0) measure('logs on disk', false, {})
}

try {
  const data = join(base, 'data')
  await fullMemory(data)
  await breaks(data, await turns(data))
  await longLife(data)
} finally {
  rmSync(base, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
