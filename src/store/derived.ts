/**
 * What was made from a deleted record: its verbatim runs are cut out, and it is marked for rewriting. A paraphrase
 * cannot be seen; that is the limit.
 */
import { isDeepStrictEqual } from 'node:util'
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { factsAt, rewriteFile } from '../files/put.ts'
import type { GoodFile } from '../files/record-files.ts'
import { format } from '../record/format.ts'
import { parse } from '../record/parse.ts'
import type { MemoryRecord } from '../record/record.ts'
import { CUT, cutVerbatim, verbatimOf } from '../record/verbatim.ts'
import { alikeRecords } from './alike.ts'
import { cutFile, textsStated } from './file-texts.ts'
import { madeFrom } from './made-from.ts'
import type { Pieces } from './pieces.ts'
import type { CutRecord, DeletedText, Place } from './places.ts'

export const derivedPlace = (parts: Pieces): Place => {
  let made: string[] = []
  return {
    name: 'records made from it',
    needsText: true,
    erase: (deleted, onCut) => {
      const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
      const { files, unread } =
        verbatim.size === 0
          ? { files: [], unread: [] }
          : madeFrom(
              parts,
              deleted.map(({ id }) => id),
            )
      made = files.map(({ file }) => file.path)
      const told = new Set<string>()
      const tell = (file: GoodFile) => {
        if (!told.has(file.record.id)) onCut(cutRecordOf(file))
        told.add(file.record.id)
      }
      for (const file of files) if (cut(parts, file.file.path, verbatim)) tell(file)
      for (const { path, as } of relatedTo(parts, deleted)) {
        const before = parts.catalog.reread(path)
        if (rewrite(parts, path, withoutDeleted(deleted, verbatim, as)) && before) tell(before)
      }
      if (unread.length > 0) throw notThere(unread)
    },
    // Here, while the texts are there and the index still knows their terms.
    alike: (deleted) => alikeRecords(parts, deleted, made),
  }
}

/** How many files are named of those that are waited for. */
const NAMED = 3

const notThere = (paths: readonly string[]) => {
  const named = paths.slice(0, NAMED).map((path) => `memories/${path}`)
  const rest = paths.length - named.length
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return new MnemosError('STORAGE', `${all} ${paths.length === 1 ? 'is' : 'are'} not there just now`, '')
}

/** The records that a deletion would cut words out of, made from the deleted one or given a reason by it; those that cannot be read just now are not among them. */
export function recordsToCut(parts: Pieces, files: readonly GoodFile[]): CutRecord[] {
  const ids = [...new Set(files.map(({ record }) => record.id))]
  const deleted = ids.map((id) => ({ id, paths: [], ...textsAndRelated(files) }))
  const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
  const made = (verbatim.size === 0 ? [] : madeFrom(parts, ids).files).filter(
    ({ file, text }) => cutFile(text, factsAt(parts, file.path), verbatim, iso(0)) !== text,
  )
  const reasons = relatedTo(parts, deleted).flatMap(({ path, as }) => {
    const file = parts.catalog.reread(path)
    return file && losesReason(file.record, withoutDeleted(deleted, verbatim, as)(file.record)) ? [file] : []
  })
  return [...new Map([...reasons, ...made].map((file) => [file.record.id, cutRecordOf(file)])).values()]
}

/** What deleted files say, and the ids of what they are tied to. */
export const textsAndRelated = (
  files: readonly GoodFile[],
): Pick<DeletedText, 'texts' | 'sources' | 'earlier' | 'later'> => {
  const idsIn = (key: 'derivedFrom' | 'supersedes' | 'supersededBy') => [
    ...new Set(files.flatMap(({ record }) => record[key])),
  ]
  return {
    texts: files.flatMap(wordsOf),
    sources: idsIn('derivedFrom'),
    earlier: idsIn('supersedes'),
    later: idsIn('supersededBy'),
  }
}

/** The words of a deleted file that are looked for elsewhere. */
const wordsOf = ({ record, text }: GoodFile): string[] => [
  ...textsStated(text),
  record.summary,
  record.content,
]

const cutRecordOf = ({ record: { id, summary, workspace } }: GoodFile): CutRecord => ({
  id,
  summary,
  workspace,
})

/** Whatever was copied into a file is cut out. @returns whether anything was. */
function cut(parts: Pieces, path: string, verbatim: ReadonlySet<string>): boolean {
  let isCut = false
  change(parts, path, (text) => {
    const next = cutFile(text, factsAt(parts, path), verbatim, iso(parts.clock.now()))
    isCut = next !== text
    return next
  })
  return isCut
}

/** @returns whether the record lost a reason; it may have been changed without. */
function rewrite(parts: Pieces, path: string, to: (record: MemoryRecord) => MemoryRecord): boolean {
  let isCut = false
  change(parts, path, (text) => {
    const before = parse(text, factsAt(parts, path))
    const record = to(structuredClone(before))
    isCut = losesReason(before, record)
    if (isDeepStrictEqual(record, before)) return text
    const stamped = { ...record, updated: iso(parts.clock.now()), rev: before.rev + 1 }
    return format(stamped, { record: before, text })
  })
  return isCut
}

const losesReason = (before: MemoryRecord, after: MemoryRecord): boolean =>
  !isDeepStrictEqual([before.deprecated, before.contested], [after.deprecated, after.contested])

function change(parts: Pieces, path: string, make: (text: string) => string): void {
  const warnings = rewriteFile(parts, path, (text) => (text === undefined ? undefined : make(text)))
  parts.catalog.reread(path)
  if (warnings.length > 0) throw new MnemosError('CHANGED_MEANWHILE', warnings.join(' '), '')
}

/** How a record stands to a deleted one in a chain of corrections; undefined where it was contested, or is a source. */
type Side = 'earlier' | 'later' | undefined

/** Files of records that the deleted ones corrected or contested, or that corrected them. */
function relatedTo(parts: Pieces, deleted: readonly DeletedText[]): { path: string; as: Side }[] {
  const gone = new Set(deleted.map(({ id }) => id))
  const sides = new Map<string, Side>()
  for (const { sources, earlier, later } of deleted) {
    for (const id of sources) sides.set(id, undefined)
    for (const id of earlier) sides.set(id, 'earlier')
    for (const id of later) sides.set(id, 'later')
  }
  return [...sides].flatMap(([id, as]) =>
    gone.has(id) ? [] : parts.catalog.pathsOf(id).map((path) => ({ path, as })),
  )
}

/**
 * A correction copies its reason into what it corrects, and so does a contest: the copy goes with the record that gave
 * the reason, however short it is. All else in such a record is its own. What stood before the deleted one in a chain and
 * what stood after it are tied to each other, so that the chain still has one head.
 */
function withoutDeleted(
  deleted: readonly DeletedText[],
  verbatim: ReadonlySet<string>,
  as: Side,
): (record: MemoryRecord) => MemoryRecord {
  const texts = new Set(deleted.flatMap((one) => one.texts))
  const gone = new Set(deleted.map(({ id }) => id))
  const cutReason = (why: string) => (texts.has(why.trim()) ? CUT : cutVerbatim(why, verbatim))
  const tied = (ids: readonly string[], more: readonly string[], own: string) => [
    ...new Set([...ids, ...more.filter((id) => id !== own && !gone.has(id))]),
  ]
  return (record) => {
    const { id, deprecated, contested, supersedes, supersededBy } = record
    const ends = (side: 'earlier' | 'later') => deleted.flatMap((one) => one[side])
    return {
      ...record,
      ...(deprecated ? { deprecated: { ...deprecated, why: cutReason(deprecated.why) } } : {}),
      contested: contested.map((one) => (gone.has(one.by) ? { ...one, why: CUT } : one)),
      supersedes: as === 'later' ? tied(supersedes, ends('earlier'), id) : supersedes,
      supersededBy: as === 'earlier' ? tied(supersededBy, ends('later'), id) : supersededBy,
    }
  }
}
