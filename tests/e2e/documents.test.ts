/**
 * Every shell block of README and INSTALL, run as a reader runs it: in bash, one after the other, in a home that has
 * nothing but what the machine's Node, npm and python3 bring, in a copy of the project without `node_modules`. Blocks
 * that are equal in both languages are run once. npm's, pip's and pnpm's caches are the machine's own, to be quick.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheDir } from '../../scripts/cache.ts'
import { inheritedEnv, runChild, spawnChild } from '../support/child.ts'
import { type Block, blocksOf, neutral, TWINS } from '../support/documents.ts'
import { type FakeModel, startFakeModel } from '../support/fake-model.ts'
import { availableHosts, TROUBLE } from '../support/hosts.ts'
import type { Script } from '../support/model-view.ts'
import { outerPath } from '../support/pnpm.ts'
import { tempDir } from '../support/temp.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SHELL_BLOCKS = TWINS.flat()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'sh')

/** Lines that are not run, and why. */
const NOT_RUN: Record<string, string> = {
  'npx -y pnpm@10.34.9 test': 'it is what runs this file',
}

/** How a line that asks a person is run without one: INSTALL names these variables and `--yes` for scripts. */
const PERSON = { MNEMOS_PASSPHRASE: 'a passphrase of seven quite ordinary words', MNEMOS_LANGUAGE: 'en' }
const unasked = (text: string) => text.replaceAll(/^mnemos init/gm, 'mnemos init --yes')

const ran = new Set<string>()

/** The block that begins with these words, in the language of the page. */
function block(page: string, start: string): string {
  const found = SHELL_BLOCKS.filter((one) => one.page === page && one.text.startsWith(start))
  expect(found.map(({ text }) => text)).toHaveLength(1)
  const [one] = found as [Block]
  ran.add(neutral(one))
  return one.text
    .split('\n')
    .filter((line) => !(line.replace(/ +# .*$/, '') in NOT_RUN))
    .join('\n')
}

/** Without anything that a package manager put there for its own run. */
const barePath = () =>
  outerPath()
    .filter((dir) => !dir.includes('node_modules') && !existsSync(join(dir, 'pnpm')))
    .join(delimiter)

interface Said {
  stdout: string
  stderr: string
}

interface Terminal {
  home: string
  /** Runs a block in this window, which keeps its folder and variables; fails where a line of it fails. */
  run(text: string, env?: Record<string, string>): Promise<Said>
  /** Starts what runs until it is stopped, waits for its words, and stops it. @returns all that it said. */
  watch(text: string, until: RegExp): Promise<string>
}

/** A new window: a bare home of its own unless one is named. */
async function openTerminal(cwd: string, env: Record<string, string>, home?: string): Promise<Terminal> {
  const state = join(await tempDir('terminal'), 'state')
  const child = {
    cwd,
    env: {
      ...inheritedEnv(),
      PATH: barePath(),
      HOME: home ?? (await tempDir('bare')),
      npm_config_cache: npmCache,
      npm_config_store_dir: join(cacheDir(), 'pnpm-store'),
      PIP_CACHE_DIR: join(cacheDir(), 'pip'),
      ...env,
    },
  }
  const script = (text: string, more: Record<string, string> = {}) =>
    [
      'set -e',
      `if [ -f '${state}' ]; then . '${state}'; fi`,
      ...Object.entries(more).map(([name, value]) => `export ${name}='${value}'`),
      text,
      ...Object.keys(more).map((name) => `unset ${name}`),
      `{ export -p; echo "cd '$PWD'"; } > '${state}'`,
    ].join('\n')
  return {
    home: child.env.HOME,
    async run(text, more) {
      const done = await runChild('bash', ['-c', script(text, more)], { ...child, timeoutMs: 240_000 })
      if (done.code !== 0)
        throw new Error(`exit code ${done.code} of\n${text}\n${done.stdout}\n${done.stderr}`)
      return done
    },
    async watch(text, until) {
      const running = spawnChild('bash', ['-c', script(text)], child)
      try {
        await running.waitFor(until, 60_000)
        return running.output()
      } finally {
        await running.stop()
      }
    },
  }
}

/** The project as a reader gets it: what git has, or would take, and nothing that was made from it. */
async function copyOfProject(): Promise<string> {
  const copy = await tempDir('project')
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(ROOT, path))) continue
    await mkdir(dirname(join(copy, path)), { recursive: true })
    cpSync(join(ROOT, path), join(copy, path))
  }
  return copy
}

const call = (name: string, args: unknown) => ({ toolCalls: [{ name, args }] })

/** Does what the documents tell a person to say, in either language, and answers with what the memory gave. */
const assistant: Script = ({ messages }) => {
  const told = /^(?:Remember: |记住：)(.+)/
  const asked = /^(Which port|预发布数据库监听哪个端口)/
  const from = messages.findLastIndex(
    ({ role, text }) => role === 'user' && (told.test(text) || asked.test(text)),
  )
  const said = messages[from]?.text ?? ''
  const last = messages
    .slice(from + 1)
    .flatMap(({ results }) => results)
    .at(-1)
  const summary = told.exec(said)?.[1]
  if (summary !== undefined) return last ? { text: 'noted' } : call('remember', { summary })
  return last
    ? { text: JSON.parse(last.text).hits[0]?.summary ?? 'nothing is known' }
    : call('recall', { query: said.startsWith('Which') ? 'staging database port' : '预发布数据库 端口' })
}

let npmCache: string
let model: FakeModel
let project: string

beforeAll(async () => {
  const get = ['config', 'get', 'cache']
  // npm warns of settings that pnpm left in the environment.
  npmCache = execFileSync('npm', get, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  model = await startFakeModel(assistant)
  project = await copyOfProject()
})
afterAll(() => model.close())

describe('in a bare home', () => {
  it('the demo begins with its own words and tells the story', async () => {
    const { run } = await openTerminal(project, {})
    const { stdout, stderr } = await run(block('README.md', 'npx -y pnpm@10.34.9 demo'))
    const before = stdout.slice(0, stdout.indexOf('Mnemos on DeepSeek Harness 0.1.0-rc.8'))
    expect(before.split('\n').filter((line) => line !== '' && !line.startsWith('>'))).toEqual([])
    expect(stdout).toMatch(/for "5433", byte by byte: 0 hold it\.\n$/)
    expect(stderr.split('\n').filter((line) => line !== '' && !/^npm (?:warn|notice)/.test(line))).toEqual([])
  })
})

describe.each(await availableHosts())('in a bare home, $name', ({ name }) => {
  const isOld = name === '0.1.0-rc.8'
  let terminal: Terminal
  beforeAll(async () => {
    terminal = await openTerminal(project, model.env)
  })

  it('is brought by one block', async () => {
    const { stdout } = await terminal.run(
      block('INSTALL.md', isOld ? 'mkdir -p ~/dsh-0.1' : 'python3 -m venv ~/dsh-0.2'),
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(name)
    const { stdout: version } = await terminal.run('node --version; pnpm --version')
    expect(version).toBe('v24.21.0\n10.34.9\n')
    await terminal.run(block('INSTALL.md', 'export DEEPSEEK_API_KEY='))
  })

  it('gets Mnemos by one block', async () => {
    const install = block('INSTALL.md', 'npx -y pnpm@10.34.9 build')
    expect(block('README.md', 'npx -y pnpm@10.34.9 build')).toBe(install)
    const { stdout, stderr } = await terminal.run(install)
    expect(`${stdout}${stderr}`).not.toMatch(TROUBLE)
  })

  it.each(['INSTALL.md', 'INSTALL.zh.md'])('remembers across a restart what %s says', async (page) => {
    const { stdout, stderr } = await terminal.run(block(page, 'dsh --profile headless "'))
    const [noted, answer] = stdout.trimEnd().split('\n')
    expect([noted, answer, stderr]).toEqual(['noted', expect.stringContaining('5433'), ''])
  })

  it('shows what was stored and that nothing is wrong', async () => {
    const { stdout } = await terminal.run(block('INSTALL.md', 'export PATH="$HOME/.dsh/profiles'))
    expect(stdout).toContain('the staging database listens on port 5433')
    expect(stdout).toContain('预发布数据库监听 5433 端口')
    expect(stdout).toMatch(/^Nothing is wrong\.$/m)
    const { stdout: found } = await terminal.run(block('INSTALL.md', 'mnemos status --profile headless'))
    expect(found).toMatch(/"hits": \[\s+\{/)
  })

  it('serves the page, with Mnemos in it', async () => {
    if (!isOld) await terminal.run(block('INSTALL.md', 'UNPACK_TO='))
    const text = block('INSTALL.md', isOld ? 'dsh web' : 'node ~/dsh-0.2/page')
    const said = await terminal.watch(text.replace('--no-open', '--no-open --port 0'), /dsh web: http\S+/)
    expect(said).not.toMatch(/dsh-mnemos-continuity|^mnemos:/m)
    const known = readFileSync(join(terminal.home, '.dsh/mnemos/profiles.json'), 'utf8')
    expect(Object.keys(JSON.parse(known).profiles)).toContain('web')
  })

  it.runIf(isOld)('takes a constitution, a changed one, and one folder for two profiles', async () => {
    const own = join(project, 'my-text.md')
    const [show = '', ...update] = block('INSTALL.md', 'mnemos constitution show').split('\n')
    await terminal.run(show)
    await terminal.run(unasked(block('INSTALL.md', 'mnemos init --profile headless --from')), {
      ...PERSON,
      MNEMOS_DATA: await tempDir('other'),
    })
    const { stdout: first } = await terminal.run(
      unasked(block('INSTALL.md', 'mnemos init --profile headless  ')),
      PERSON,
    )
    expect(first).toContain(join(terminal.home, '.dsh/mnemos/headless'))
    await terminal.run(show)
    appendFileSync(own, '\nOne sentence more.\n')
    await terminal.run(update.join('\n'), PERSON)
    const { stdout: shown } = await terminal.run('mnemos constitution show --profile headless')
    expect(shown).toContain('One sentence more.')
    await terminal.run(unasked(block('INSTALL.md', 'mnemos init --profile headless --share')), PERSON)
    const { stdout: shared } = await terminal.run('mnemos status --profile web')
    expect(shared).toContain(join(terminal.home, '.dsh/mnemos/headless'))
  })

  it.runIf(isOld)('is upgraded, and the command runs from the tarball alone', async () => {
    await terminal.run(block('INSTALL.md', 'dsh plugin --profile headless remove'))
    const other = await openTerminal(project, {}, terminal.home)
    const { stdout } = await other.run(block('INSTALL.md', 'npx -y -p node@'))
    expect(stdout).toMatch(/^Records +2 /m)
  })
})

it.skipIf((await availableHosts()).length < 2)('no block is left out', () => {
  const left = SHELL_BLOCKS.filter((one) => !ran.has(neutral(one))).map(
    ({ page, text }) => `${page}: ${text}`,
  )
  expect(left).toEqual([])
})

it('what is not run stands in a document', () => {
  const lines = SHELL_BLOCKS.flatMap(({ text }) =>
    text.split('\n').map((line) => line.replace(/ +# .*$/, '')),
  )
  for (const line of Object.keys(NOT_RUN)) expect(lines).toContain(line)
})
