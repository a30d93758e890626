/**
 * Writes what is made from the sources: `plugin.json`, `docs/facts.md`, `docs/in-view.md` and the table of fields in
 * `docs/note-format.md`. With `--check` it only says which of them are not as they would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CONFIG_KEYS, defaultConfig, rangeOf, tunable } from '../src/base/config.ts'
import { REFUSE_BYTES, WARN_CHARACTERS } from '../src/constitution/constitution.ts'
import { DISCIPLINE_CHARACTERS, HEAD_CHARACTERS } from '../src/constitution/discipline.ts'
import {
  ASKED_AS_LIMIT,
  FIELD_ORDER,
  FILE_LIMIT,
  QUOTE_LIMIT,
  recordSchema,
  SUMMARY_LIMIT,
} from '../src/record/record.ts'
import {
  DECISIONS,
  EXPERIENCES,
  IDENTITY_CHARACTERS,
  IDENTITY_ENTRIES,
  SELF_HISTORY_CHARACTERS,
} from '../src/self-history/budget.ts'
import { INDEX_BYTES, INDEX_ENTRIES } from '../src/user-memory/drawing.ts'
import { DETAILS_BYTES, FILE_BYTES, SUMMARY_BYTES } from '../src/user-memory/entry.ts'
import { TOOLS } from '../tests/support/tools.ts'
import { inView } from './in-view.ts'

const root = join(import.meta.dirname, '..')

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  peerDependencies: z.object({ '@deepseek-ai/dsh': z.string() }),
  dsh: z.object({ bundle: z.object({ patch: z.string() }) }),
})
const manifest = manifestSchema.parse(JSON.parse(read('package.json') ?? '{}'))

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

const cell = (text: string) => text.replaceAll('|', '\\|')
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`

const facts = [
  '# Facts and figures',
  '',
  'Made from the sources by `pnpm generate`; `pnpm check` fails when it is out of date.',
  '',
  '## Config',
  '',
  'Keys of the row `mnemos` in a profile. A wrong value leaves the default in force and is reported.',
  '',
  row('key', 'default', 'takes', 'what it is', 'why this default'),
  row('---', '---', '---', '---', '---'),
  ...CONFIG_KEYS.map((key) => {
    const { description, reason } = tunable(key)
    return row(`\`${key}\``, `\`${JSON.stringify(defaultConfig()[key])}\``, rangeOf(key), description, reason)
  }),
  '',
  '## Limits',
  '',
  `- A summary: ${SUMMARY_LIMIT} characters. Questions in \`askedAs\`: ${ASKED_AS_LIMIT}. A citation's quote: ${QUOTE_LIMIT} characters.`,
  `- A record file: ${FILE_LIMIT} bytes.`,
  `- The constitution: warned of over ${WARN_CHARACTERS} characters, refused over ${REFUSE_BYTES} bytes.`,
  `- The discipline: ${DISCIPLINE_CHARACTERS} characters in each language; together with the shipped constitution ${HEAD_CHARACTERS}.`,
  `- The self-history in view: ${SELF_HISTORY_CHARACTERS} characters when full. Identity: ${IDENTITY_CHARACTERS} characters of summaries in at most ${IDENTITY_ENTRIES} entries; the last ${DECISIONS} decisions; ${EXPERIENCES} experiences.`,
  `- The user memory: ${INDEX_ENTRIES} entries and ${INDEX_BYTES} bytes in view; a summary ${SUMMARY_BYTES} bytes, details ${DETAILS_BYTES}, a file ${FILE_BYTES}.`,
  '',
  '## Tools',
  '',
  TOOLS.map(({ name }) => `\`${name}\``).join(', '),
  '',
].join('\n')

const DEFAULTS = recordSchema.parse({ id: 'x', summary: 'x', created: '2000-01-01', updated: '2000-01-01' })

function defaultOf(key: keyof typeof recordSchema.shape): string {
  if (['id', 'summary', 'created', 'updated'].includes(key)) return 'from the file'
  const value = DEFAULTS[key]
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``
}

/** What a field takes, in a person's words. */
function formOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod
  if ('innerType' in def) return formOf(def.innerType as z.core.$ZodType)
  switch (def.type) {
    case 'pipe':
      return 'date'
    case 'enum':
      return Object.values((def as z.core.$ZodEnumDef).entries).join(', ')
    case 'array':
      return `list of ${formOf((def as z.core.$ZodArrayDef).element)}`
    case 'object':
      return `{ ${Object.keys((def as z.core.$ZodObjectDef).shape).join(', ')} }`
    case 'boolean':
      return 'true or false'
    case 'number':
      return 'number'
    default:
      return 'text'
  }
}

const fields = [
  row('field', 'takes', 'when left out', 'what it is'),
  row('---', '---', '---', '---'),
  ...FIELD_ORDER.map((key) =>
    row(
      `\`${key}\``,
      formOf(recordSchema.shape[key]),
      defaultOf(key),
      String(recordSchema.shape[key].meta()?.description ?? ''),
    ),
  ),
].join('\n')

/** Puts a made text between the two marks of a hand-written page. */
function between(page: string, text: string): string {
  const marks = ['<!-- made by pnpm generate -->', '<!-- end -->'] as const
  const [from, to] = [page.indexOf(marks[0]), page.indexOf(marks[1])]
  if (from < 0 || to < from) throw new Error(`the marks ${marks.join(' and ')} are missing`)
  return `${page.slice(0, from + marks[0].length)}\n${text}\n${page.slice(to)}`
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    // A file that is not there yet is made.
    return undefined
  }
}

const view = inView()
for (const limit of view.over) {
  process.stderr.write(`docs/in-view.md: ${limit}\n`)
  process.exitCode = 1
}

const made: Record<string, string> = {
  'plugin.json': `${JSON.stringify(plugin, null, 2)}\n`,
  'docs/facts.md': facts,
  'docs/in-view.md': view.page,
  'docs/note-format.md': between(read('docs/note-format.md') ?? '', fields),
}

for (const [path, text] of Object.entries(made)) {
  if (read(path) === text) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`${path} is not what the sources make it: run \`pnpm generate\`.\n`)
    process.exitCode = 1
  } else writeFileSync(join(root, path), text)
}
