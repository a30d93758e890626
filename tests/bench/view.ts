/**
 * The life of the view on every host: `node tests/bench/view.ts`. Two hundred turns, five writes, folds, resumes, forks
 * and a thousand turns run in process with each host's own packages; the restarts run the real `dsh` command.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildAndPack } from '../support/build.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, findHost02, type Host, installPlugin } from '../support/hosts.ts'
import type { ModelView } from '../support/model-view.ts'

const root = join(import.meta.dirname, '..', '..')
const base = mkdtempSync(join(tmpdir(), 'mnemos-view-'))
const out = (line: string) => process.stdout.write(`${line}\n`)
let failed = false

function tell(name: string, holds: boolean, figures: Record<string, unknown>): void {
  failed ||= !holds
  const list = Object.entries(figures).map(([key, value]) => `${key}: ${value}`)
  out(`  ${holds ? 'holds ' : 'BROKEN'}  ${name}${list.length > 0 ? ` (${list.join('; ')})` : ''}`)
}

/** The measures that need no command. */
async function inProcess(tree: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', join(root, 'tests/support/host-hooks.ts'), join(root, 'tests/bench/view-host.ts')],
    { cwd: root, env: { ...process.env, MNEMOS_TEST_HOST_TREE: tree }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, holds, ...figures } = JSON.parse(line)
    tell(name, holds, figures)
  }
  const [code] = await ended
  if (code !== 0 && !failed) tell('the run itself', false, { code })
}

const labels = (request: ModelView | undefined): string[] =>
  (request?.messages ?? []).flatMap(({ text }) => /^\[Mnemos: ([^\]]*)\]/.exec(text)?.[1] ?? [])

/** The real command, started anew each time: a new session each, and on 0.2 one that is taken up again. */
async function restarts(host: Host, tarball: string): Promise<void> {
  const home = join(base, host.name)
  await installPlugin(host, home, 'headless', tarball)
  let wrote = false
  const model = await startFakeModel(() => {
    if (wrote) return { text: 'ok' }
    wrote = true
    return {
      toolCalls: [{ name: 'remember', args: { kind: 'decision', summary: 'Tea it is', why: 'bench' } }],
    }
  })
  const run = async (...args: string[]) => {
    const done = await host.run(['--profile', 'headless', ...args], { home, env: model.env })
    if (done.code !== 0) throw new Error(`${host.name}: ${done.stderr}`)
    return model.requests.filter(({ kind }) => kind === 'main').at(-1) as ModelView
  }
  try {
    await run('remember this')
    const [first, second] = [await run('one'), await run('two')]
    const same =
      first.system === second.system && JSON.stringify(first.tools) === JSON.stringify(second.tools)
    const once = labels(second).length === new Set(labels(second)).size && labels(second).length > 0
    tell('a restart by the real command', same && once && labels(first).join() === labels(second).join(), {
      'head byte-identical': same,
      parts: labels(second).join(', '),
    })
    if (host.name.startsWith('0.1.0')) return
    const third = await run('--session-id', second.sessionId ?? '', 'three')
    tell('a resume by the real command', labels(third).join() === labels(second).join(), {
      parts: labels(third).join(', '),
      'says what was said before': third.messages.some(({ text }) => text === 'two'),
    })
  } finally {
    await model.close()
  }
}

try {
  const tarball = await buildAndPack(base)
  const newer = await findHost02()
  for (const host of await availableHosts()) {
    out(`DSH ${host.name}`)
    await inProcess(host.name.startsWith('0.1.0') || !newer ? root : newer.unpackedDir)
    await restarts(host, tarball)
  }
  out(failed ? 'something does not hold' : 'everything holds')
} finally {
  rmSync(base, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
