/** `dsh web` of either host, opened in a real Chromium. */
import { accessSync, constants } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { inheritedEnv, type Running } from './child.ts'
import type { Host } from './hosts.ts'

export interface Web {
  page: Page
  /** With the token that 0.2 wants; `new URL(path, url)` gives a route of the same server. */
  url: string
  composer: Locator
  /** What the page logged as error (failed requests among it) or threw, since it was opened. */
  errors: string[]
  server: Running
  /** Types a message as a person does and sends it. Waiting for the answer is the test's matter. */
  send(text: string): Promise<void>
  close(): Promise<void>
}

export interface WebOptions {
  /** DSH_HOME, with whatever was installed into its `web` profile. */
  home: string
  env?: Record<string, string>
  /** The folder that the page's sessions work in. Default: `<home>/work`. */
  workspace?: string
  /** The language of the browser. Only for a home whose first-run notice was dismissed in English. */
  locale?: string
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const VIEWPORT = { width: 1280, height: 900 }
const READY_MS = 90_000
const WORKSPACE_ROW = join(import.meta.dirname, '..', 'fixtures', 'workspace-row.js')
const NOTHING_TO_CLOSE = async (): Promise<void> => {}

/** Homes whose first-run notice was dismissed; the host remembers it in the home. */
const greeted = new Set<string>()

/** Undefined where there is no Chromium, having said so on stderr; in CI that is a failure. */
export function findChromium(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'chromium'))
  const found = [process.env.CHROMIUM, '/usr/bin/chromium', ...onPath].find(
    (file) => file && isExecutable(file),
  )
  if (found === undefined) {
    const why = 'There is no Chromium: set CHROMIUM to one, or put `chromium` on PATH.'
    if (process.env.CI === 'true') throw new Error(why)
    process.stderr.write(`[web] SKIPPED: no test opens the web page. ${why}\n`)
  }
  return found
}

export async function openWeb(host: Host, options: WebOptions): Promise<Web> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('Ask findChromium() first and skip the test without it.')
  const { home } = options
  const server = await startServer(host, options)
  const errors: string[] = []
  let closeBrowser = NOTHING_TO_CLOSE
  const close = async (): Promise<void> => {
    try {
      await closeBrowser()
    } finally {
      await server.stop()
    }
  }
  try {
    const [, url] = await server.waitFor(/dsh web: (http\S+)/, READY_MS)
    if (url === undefined) throw new Error('dsh web named no address')
    refuseInactive(server.output())
    const browser = await launch(executablePath, home)
    closeBrowser = () => browser.close()
    const page = await browser.newPage({
      viewport: VIEWPORT,
      ...(options.locale ? { locale: options.locale } : {}),
    })
    collectErrors(page, errors)
    await page.goto(url, { waitUntil: 'domcontentloaded' })
    await dismissNotice(page, home)
    const composer = page.locator('textarea:visible, [contenteditable=true]:visible').first()
    page.setDefaultTimeout(READY_MS)
    await composer.waitFor({ timeout: READY_MS })
    const send = async (text: string): Promise<void> => {
      await composer.click()
      await composer.pressSequentially(text)
      await composer.press('Enter')
    }
    return { page, url, composer, errors, server, send, close }
  } catch (error) {
    await close()
    const said = [...errors, server.output().slice(-2000)].join('\n')
    throw new Error(`dsh web of ${host.name} did not come up: ${String(error)}\n${said}`)
  }
}

/** A page without the plugin must not pass for a page with it. */
function refuseInactive(output: string): void {
  const inactive = output.match(/(\d+) entr(?:y|ies) did not activate/)
  // One entry of the unpacked 0.2 itself never does: its package is not in the wheel.
  const ownGap = inactive?.[1] === '1' && output.includes('office-to-pdf')
  if ((inactive && !ownGap) || /skipping profile bundle|incompatible/.test(output))
    throw new Error('a plugin is not in force')
}

async function startServer(host: Host, { home, env, workspace }: WebOptions): Promise<Running> {
  const path = workspace ?? join(home, 'work')
  await mkdir(path, { recursive: true })
  const patch = join(home, 'bench-workspace.patch.yml')
  const row = { id: 'bench-workspace', name: pathToFileURL(WORKSPACE_ROW).href, config: { path } }
  // JSON is YAML.
  await writeFile(patch, JSON.stringify([{ insert: [row] }]))
  // The launcher's flags come before the application's.
  const args = ['web', '--patch', patch, '--no-open', '--port', '0']
  return host.unpacked.spawn(args, { home, ...(env ? { env } : {}) })
}

function launch(executablePath: string, home: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: FLAGS,
    // Chromium writes to its home beside its profile.
    env: { ...inheritedEnv(), PATH: process.env.PATH ?? '', HOME: join(home, 'user') },
  })
}

function collectErrors(page: Page, errors: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => errors.push(`page: ${error.message}`))
}

async function dismissNotice(page: Page, home: string): Promise<void> {
  if (greeted.has(home)) return
  const button = page.getByRole('button', { name: 'Continue', exact: true })
  await button.click({ timeout: READY_MS })
  await button.waitFor({ state: 'hidden' })
  greeted.add(home)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
