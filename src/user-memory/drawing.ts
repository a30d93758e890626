/** The index of the user memory: one line an entry, drawn from the entries alone. */
import { dataLine } from '../base/data-line.ts'
import type { Language } from '../base/language.ts'
import type { Entry } from './entry.ts'

export const INDEX_ENTRIES = 200
export const INDEX_BYTES = 16 * 1024

/**
 * What the lines below it are. That they are saved data which neither instructs nor authorises stands above every
 * message of the view already.
 */
export const INDEX_LABEL: Readonly<Record<Language, string>> = {
  en: 'What the person approved in earlier sessions or wrote themselves; it yields to what they say now. memory_view reads the details of an entry marked (+details).',
  zh: '本人在以前的会话中同意保存、或亲手写下的内容；与本人现在所说的不一致时，以现在所说的为准。标有 (+details) 的条目，用 memory_view 读取详情。',
}

const LABEL_BYTES = Math.max(...Object.values(INDEX_LABEL).map((label) => Buffer.byteLength(label)))

export interface Drawing {
  /** Empty where there is no entry. */
  text: string
  /** Names of the entries that the limits leave out. */
  left: string[]
}

/**
 * Draws the index.
 * @param entries in the order of their names; the first that does not fit and all after it are left out.
 */
export function drawIndex(entries: readonly Entry[], language: Language = 'en'): Drawing {
  const label = INDEX_LABEL[language]
  const lines: string[] = []
  // What fits does not depend on the language.
  let bytes = LABEL_BYTES
  for (const entry of entries) {
    const line = indexLine(entry)
    bytes += Buffer.byteLength(line) + 1
    if (lines.length === INDEX_ENTRIES || bytes > INDEX_BYTES) break
    lines.push(line)
  }
  return {
    text: lines.length === 0 ? '' : [label, ...lines].join('\n'),
    left: entries.slice(lines.length).map(({ name }) => name),
  }
}

/** Whatever a summary holds, it stays on its own line. */
const indexLine = ({ name, type, summary, details }: Entry): string =>
  `- [${type}] ${name}: ${dataLine(summary)}${details === '' ? '' : ' (+details)'}`
