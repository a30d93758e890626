/**
 * The crash run on real hosts: two `dsh` processes and an editor work on the same 20 records; one host is killed with
 * -9 at random moments and started again. A scripted model calls the tools; what it gets back it notes, fsynced, before
 * it goes on.
 * `node tests/crash/hosts.ts [--rounds 200] [--only pairs|ten]`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildAndPack } from '../support/build.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, type Host, installPlugin } from '../support/hosts.ts'
import type { Reply, Script } from '../support/model-view.ts'
import { type Deed, Journal } from './journal.ts'
import { judge, openPlain, seed } from './run-parts.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, only: { type: 'string', default: '' } },
})
const ROUNDS = Number(values.rounds)
/** Tool calls of one process: one turn of so many steps. */
const A_RUN = 50
const KILLS = 4

const out = (line: string) => process.stdout.write(`${line}\n`)
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

interface Player {
  script: Script
  left(): number
  close(): void
}

/** The scripted model of one host: its rounds go on where a killed process left them. */
function player(who: string, journals: string, shared: readonly string[]): Player {
  const journal = new Journal(journals, who)
  let rounds = 0
  let inRun = 0
  let open: { note: ReturnType<Journal['will']>; what: Deed } | undefined
  const mine: string[] = []

  function next(): Reply {
    const line = `${who}n${++rounds}e`
    const dice = Math.random()
    const call = (what: Deed, name: string, args: unknown): Reply => {
      open = { note: journal.will(what), what }
      return { toolCalls: [{ name, args }] }
    }
    if (dice < 0.45) {
      const old = pick(shared)
      const args = { summary: `The better fact ${line}`, supersedes: [old], why: line }
      return call({ deed: 'correct', ids: ['', old], line }, 'remember', args)
    }
    if (dice < 0.75 || mine.length === 0) {
      const args = { summary: `The fact ${line}`, content: `It holds that ${line} is so.` }
      return call({ deed: 'create', ids: [], line }, 'remember', args)
    }
    const id = dice < 0.9 ? pick(shared) : pick(mine)
    return call({ deed: 'deprecate', ids: [id], line }, 'deprecate', { id, why: line })
  }

  function settle(text: string, isError: boolean): void {
    if (!open) return
    const { note, what } = open
    open = undefined
    if (isError) {
      note.refused(text)
      return
    }
    const answer = JSON.parse(text) as { id: string; deprecated?: string[]; warnings?: string[] }
    if (what.deed === 'create') {
      mine.push(answer.id)
      note.done({ ids: [answer.id] })
    } else if (what.deed === 'correct') note.done({ ids: [answer.id, ...(answer.deprecated ?? [])] })
    else note.done({ again: answer.warnings?.some((warning) => /deprecated already/.test(warning)) ?? false })
  }

  return {
    script: (view) => {
      if (view.kind !== 'main') return undefined
      const result = view.messages.at(-1)?.results.at(-1)
      if (result) settle(result.text, result.isError)
      else {
        // A new process: nobody was told what became of the last call.
        open = undefined
        inRun = 0
      }
      return rounds >= ROUNDS || inRun++ >= A_RUN ? { text: 'done' } : next()
    },
    left: () => ROUNDS - rounds,
    close: () => journal.close(),
  }
}

async function pair(name: string, hosts: [Host, Host], tarball: string): Promise<boolean> {
  const base = mkdtempSync(join(tmpdir(), 'mnemos-crash-hosts-'))
  const [root, journals] = [join(base, 'data'), join(base, 'journals')]
  mkdirSync(journals)
  const { ids, files } = await seed(root)
  const editor = spawn(
    process.execPath,
    [join(import.meta.dirname, 'editor.ts'), journals, 'ed', '100', ...files],
    { stdio: 'ignore' },
  )
  let kills = 0
  let boots = 0
  const said = new Set<string>()

  async function run(host: Host, at: number): Promise<void> {
    const home = join(base, `home-${at}`)
    await installPlugin(host, home, 'headless', tarball)
    const plays = player(`h${at}`, journals, ids)
    const model = await startFakeModel(plays.script)
    try {
      while (plays.left() > 0) {
        boots++
        const child = await host.spawn(['--profile', 'headless', 'go on'], {
          home,
          env: { ...model.env, MNEMOS_DATA: root },
        })
        // The first host is killed: some way into its rounds, at a moment that nothing here chose.
        if (at === 0 && kills < KILLS) {
          const aim = plays.left() - 10 - Math.floor(Math.random() * 25)
          let gone = false
          void child.exited.then(() => {
            gone = true
          })
          while (!gone && plays.left() > aim) await sleep(5)
          await sleep(Math.random() * 40)
          if (!gone) {
            process.kill(child.pid, 'SIGKILL')
            kills++
          }
        }
        const code = await child.exited
        const noise = child
          .output()
          .replace(/^done$/m, '')
          .trim()
        if (noise !== '' || (code !== 0 && code !== null)) said.add(`exit ${code}: ${noise}`)
        await child.stop()
      }
    } finally {
      await model.close()
      plays.close()
    }
  }

  const started = performance.now()
  await Promise.all(hosts.map(run))
  editor.kill('SIGTERM')
  await once(editor, 'exit')
  const seconds = Math.round((performance.now() - started) / 1000)
  out(`${name}: ${ROUNDS} rounds each, ${boots} processes, ${kills} killed with -9, ${seconds} s`)
  for (const text of said) out(`  a host said: ${text.slice(0, 300)}`)
  // Nobody removes a file here: a host that misses some has looked wrongly.
  const missed = [...said].filter((text) => /vanished/.test(text)).length
  if (missed > 0) out(`  a law does not hold: ${missed} processes missed files that nobody had removed`)
  const holds = (await judge(root, journals, ids, out)) && missed === 0
  if (holds) rmSync(base, { recursive: true, force: true })
  else out(`  the folder is kept: ${base}`)
  return holds
}

/** Ten hosts at once on a folder of 2,000 records without an index: one fill, and all find everything. */
async function tenAtOnce(host: Host, tarball: string): Promise<boolean> {
  const base = mkdtempSync(join(tmpdir(), 'mnemos-crash-ten-'))
  const [root, home] = [join(base, 'data'), join(base, 'home')]
  await seed(root, 2000)
  rmSync(join(root, 'index'), { recursive: true })
  await installPlugin(host, home, 'headless', tarball)
  const model = await startFakeModel((view) => {
    const result = view.messages.at(-1)?.results.at(-1)
    return result
      ? { text: String((JSON.parse(result.text) as { hits: unknown[] }).hits.length) }
      : { toolCalls: [{ name: 'recall', args: { query: 'shared fact number 1234', limit: 5 } }] }
  })
  // A home each: 0.1.0-rc.8 rewrites its profile's file at every boot, and ten at once read it half written.
  const homes = Array.from({ length: 10 }, (_, n) => join(base, `home-${n}`))
  for (const copy of homes) cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
  const started = performance.now()
  const done = await Promise.all(
    homes.map((each) =>
      host.run(['--profile', 'headless', 'go on'], {
        home: each,
        env: { ...model.env, MNEMOS_DATA: root },
        timeoutMs: 180_000,
      }),
    ),
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  await model.close()
  const found = done.map(({ stdout }) => stdout.trim())
  const { rows, highest } = openPlain(root)
  const holds = found.every((n) => n === '5') && rows === 2000 && highest === 2000
  out(`ten ${host.name} at once, 2000 records, no index: ${seconds} s; hits ${found.join(' ')}`)
  out(
    `  ${rows} files in the index, ${highest} rows were ever written: ${highest === rows ? 'one fill' : 'MORE THAN ONE FILL'}`,
  )
  for (const text of new Set(done.map(({ stderr }) => stderr).filter((text) => text !== '')))
    out(`  said: ${text.slice(0, 1500)}`)
  rmSync(base, { recursive: true, force: true })
  return holds
}

const packed = mkdtempSync(join(tmpdir(), 'mnemos-pack-'))
try {
  const tarball = await buildAndPack(packed)
  const [rc8, newer] = await availableHosts()
  if (!rc8) throw new Error('there is no host')
  let holds = true
  if (values.only !== 'ten') {
    holds = await pair(`two ${rc8.name}`, [rc8, rc8], tarball)
    if (newer) {
      holds = (await pair(`two ${newer.name}`, [newer, newer], tarball)) && holds
      holds = (await pair(`${rc8.name} and ${newer.name}`, [rc8, newer], tarball)) && holds
    }
  }
  if (values.only !== 'pairs')
    for (const host of newer ? [rc8, newer] : [rc8]) holds = (await tenAtOnce(host, tarball)) && holds
  process.exitCode = holds ? 0 : 1
} finally {
  rmSync(packed, { recursive: true, force: true })
}
