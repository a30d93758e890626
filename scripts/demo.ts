/**
 * `pnpm demo [--host 0.2] [--keep]`: a throw-away DSH home, the plugin packed and installed as people install it,
 * and the story told in the real host: what was said, what was stored, what came back.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { startFakeModel } from '../tests/support/fake-model.ts'
import { type Host, host02, hostRc8, installPlugin } from '../tests/support/hosts.ts'
import type { ModelView } from '../tests/support/model-view.ts'
import { packFolder } from '../tests/support/pack-folder.ts'
import { play, SCENES, type Scene } from './story.ts'

const out = (line = '') => process.stdout.write(`${line}\n`)
const heading = (text: string) => out(`\n${styleText('bold', `■ ${text}`, { stream: process.stdout })}`)
const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

function readOptions() {
  return parseArgs({
    options: {
      host: { type: 'string', default: '0.1' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values
}
let options: ReturnType<typeof readOptions>
const realKey = process.env.DEEPSEEK_API_KEY
const root = join(import.meta.dirname, '..')

const HELP = `pnpm demo [--host 0.1|0.2] [--keep]

  --host   the DSH host that tells the story: 0.1 (0.1.0-rc.8, the default) or 0.2 (0.2.1-rc.2)
  --keep   keep the throw-away home afterwards, to look at its files`

async function chooseHost(): Promise<Host> {
  if (options.host === '0.1') return hostRc8()
  const host = options.host === '0.2' ? await host02() : undefined
  if (!host) throw new Error(`There is no host ${options.host} here; --host takes 0.1 or 0.2.`)
  return host
}

/** Every tool call of a scene with its answer, as the model got it. */
function printCalls(requests: readonly ModelView[]): void {
  const last = requests.findLast(({ kind }) => kind === 'main')
  if (!last) return
  const answers = new Map(
    last.messages.flatMap(({ results }) => results).map((result) => [result.id, result]),
  )
  for (const { id, name, args } of last.messages.flatMap(({ calls }) => calls)) {
    out(`  ${styleText('cyan', name, { stream: process.stdout })} ${JSON.stringify(args)}`)
    const answer = answers.get(id)
    if (answer) out(dim(indented(`→ ${answer.text}`)))
  }
}

async function tell(host: Host, home: string, scene: Scene): Promise<void> {
  heading(scene.title)
  const cwd = join(home, 'work', scene.folder)
  await mkdir(cwd, { recursive: true })
  out(`  in ${scene.folder}/  the person: ${scene.says}`)
  const model = realKey ? undefined : await startFakeModel(play)
  const env: Record<string, string> = model ? model.env : { DEEPSEEK_API_KEY: realKey ?? '', ...baseUrl() }
  try {
    const done = await host.run(['--profile', 'headless', scene.says], { home, cwd, env, timeoutMs: 180_000 })
    if (model) printCalls(model.requests)
    out(`  the assistant: ${done.stdout.trim()}`)
    if (done.stderr.trim() !== '') out(dim(indented(done.stderr)))
    if (done.code !== 0) throw new Error(`the host ended with exit code ${done.code}`)
  } finally {
    await model?.close()
  }
}

const baseUrl = (): Record<string, string> =>
  process.env.DEEPSEEK_BASE_URL ? { DEEPSEEK_BASE_URL: process.env.DEEPSEEK_BASE_URL } : {}

async function recordFiles(data: string): Promise<string[]> {
  const entries = await readdir(join(data, 'memories'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function printRecords(home: string, data: string): Promise<void> {
  for (const file of await recordFiles(data)) {
    out(`  ${relative(home, file)}`)
    out(dim(indented(await readFile(file, 'utf8'))))
  }
}

/** The person's own command, as it lies in the profile. */
function mnemos(home: string, ...args: string[]): void {
  out(`  $ mnemos ${args.join(' ')}`)
  const main = join(home, 'profiles/headless/node_modules/dsh-mnemos-continuity/lib/cli/main.js')
  const done = spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, DSH_HOME: home },
    encoding: 'utf8',
  })
  out(indented(`${done.stdout}${done.stderr}`))
}

async function main(): Promise<void> {
  const host = await chooseHost()
  const home = await mkdtemp(join(tmpdir(), 'mnemos-demo-'))
  const data = join(home, 'mnemos', 'headless')
  try {
    out(`Mnemos on DeepSeek Harness ${host.name}, in the throw-away home ${home}`)
    out(
      realKey
        ? 'DEEPSEEK_API_KEY is set: the real model plays the assistant, so its words and calls vary.'
        : 'No DEEPSEEK_API_KEY: a scripted model plays the assistant. Host, plugin, files and processes are real.',
    )
    heading('The plugin is packed and installed')
    spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], { cwd: root, stdio: 'inherit' })
    const tarball = await packFolder(root, home)
    out('  $ dsh plugin --profile headless add dsh-mnemos-continuity-….tgz')
    await installPlugin(host, home, 'headless', tarball)

    await tell(host, home, SCENES.remember)
    heading('What was stored: one plain file')
    await printRecords(home, data)
    await tell(host, home, SCENES.recall)
    await tell(host, home, SCENES.correct)
    heading('What is stored now')
    await printRecords(home, data)
    await tell(host, home, SCENES.delete)

    heading('The person’s own commands')
    mnemos(home, 'status')
    const outdated = (await recordFiles(data)).filter((file) => file.endsWith('.md'))
    for (const file of outdated) {
      const text = await readFile(file, 'utf8')
      if (/^status: deprecated$/m.test(text))
        mnemos(home, 'delete', /^id: (\S+)$/m.exec(text)?.[1] ?? '', '--yes')
    }
    mnemos(home, 'search', 'staging', 'database', 'port')
    await printRecords(home, data)
    const left = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    )
    const holders: string[] = []
    for (const entry of left) {
      const bytes = await readFile(join(entry.parentPath, entry.name))
      if (bytes.includes('5433')) holders.push(entry.name)
    }
    out(
      `\n  A search of all ${left.length} files of the data folder for "5433", byte by byte: ${holders.length} hold it.`,
    )
  } finally {
    if (options.keep) out(`\nKept: ${home}`)
    else await rm(home, { recursive: true, force: true })
  }
}

try {
  options = readOptions()
  if (options.help) out(HELP)
  else await main()
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}\n`)
  process.exitCode = 1
}
