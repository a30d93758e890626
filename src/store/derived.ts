/**
 * What was made from a deleted record: its verbatim runs are cut out, and it is marked for rewriting. A paraphrase
 * cannot be seen; that is the limit.
 */
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { factsAt, rewriteFile } from '../files/put.ts'
import type { GoodFile } from '../files/record-files.ts'
import { sameStamp } from '../files/stamps.ts'
import { format } from '../record/format.ts'
import { parse } from '../record/parse.ts'
import type { MemoryRecord } from '../record/record.ts'
import { cutVerbatim, verbatimOf } from '../record/verbatim.ts'
import { alikeRecords } from './alike.ts'
import type { Pieces } from './pieces.ts'
import type { DeletedText, Place } from './places.ts'

/** The text fields of a record that may hold copied words. */
const TEXTS = ['summary', 'content', 'why', 'candidateReason'] as const

export const derivedPlace = (parts: Pieces): Place => ({
  name: 'records made from it',
  needsText: true,
  erase: (deleted) => {
    const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
    if (verbatim.size === 0) return
    for (const file of madeFrom(parts, deleted)) rewrite(parts, file, verbatim)
  },
  // Here, while the texts are there and the index still knows their terms.
  alike: (deleted) => alikeRecords(parts, deleted),
})

/** Every record that names one of the ids as what it was made from, and what was made from those in turn. */
function madeFrom(parts: Pieces, deleted: readonly DeletedText[]): GoodFile[] {
  const gone = new Set(deleted.map(({ id }) => id))
  return madeFromByIndex(parts, gone) ?? madeFromByFiles(parts, gone)
}

/** Asks the index, so that only files that name a source are read; undefined where there is none that can be asked. */
function madeFromByIndex(parts: Pieces, gone: ReadonlySet<string>): GoodFile[] | undefined {
  const changed = changedFiles(parts)
  const made = new Map<string, GoodFile>()
  // It grows while it is gone through.
  const sources = new Set(gone)
  for (const source of sources) {
    const paths = parts.catalog.useIfFree((index) => index.derivedFrom(source))
    if (paths === undefined) return undefined
    for (const file of [...paths.flatMap((path) => parts.catalog.reread(path) ?? []), ...changed]) {
      if (gone.has(file.record.id) || !file.record.derivedFrom.includes(source)) continue
      made.set(file.file.path, file)
      sources.add(file.record.id)
    }
  }
  return [...made.values()]
}

/** Files that were written into since they were last read: what the index says of them does not count. */
function changedFiles(parts: Pieces): GoodFile[] {
  const paths = [...parts.catalog.records()].flatMap((known) => {
    const now = parts.files.stamp(known.path)
    return now && sameStamp(known, now) ? [] : [known.path]
  })
  return paths.flatMap((path) => parts.catalog.reread(path) ?? [])
}

/** Reads every file: where there is no index. */
function madeFromByFiles(parts: Pieces, gone: ReadonlySet<string>): GoodFile[] {
  const made = new Map<string, GoodFile>()
  const sources = new Set(gone)
  for (let grew = true; grew; ) {
    grew = false
    for (const { path, id } of parts.catalog.records()) {
      if (id === null || gone.has(id) || made.has(path) || !mentions(parts, path, sources)) continue
      const file = parts.catalog.reread(path)
      if (!file?.record.derivedFrom.some((source) => sources.has(source))) continue
      made.set(path, file)
      sources.add(id)
      grew = true
    }
  }
  return [...made.values()]
}

/** A look at the bytes first: parsing every file of a large folder would take long. */
function mentions(parts: Pieces, path: string, ids: ReadonlySet<string>): boolean {
  const bytes = parts.disk.read(parts.files.absolute(path))
  if (!bytes?.includes('derivedFrom')) return false
  for (const id of ids) if (bytes.includes(id)) return true
  return false
}

function rewrite(parts: Pieces, { file: { path } }: GoodFile, verbatim: ReadonlySet<string>): void {
  const warnings = rewriteFile(parts, path, (text) => {
    if (text === undefined) return undefined
    const record = parse(text, factsAt(parts, path))
    const next = withoutRuns(record, verbatim)
    if (JSON.stringify(next) === JSON.stringify(record)) return undefined
    const now = iso(parts.clock.now())
    return format({ ...next, rewrite: true, updated: now, rev: record.rev + 1 }, { record, text })
  })
  parts.catalog.reread(path)
  if (warnings.length > 0) throw new MnemosError('CHANGED_MEANWHILE', warnings.join(' '), '')
}

function withoutRuns(record: MemoryRecord, verbatim: ReadonlySet<string>): MemoryRecord {
  const next: MemoryRecord = {
    ...structuredClone(record),
    askedAs: record.askedAs.map((question) => cutVerbatim(question, verbatim)),
  }
  for (const key of TEXTS) {
    const before = record[key]
    if (before !== undefined) next[key] = cutVerbatim(before, verbatim)
  }
  const quote = record.citation?.quote
  if (next.citation && quote !== undefined)
    next.citation = { ...next.citation, quote: cutVerbatim(quote, verbatim) }
  return next
}
