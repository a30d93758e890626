/**
 * What was made from a deleted record: its verbatim runs are cut out, and it is marked for rewriting. A paraphrase
 * cannot be seen; that is the limit.
 */
import { isDeepStrictEqual } from 'node:util'
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { factsAt, rewriteFile } from '../files/put.ts'
import { type GoodFile, stemOf } from '../files/record-files.ts'
import { sameStamp } from '../files/stamps.ts'
import { format, type UnknownKeys, unknownKeys } from '../record/format.ts'
import { parse } from '../record/parse.ts'
import { type MemoryRecord, recordSchema } from '../record/record.ts'
import { withStrings, withTexts } from '../record/texts.ts'
import { CUT, cutVerbatim, verbatimOf } from '../record/verbatim.ts'
import { alikeRecords } from './alike.ts'
import type { Pieces } from './pieces.ts'
import type { DeletedText, Place } from './places.ts'

export const derivedPlace = (parts: Pieces): Place => ({
  name: 'records made from it',
  needsText: true,
  erase: (deleted) => {
    const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
    if (verbatim.size > 0)
      for (const file of madeFrom(parts, deleted)) rewrite(parts, file.file.path, withoutRuns(verbatim))
    for (const path of relatedTo(parts, deleted)) rewrite(parts, path, withoutReasons(deleted, verbatim))
  },
  // Here, while the texts are there and the index still knows their terms.
  alike: (deleted) => alikeRecords(parts, deleted),
})

/** Every record that names one of the ids as what it was made from, and what was made from those in turn. */
function madeFrom(parts: Pieces, deleted: readonly DeletedText[]): GoodFile[] {
  const gone = new Set(deleted.map(({ id }) => id))
  for (const { path } of parts.catalog.bad()) refuseUnread(parts, path, gone)
  return madeFromByIndex(parts, gone) ?? madeFromByFiles(parts, gone)
}

/**
 * A file that is no record just now, as in the middle of a save, and seems to be made from a deleted one.
 * @throws MnemosError so that the deletion stays open until it can be read.
 */
function refuseUnread(parts: Pieces, path: string, gone: ReadonlySet<string>): void {
  if (!path.endsWith('.md') || gone.has(stemOf(path).normalize('NFC')) || !mentions(parts, path, gone)) return
  if (parts.catalog.reread(path)) return
  throw new MnemosError('STORAGE', `memories/${path} cannot be read just now`, '')
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

/** A record and the keys of its file that the schema does not know. */
interface Whole {
  record: MemoryRecord
  unknown: UnknownKeys
}

function rewrite(parts: Pieces, path: string, change: (whole: Whole) => Whole): void {
  const warnings = rewriteFile(parts, path, (text) => {
    if (text === undefined) return undefined
    const before = { record: parse(text, factsAt(parts, path)), unknown: unknownKeys(text) }
    const { record, unknown } = change(structuredClone(before))
    if (isDeepStrictEqual({ record, unknown }, before)) return undefined
    const stamped = { ...record, updated: iso(parts.clock.now()), rev: before.record.rev + 1 }
    return format(stamped, { record: before.record, text }, unknown)
  })
  parts.catalog.reread(path)
  if (warnings.length > 0) throw new MnemosError('CHANGED_MEANWHILE', warnings.join(' '), '')
}

/** Whatever was copied into any text of it is cut out, and it is marked for rewriting. */
function withoutRuns(verbatim: ReadonlySet<string>): (whole: Whole) => Whole {
  const cut = (text: string) => cutVerbatim(text, verbatim)
  return (whole) => {
    const record = withTexts(recordSchema, whole.record, cut)
    const unknown = Object.fromEntries(
      Object.entries(whole.unknown).map(([key, value]) => [cut(key), withStrings(value, cut)]),
    )
    const isSame = isDeepStrictEqual({ record, unknown }, whole)
    return isSame ? whole : { record: { ...record, rewrite: true }, unknown }
  }
}

/** Files of records that the deleted ones corrected or contested, or that corrected them. */
function relatedTo(parts: Pieces, deleted: readonly DeletedText[]): string[] {
  const gone = new Set(deleted.map(({ id }) => id))
  const ids = new Set(deleted.flatMap(({ related }) => related))
  return [...ids].flatMap((id) => (gone.has(id) ? [] : parts.catalog.pathsOf(id)))
}

/**
 * A correction copies its reason into what it corrects, and so does a contest: the copy goes with the record that gave
 * the reason, however short it is. All else in such a record is its own.
 */
function withoutReasons(
  deleted: readonly DeletedText[],
  verbatim: ReadonlySet<string>,
): (whole: Whole) => Whole {
  const texts = new Set(deleted.flatMap((one) => one.texts))
  const gone = new Set(deleted.map(({ id }) => id))
  const cut = (why: string) => (texts.has(why.trim()) ? CUT : cutVerbatim(why, verbatim))
  return ({ record, unknown }) => ({
    record: {
      ...record,
      ...(record.deprecated ? { deprecated: { ...record.deprecated, why: cut(record.deprecated.why) } } : {}),
      contested: record.contested.map((one) => (gone.has(one.by) ? { ...one, why: CUT } : one)),
    },
    unknown,
  })
}
