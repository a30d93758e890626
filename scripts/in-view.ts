/** Measures what stands in every request, from the very code that draws it, and makes `docs/in-view.md` of it. */

import { nodeDisk } from '../src/base/disk.ts'
import type { Language } from '../src/base/language.ts'
import { countCharacters, estimateTokens } from '../src/base/text.ts'
import { inRequest } from '../src/constitution/constitution.ts'
import { disciplines, HEAD_CHARACTERS } from '../src/constitution/discipline.ts'
import { templateConstitution } from '../src/constitution/template.ts'
import { parametersOf } from '../src/host/tools.ts'
import { type MemoryRecord, recordSchema } from '../src/record/record.ts'
import { SELF_HISTORY_CHARACTERS } from '../src/self-history/budget.ts'
import { drawSelfHistory } from '../src/self-history/self-history.ts'
import { waitingLine } from '../src/self-history/waiting.ts'
import { drawIndex, INDEX_BYTES, INDEX_ENTRIES } from '../src/user-memory/drawing.ts'
import type { Entry } from '../src/user-memory/entry.ts'
import { difference, saidBy } from '../src/view/difference.ts'
import { framed } from '../src/view/frame.ts'
import { TOOLS } from '../tests/support/tools.ts'

/** Characters of the schemas of all tools together. */
const TOOL_CHARACTERS = 12_000

interface Measured {
  name: string
  text: string
  limit?: number
}

const LANGUAGES: readonly Language[] = ['en', 'zh']

const WORDS: Record<Language, string> = {
  en: 'Looks into the record before it answers and says where it looked ',
  zh: '先查记录再回答，并说明是在哪里查到的；',
}

/** As long as a summary may be. */
const longest = (language: Language): string => WORDS[language].repeat(20).slice(0, 200)

function record(kind: string, n: number, language: Language, more: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = new Date(Date.UTC(2026, 0, 1, n)).toISOString()
  const id = `${kind.slice(0, 3)}${String(n).padStart(7, '0')}`
  return recordSchema.parse({ id, kind, summary: longest(language), created: at, updated: at, ...more })
}

/** Twelve records of each kind, whose summaries are as long as they may be, and what waits for the person. */
function fullSelfHistory(language: Language): string {
  const reader = { workspace: undefined, isolate: false, now: Date.UTC(2026, 10, 30) }
  const records = ['identity', 'decision', 'experience'].flatMap((kind) =>
    Array.from({ length: 12 }, (_, n) => record(kind, n, language)),
  )
  const waiting = records.map((one) => ({ ...one, confirmed: false }))
  return [drawSelfHistory(records, reader, language), waitingLine(waiting, reader, language)].join('\n')
}

/** As many bytes a summary as let the most entries into the index. */
const SUMMARY_BYTES = 54

function entries(n: number, language: Language): Entry[] {
  let summary = ''
  for (const character of longest(language)) {
    if (Buffer.byteLength(summary + character) > SUMMARY_BYTES) break
    summary += character
  }
  return Array.from({ length: n }, (_, at) => ({
    name: `entry-${String(at).padStart(3, '0')}`,
    type: 'project',
    summary,
    details: '',
  }))
}

/** The index with as many entries as it takes, and what one more of them costs. */
function userMemory(language: Language): { full: string; save: string } {
  const [before, after] = [INDEX_ENTRIES - 1, INDEX_ENTRIES].map((n) =>
    drawIndex(entries(n, language), language),
  )
  if (!before || !after || after.left.length > 0) throw new Error('the entries do not fit into the index')
  const change = difference(saidBy(before.text), saidBy(after.text), language)
  return {
    full: message('user-memory', after.text, language),
    save: framed({ name: 'user-memory', place: 'message' }, { form: 'changes', text: change }, language),
  }
}

const message = (name: string, text: string, language: Language): string =>
  framed({ name, place: 'message' }, { form: 'whole', text }, language)

function measured(language: Language): Measured[] {
  const constitution = inRequest(templateConstitution(nodeDisk, language, 'not initialised'))
  const discipline = disciplines(nodeDisk)(language).text
  const memory = userMemory(language)
  return [
    { name: 'constitution (the shipped template)', text: constitution },
    { name: 'discipline', text: discipline },
    {
      name: 'constitution and discipline together',
      text: `${constitution}${discipline}`,
      limit: HEAD_CHARACTERS,
    },
    { name: 'user memory, empty', text: '' },
    { name: `user memory, ${INDEX_ENTRIES} entries (at most ${INDEX_BYTES} bytes)`, text: memory.full },
    { name: `user memory, what a save adds to ${INDEX_ENTRIES - 1} entries`, text: memory.save },
    { name: 'self-history, empty', text: '' },
    {
      name: 'self-history, full',
      text: message('self-history', fullSelfHistory(language), language),
      limit: SELF_HISTORY_CHARACTERS,
    },
    { name: 'notices, nothing wrong', text: '' },
  ]
}

const toolText = (tool: (typeof TOOLS)[number]): string =>
  JSON.stringify({ name: tool.name, description: tool.description, parameters: parametersOf(tool) })

const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`
const figures = (text: string): [number, number] => [countCharacters(text), estimateTokens(text)]

/** @returns the page, and a sentence for each limit that is exceeded. */
export function inView(): { page: string; over: string[] } {
  const over: string[] = []
  const limited = ({ name, text, limit }: Measured): string => {
    if (limit === undefined) return ''
    const characters = countCharacters(text)
    if (characters > limit) over.push(`${name}: ${characters} characters, the limit is ${limit}`)
    return String(limit)
  }
  const parts = LANGUAGES.flatMap((language) =>
    measured(language).map((one) => row(one.name, language, ...figures(one.text), limited(one))),
  )
  const all = TOOLS.map(toolText).join('')
  const tools = TOOLS.map((tool) => row(`\`${tool.name}\``, ...figures(toolText(tool)), ''))
  const total = { name: 'all tools together', text: all, limit: TOOL_CHARACTERS }
  const page = [
    '# What stands in every request',
    '',
    'Made from the sources by `pnpm generate`, with the code that draws the view; `pnpm check` fails when it is out of date.',
    'Characters are counted as a person counts them. Tokens are an estimate: a token for four characters, and one for each',
    'Chinese, Japanese or Korean character. "Full" means more records than there is room for, each as long as it may be;',
    'the lines around a part are counted with it. How the parts live over turns, folds and restarts: `pnpm bench:view`.',
    '',
    '## Parts',
    '',
    row('part', 'language', 'characters', 'tokens', 'limit'),
    row('---', '---', '---:', '---:', '---:'),
    ...parts,
    '',
    '## Schemas of the tools',
    '',
    row('tool', 'characters', 'tokens', 'limit'),
    row('---', '---:', '---:', '---:'),
    ...tools,
    row(total.name, ...figures(all), limited(total)),
    '',
  ].join('\n')
  return { page, over }
}
