/**
 * Other records that hold words of a deleted one. They stay: nobody asked to delete them, and a person who wants the
 * words gone has to know of them. The index says where to look, so that no deletion reads every file.
 */

import { writtenIn } from '../record/texts.ts'
import { holdsVerbatim, verbatimOf } from '../record/verbatim.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import { readQuery } from '../search/recall/query.ts'
import { CHOOSING_TERMS } from '../search/recall/tuning.ts'
import type { Pieces } from './pieces.ts'
import type { Alike, DeletedText } from './places.ts'

/** Records that are read for one sentence, the likest first. */
const LIKELY_RECORDS = 20
/** Sentences of a record that are looked for, the longest first: each costs a question to the index. */
const SENTENCES = 12

const NOT_LOOKED_UP: Alike = { file: 'memories/', unknown: 'there is no search index just now' }

/** Records that are related to a deleted one, or like it, and hold words of it. Never throws. */
export function alikeRecords(parts: Pick<Pieces, 'catalog'>, deleted: readonly DeletedText[]): Alike[] {
  const texts = deleted.flatMap((one) => one.texts)
  const verbatim = verbatimOf(texts)
  if (verbatim.size === 0) return []
  const related = deleted.flatMap(({ related: ids }) => ids.flatMap((id) => parts.catalog.pathsOf(id)))
  const likely = parts.catalog.useIfFree((index) => likest(index, texts))
  const gone = new Set(deleted.map(({ id }) => id))
  const own = new Set(deleted.flatMap(({ paths }) => paths))
  const found = [...new Set([...related, ...(likely ?? [])])].sort().flatMap((path): Alike[] => {
    // The deleted files are still there, and would be taken for restored copies.
    if (own.has(path)) return []
    const record = parts.catalog.reread(path)?.record
    if (!record || gone.has(record.id) || !holdsVerbatim(writtenIn(record), verbatim)) return []
    return [{ file: `memories/${path}`, record: record.id, workspace: record.workspace }]
  })
  return likely === undefined ? [...found, NOT_LOOKED_UP] : found
}

function likest(index: RecordIndex, texts: readonly string[]): string[] {
  return sentencesOf(texts).flatMap((sentence) => {
    const terms = readQuery(sentence, index)
      .terms.filter(({ frequency }) => frequency > 0)
      .slice(0, CHOOSING_TERMS)
      .map(({ hash }) => hash)
    return index.candidates(terms, {}, LIKELY_RECORDS).map(({ path }) => path)
  })
}

/** What somebody may have written down once more: one sentence is enough. */
function sentencesOf(texts: readonly string[]): string[] {
  const sentences = texts
    .flatMap((text) => text.split(/(?<=[.!?])\s+|[。！？\n]+/))
    .filter((sentence) => verbatimOf([sentence]).size > 0)
  // A run that goes over a full stop is found by the whole.
  const all = sentences.length === 0 ? texts : sentences
  return [...new Set(all)].sort((a, b) => b.length - a.length).slice(0, SENTENCES)
}
