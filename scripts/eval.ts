/**
 * `pnpm eval [--live] [--host 0.1|0.2] [--only name]`: the evaluations of the user memory in the real host, scripted;
 * with --live the real model is judged.
 */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { buildAndPack } from '../tests/support/build.ts'
import { availableHosts, type Host, installPlugin } from '../tests/support/hosts.ts'
import { EVALUATIONS, evaluate, type Live } from './evaluations.ts'

const HELP = `pnpm eval [--live] [--host 0.1|0.2] [--only name]

  --live   judge the real model; needs DEEPSEEK_API_KEY (and takes DEEPSEEK_BASE_URL)
  --host   only on this DSH host: 0.1 (0.1.0-rc.8) or 0.2 (0.2.1-rc.2); both by default
  --only   only this evaluation: ${EVALUATIONS.map(({ name }) => name).join(', ')}`
const USAGE = 2

const out = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

class Usage extends Error {}

function readOptions() {
  try {
    return parseArgs({
      options: {
        live: { type: 'boolean', default: false },
        host: { type: 'string' },
        only: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error))
  }
}

function liveModel(wanted: boolean): Live | undefined {
  if (!wanted) return undefined
  const key = process.env.DEEPSEEK_API_KEY?.trim()
  if (!key)
    throw new Usage('--live judges the real model and needs its key in DEEPSEEK_API_KEY; nothing was run.')
  const baseUrl = process.env.DEEPSEEK_BASE_URL?.trim()
  return { key, ...(baseUrl ? { baseUrl } : {}) }
}

async function hosts(wanted: string | undefined): Promise<Host[]> {
  const found = (await availableHosts()).filter(
    ({ name }) => wanted === undefined || name.startsWith(`${wanted}.`),
  )
  if (found.length === 0) throw new Usage(`There is no host ${wanted} here; --host takes 0.1 or 0.2.`)
  return found
}

async function main(): Promise<void> {
  const options = readOptions()
  if (options.help) return out(HELP)
  const live = liveModel(options.live)
  const chosen = EVALUATIONS.filter(({ name }) => options.only === undefined || name === options.only)
  if (chosen.length === 0) throw new Usage(`There is no evaluation "${options.only}".`)
  const on = await hosts(options.host)
  const folder = await mkdtemp(join(tmpdir(), 'mnemos-eval-'))
  let failed = 0
  try {
    out(
      live
        ? 'The real model is judged.'
        : 'A scripted model plays the assistant; host, plugin and files are real.',
    )
    const tarball = await buildAndPack(folder)
    for (const host of on) {
      const home = join(folder, host.name)
      mkdirSync(home)
      await installPlugin(host, home, 'headless', tarball)
      for (const evaluation of chosen) {
        const own = join(home, 'evaluations', evaluation.name)
        mkdirSync(own, { recursive: true })
        const { passed, reasons } = await evaluate(host, home, own, evaluation, live)
        if (!passed) failed++
        const mark = passed ? styleText('green', 'pass') : styleText('red', 'FAIL')
        out(`${mark}  ${host.name}  ${evaluation.name}`)
        for (const reason of reasons) out(`      ${reason}`)
      }
    }
    const all = on.length * chosen.length
    out(`${all - failed} of ${all} passed.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (failed > 0) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  const usage = error instanceof Usage
  process.stderr.write(
    `eval: ${error instanceof Error ? error.message : String(error)}\n${usage ? `\n${HELP}\n` : ''}`,
  )
  process.exitCode = usage ? USAGE : 1
}
