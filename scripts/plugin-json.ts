/**
 * Writes `plugin.json` from package.json and the tool list; with `--check` it only says whether the file is as it
 * would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_KEYS, defaultConfig, tunable } from '../src/base/config.ts'
import { TOOLS } from '../src/tools/list.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'plugin.json')

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  engines: { node: string }
  peerDependencies: Record<string, string>
  dsh: { bundle: { patch: string } }
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const plugin = {
  name: manifest.name,
  displayName: 'Mnemos',
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
  engines: { ...manifest.engines, dsh: manifest.peerDependencies['@deepseek-ai/dsh'] },
  bundle: manifest.dsh.bundle.patch,
  tools: TOOLS.map(({ name, description }) => ({ name, description })),
  config: Object.fromEntries(
    CONFIG_KEYS.map((key) => [key, { default: defaultConfig()[key], ...tunable(key) }]),
  ),
}

const text = `${JSON.stringify(plugin, null, 2)}\n`
if (process.argv.includes('--check')) {
  let now = ''
  try {
    now = readFileSync(file, 'utf8')
  } catch {
    // Missing is as stale as it gets.
  }
  if (now !== text) {
    process.stderr.write(
      'plugin.json is not what package.json and the tool list make it: run `pnpm plugin-json`.\n',
    )
    process.exitCode = 1
  }
} else {
  writeFileSync(file, text)
}
