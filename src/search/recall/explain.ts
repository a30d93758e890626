/** Why a record was found: the words themselves and the fields that they stand in, and the place to look at. */
import { graphemes, oneLine } from '../../base/text.ts'
import type { MemoryRecord } from '../../record/record.ts'
import { segment } from '../index/segment.ts'
import { FIELDS, type Field, searchedTexts, termHash } from '../index/terms.ts'
import type { QueryTerm } from './query.ts'
import { SNIPPET_LENGTH } from './tuning.ts'

/** A piece of a record's text that the query asked for. */
export interface Matched {
  /** As the record spells it: taking it out of the record takes it out of this list. */
  term: string
  fields: Field[]
}

interface Run {
  start: number
  end: number
  weight: number
  /** Only single characters of longer words matched. */
  minor: boolean
}

/** All terms of all phrasings, by hash. */
export type TermTable = ReadonlyMap<number, QueryTerm>

/** What of a record matched, best first, and the part of its content to show. @param salt key of the hashes. */
export function explain(
  record: MemoryRecord,
  terms: TermTable,
  salt: number,
): { matched: Matched[]; snippet: string } {
  const texts = searchedTexts(record)
  const found = new Map<string, Matched & { weight: number; minor: boolean }>()
  let inContent: Run[] = []
  for (const field of FIELDS) {
    for (const text of texts[field]) {
      const runs = runsIn(text, terms, salt)
      if (field === 'content' && text === record.content) inContent = runs
      for (const run of runs) {
        const term = text.slice(run.start, run.end)
        const key = term.toLowerCase()
        const known = found.get(key)
        if (!known) found.set(key, { term, fields: [field], weight: run.weight, minor: run.minor })
        else if (!known.fields.includes(field)) known.fields.push(field)
      }
    }
  }
  const all = [...found.values()].sort((a, b) => b.weight - a.weight)
  const major = all.filter((entry) => !entry.minor)
  return {
    matched: (major.length > 0 ? major : all).map(({ term, fields }) => ({ term, fields })),
    snippet: snippetOf(record.content, inContent),
  }
}

/** Where terms of the query stand in `text`, overlapping and touching ones as one run. */
function runsIn(text: string, terms: TermTable, salt: number): Run[] {
  const runs: Run[] = []
  for (const term of segment(text)) {
    const match = terms.get(termHash(term.text, salt))
    if (!match) continue
    const last = runs.at(-1)
    if (last && term.start <= last.end) {
      last.start = Math.min(last.start, term.start)
      last.end = Math.max(last.end, term.end)
      last.weight += match.weight
      last.minor &&= match.minor
      // A whole identifier is listed before its parts: it may reach back over more than one run.
      const before = runs.at(-2)
      if (before && before.end >= last.start) {
        before.end = Math.max(before.end, last.end)
        before.weight += last.weight
        before.minor &&= last.minor
        runs.pop()
      }
    } else runs.push({ start: term.start, end: term.end, weight: match.weight, minor: match.minor })
  }
  return runs
}

/** The stretch of `content` that holds the most of what matched, at most {@link SNIPPET_LENGTH} units, on one line. */
export function snippetOf(
  content: string,
  runs: readonly { start: number; end: number; weight: number }[],
): string {
  const text = content.trim() === '' ? '' : content
  if (text.length <= SNIPPET_LENGTH) return oneLine(text)
  // Room for an ellipsis at either end.
  const room = SNIPPET_LENGTH - 2
  let best = { start: 0, weight: -1 }
  let first = 0
  let weight = 0
  for (const [at, run] of runs.entries()) {
    weight += run.weight
    while (first < at && run.end - (runs[first]?.start ?? 0) > room) weight -= runs[first++]?.weight ?? 0
    if (weight > best.weight + 1e-9) {
      const start = runs[first]?.start ?? 0
      // What matched stands in the middle: the words around it tell what it is about.
      const spare = Math.max(0, room - (run.end - start))
      best = { start: Math.max(0, start - Math.floor(spare / 3)), weight }
    }
  }
  const start = Math.min(best.start, text.length - room)
  const from = start <= 0 ? 0 : borderAfter(text, start)
  const to = from + room >= text.length ? text.length : borderBefore(text, from + room)
  return `${from > 0 ? '…' : ''}${oneLine(text.slice(from, to))}${to < text.length ? '…' : ''}`
}

/** The first border of characters at or after `at`; a border of words when one is near. */
function borderAfter(text: string, at: number): number {
  const near = /\s/.exec(text.slice(at, at + 16))
  if (near) return at + near.index + 1
  const inside = graphemes().segment(text).containing(at)
  if (!inside) return text.length
  return inside.index === at ? at : inside.index + inside.segment.length
}

/** The last border of characters at or before `at`; a border of words when one is near. */
function borderBefore(text: string, at: number): number {
  const near = /\s(?=\S*$)/.exec(text.slice(at - 16, at))
  if (near) return at - 16 + near.index
  return graphemes().segment(text).containing(at)?.index ?? text.length
}
