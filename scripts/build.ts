/**
 * `src/` to `lib/`: two bundles (the plugin, the command line) that share their chunks. Hundreds of small modules, zod's
 * and yaml's most of all, cost a one-shot run more time to load than to run; what is native, or the host's, stays out.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { build, type OutputChunk } from 'rolldown'

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

/** The packages that a bundle holds, as folders. */
function packagesIn(chunks: readonly OutputChunk[]): string[] {
  const folders = chunks.flatMap(({ moduleIds }) =>
    moduleIds.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []),
  )
  return [...new Set(folders)].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const nameOf = (folder: string) => folder.split(`node_modules${sep}`).at(-1) ?? folder

/** What the licences of bundled packages ask for: their text goes with the copy. */
function licences(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
      return `## ${name} ${version}\n\n${text}\n`
    })
    .join('\n')
}

// A file whose source is gone must not stay in the package.
rmSync(lib, { recursive: true, force: true })
const { output } = await build({
  cwd: root,
  input: { plugin: 'src/plugin.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  external: ['better-sqlite3', /^@deepseek-ai\//],
  logLevel: 'warn',
  output: { dir: lib, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
})
const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk')
writeFileSync(
  join(lib, 'THIRD-PARTY.md'),
  `# Packages that these files contain\n\n${licences(packagesIn(chunks))}`,
)
const bin = join(lib, 'cli', 'main.js')
if (existsSync(bin)) chmodSync(bin, 0o755)
