/** Deletion is real: the tombstone first, then every place that holds text of the record. */

import { iso } from '../base/clock.ts'
import { storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import type { PendingAct } from '../files/pending.ts'
import { type GoodFile, readOrFail, stemOf } from '../files/record-files.ts'
import type { FileStamp } from '../files/stamps.ts'
import { newId } from '../record/ids.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { RecordDeletion } from './change.ts'
import { recordsToCut, textsAndRelated } from './derived.ts'
import { current, filesByRecord, shownOf } from './lookup.ts'
import { type OtherFile, otherFilesOf } from './other-files.ts'
import type { Pieces } from './pieces.ts'
import type { CutRecord, Erasure } from './places.ts'
import { rawText, statedRaw } from './raw-text.ts'
import type { TurnContext } from './turn-context.ts'

export interface Deleted extends Erasure {
  record: MemoryRecord
  /** Files of others that may hold it. */
  others: OtherFile[]
}

/** What is said of a deletion. */
export interface DeletionReport extends Pick<Deleted, 'left' | 'cut' | 'alike' | 'others'> {
  id: string
}

/** What stays and may hold the same words, each by the id of a record or the path of a file in the data folder. */
export const staying = ({ alike, others }: Pick<Deleted, 'alike' | 'others'>): string[] => [
  ...alike.flatMap(({ file, record, what }) => (what === 'unknown' ? [] : [record ?? file])),
  ...others.flatMap(({ file, what }) => (what === 'unknown' ? [] : [file])),
]

/** What the person agreed to; when it is not what would be done any more, nothing is deleted. */
export interface Agreed {
  /** What was shown of the record and its copies ({@link shownOf}). */
  shown: string
  /** Ids of the records that were named as those that would be cut; left out, whatever is cut is agreed to. */
  cut?: readonly string[]
}

/**
 * What a deletion would do beside removing the record's own files.
 * @throws MnemosError where there is no such record, or a check refuses.
 */
export async function foreseen(
  parts: Pieces,
  name: string,
  context: TurnContext,
): Promise<{ cut: CutRecord[] }> {
  const { record } = current(parts, name)
  const { own } = filesByRecord(parts, record.id)
  await admitDeletion(parts, own, brokenFilesOf(parts, record.id), context)
  return { cut: recordsToCut(parts, own) }
}

/**
 * Deletes a record for good. Call it under the lock.
 * @throws MnemosError when nothing was deleted.
 */
export async function erase(
  parts: Pieces,
  name: string,
  context: TurnContext,
  held: HeldLock,
  agreed?: Agreed,
): Promise<Deleted> {
  const { record } = current(parts, name)
  const { id } = record
  const { own: files, namesakes } = filesByRecord(parts, id)
  const broken = brokenFilesOf(parts, id)
  const paths = [...files, ...broken].map(({ file }) => file.path)
  if (agreed) refuseOther(parts, files, agreed)
  await admitDeletion(parts, files, broken, context)
  const at = iso(parts.clock.now())
  const act: PendingAct = {
    writes: [],
    deletes: [
      {
        id,
        at,
        paths,
        created: [...files.map((file) => file.record.created), ...broken.map((one) => iso(one.file.mtimeMs))],
      },
    ],
    ledger: [
      {
        at,
        act: 'delete',
        id,
        by: context.author,
        ...(context.session ? { session: context.session.id } : {}),
        rev: [record.rev, null],
      },
    ],
  }
  let forget: () => void
  try {
    held.check()
    forget = parts.pending.note(
      newId(() => false),
      act,
    )
  } catch (error) {
    throw storageError(`The record "${id}" could not be deleted`, error)
  }
  // From here on the deletion stands: what fails is named, and finished by whoever takes the lock next.
  try {
    const erasure = await carryOut(parts, act, forget)
    const stay = namesakes.map(
      ({ file, record: { workspace } }): OtherFile => ({
        file: `memories/${file.path}`,
        what: 'namesake',
        ...(workspace === undefined ? {} : { workspace }),
      }),
    )
    return { record, ...erasure, others: [...stay, ...otherFilesOf(parts, act.deletes)] }
  } catch (error) {
    // Nothing is cleared before the tombstone is there: what is half done would look whole.
    const waiting = parts.places.names.map((place) => ({ place }))
    return {
      record,
      erased: [],
      left: [{ place: 'tombstone', reason: reasonOf(error) }, ...waiting],
      cut: [],
      alike: [],
      others: [],
    }
  }
}

/** Files of that name which cannot be read as records: they may hold the same text. */
const brokenFilesOf = (parts: Pick<Pieces, 'catalog' | 'files'>, id: string): { file: FileStamp }[] =>
  parts.catalog.bad().flatMap(({ path }) => {
    if (!path.endsWith('.md') || stemOf(path).normalize('NFC') !== id) return []
    const file = parts.files.stamp(path)
    return file ? [{ file }] : []
  })

/** @throws MnemosError CHANGED_MEANWHILE where the deletion would be another one than the person agreed to. */
function refuseOther(parts: Pieces, files: readonly GoodFile[], { shown, cut }: Agreed): void {
  const id = files[0]?.record.id ?? ''
  if (shown !== shownOf(files)) {
    throw new MnemosError(
      'CHANGED_MEANWHILE',
      `The record "${id}" was changed after it was shown; nothing was deleted.`,
      'Ask again, so that the person sees what it says now.',
    )
  }
  const unseen = cut && recordsToCut(parts, files).find((one) => !cut.includes(one.id))
  if (unseen) {
    throw new MnemosError(
      'CHANGED_MEANWHILE',
      `A record got words from "${id}" after that was shown, and would be cut; nothing was deleted.`,
      'Ask again, so that the person sees all that it changes.',
    )
  }
}

/**
 * Asks the gates for every file that would be removed: a copy may be of another workspace than the one that counts. One
 * that cannot be read is of the workspaces that it states.
 * @throws MnemosError where a gate refuses, or asks for something else than the deletion as it is.
 */
async function admitDeletion(
  parts: Pieces,
  files: readonly GoodFile[],
  broken: ReturnType<typeof brokenFilesOf>,
  context: TurnContext,
): Promise<void> {
  const [counting] = files
  if (!counting) return
  const { id } = counting.record
  const unread = broken.flatMap(({ file }): RecordDeletion[] => {
    const raw = rawText(parts.disk, parts.files.absolute(file.path))
    if (raw === undefined) return []
    if ('reason' in raw) return [{ what: 'deletion', record: counting.record, isUnread: true }]
    const stated = statedRaw(raw.text, 'workspace')
    return stated.map((workspace) => ({ what: 'deletion', record: { ...counting.record, workspace } }))
  })
  const deletions = [...files.map(({ record }): RecordDeletion => ({ what: 'deletion', record })), ...unread]
  const { change } = await parts.admission.admit(deletions, context)
  if (JSON.stringify(change) === JSON.stringify(deletions)) return
  throw new MnemosError(
    'REFUSED',
    `A check does not let "${id}" be deleted as it is; nothing was deleted.`,
    'Tell the person.',
  )
}

/** Does what a noted deletion says; forgets the note once no place is left. */
export async function carryOut(
  parts: Pieces,
  act: Pick<PendingAct, 'deletes' | 'ledger'>,
  forget: () => void,
): Promise<Erasure> {
  for (const { id, at, created } of act.deletes) {
    if (!parts.tombstones.has(id, at)) parts.tombstones.add(id, at, created)
  }
  const deleted = act.deletes.map(({ id, paths }) => ({
    id,
    paths,
    ...textsAndRelated(paths.flatMap((path) => deletedIn(parts, id, path))),
  }))
  const erasure = await parts.places.erase(deleted)
  if (erasure.left.length > 0) return erasure
  try {
    parts.ledger.complete(act.ledger)
    forget()
  } catch (error) {
    // Everything is cleared; its line is completed by whoever takes the lock next.
    erasure.left.push({ place: 'ledger', reason: reasonOf(error) })
  }
  return erasure
}

/**
 * The record in a file; none where it is gone, holds no record or is not the deleted one.
 * @throws MnemosError where the reading fails: what it says is not known, and has to be cleared all the same.
 */
function deletedIn(parts: Pieces, id: string, path: string): GoodFile[] {
  const loaded = readOrFail(parts.files, path)
  if (!loaded || !('record' in loaded) || !parts.tombstones.isDeleted(id, loaded.record.created)) return []
  return [loaded]
}
