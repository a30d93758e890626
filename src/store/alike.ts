/**
 * Files that hold words of a deleted record and stay: nobody asked to delete them, or the words cannot be cut out of them,
 * and a person who wants the words gone has to know of them. The index says where to look, so that no deletion reads every
 * record; files that cannot be read as records are looked through.
 */
import { isMadeId } from '../record/ids.ts'
import { holdsVerbatim, verbatimOf } from '../record/verbatim.ts'
import type { RecordIndex } from '../search/index/record-index.ts'
import { readQuery } from '../search/recall/query.ts'
import { CHOOSING_TERMS } from '../search/recall/tuning.ts'
import { fileHolds } from './file-texts.ts'
import type { Pieces } from './pieces.ts'
import type { Alike, DeletedText } from './places.ts'
import { rawText, statedRaw } from './raw-text.ts'

/** Records that are read for one sentence, the likest first. */
const LIKELY_RECORDS = 20
/** Sentences of a record that are looked for, the longest first: each costs a question to the index. */
const SENTENCES = 12

const NOT_LOOKED_UP: Alike = {
  what: 'unknown',
  file: 'memories/',
  reason: 'there is no search index just now',
}

type Parts = Pick<Pieces, 'catalog' | 'disk' | 'files'>

/**
 * Files below the memories folder that hold words of deleted records, or point to a name that a person chose. Never throws.
 * @param made files that were made from them, and were cut as far as they could be.
 */
export function alikeRecords(
  parts: Parts,
  deleted: readonly DeletedText[],
  made: readonly string[],
): Alike[] {
  const texts = deleted.flatMap((one) => one.texts)
  const verbatim = verbatimOf(texts)
  const own = new Set(deleted.flatMap(({ paths }) => paths))
  return [
    ...records(parts, deleted, made, texts, verbatim),
    ...skippedFiles(parts, deleted, verbatim),
  ].filter(({ file }) => !own.has(file.slice('memories/'.length)))
}

function records(
  parts: Parts,
  deleted: readonly DeletedText[],
  made: readonly string[],
  texts: readonly string[],
  verbatim: ReadonlySet<string>,
): Alike[] {
  const gone = new Set(deleted.map(({ id }) => id))
  const names = [...gone].filter((id) => !isMadeId(id))
  const related = deleted.flatMap(({ sources, earlier, later }) =>
    [...sources, ...earlier, ...later].flatMap((id) => parts.catalog.pathsOf(id)),
  )
  const pointing = parts.catalog.useIfFree((index) =>
    [...gone].flatMap((id) => [...index.derivedFrom(id), ...index.supersedersOf(id)]),
  )
  const likely = verbatim.size === 0 ? [] : parts.catalog.useIfFree((index) => likest(index, texts))
  const paths = [...related, ...made, ...(pointing ?? []), ...(likely ?? [])]
  const own = new Set(deleted.flatMap((one) => one.paths))
  const found = [...new Set(paths)].sort().flatMap((path): Alike[] => {
    // The deleted files are still there, and would be taken for restored copies.
    const file = own.has(path) ? undefined : parts.catalog.reread(path)
    if (!file || gone.has(file.record.id)) return []
    const { id, workspace, supersedes, supersededBy, derivedFrom } = file.record
    const what = made.includes(path) ? 'made' : 'record'
    if (fileHolds(file.text, verbatim)) return [{ what, file: `memories/${path}`, record: id, workspace }]
    const points = [...supersedes, ...supersededBy, ...derivedFrom].some((one) => names.includes(one))
    return points ? [{ what: 'naming', file: `memories/${path}`, record: id, workspace }] : []
  })
  return likely === undefined ? [...found, NOT_LOOKED_UP] : found
}

/**
 * Files that are skipped, and state the id of a deleted one or hold its words: conflict copies of a sync, half saved ones,
 * copies that were restored after an earlier deletion.
 */
function skippedFiles(parts: Parts, deleted: readonly DeletedText[], verbatim: ReadonlySet<string>): Alike[] {
  const gone = new Set(deleted.map(({ id }) => id))
  return parts.catalog.bad().flatMap(({ path }): Alike[] => {
    // A folder that cannot be listed is reported as what it is.
    if (!path.endsWith('.md')) return []
    const file = `memories/${path}`
    const raw = rawText(parts.disk, parts.files.absolute(path))
    if (raw === undefined) return []
    if ('reason' in raw) return [{ what: 'unknown', file, reason: raw.reason }]
    const isIts = statedRaw(raw.text, 'id').some((id) => gone.has(id)) || holdsVerbatim([raw.text], verbatim)
    // Two of them together are the workspace of nobody: it is shown to none of both.
    const workspace = [...new Set(statedRaw(raw.text, 'workspace'))].join(' ') || undefined
    return isIts ? [{ what: 'skipped', file, workspace }] : []
  })
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
