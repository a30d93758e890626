/** A record that is deleted for good. */
import type { DeletionReport } from '../store/deletion.ts'
import type { OtherFile } from '../store/other-files.ts'
import type { Erasure } from '../store/places.ts'
import type { FoundRecord, Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'

export interface DeleteAnswer extends Pick<Erasure, 'erased' | 'left'> {
  id: string
  /** Whether every place is cleared of it. */
  deleted: boolean
  /** The record's own files, absolute. */
  files: string[]
  /** Files that hold the same words in their own right and stay, relative to the data folder. */
  alike: string[]
  /** Ids of those of them that are records. */
  alikeRecords: string[]
  /** Files and folders that are none of Mnemos's own and may hold it, relative to the data folder. */
  others: OtherFile[]
}

/**
 * @param found what the person agreed to delete.
 * @returns the answer, and what is to be said of it.
 * @throws MnemosError when nothing was deleted; CHANGED_MEANWHILE where it is not what was shown any more.
 */
export async function answerDelete(
  store: Store,
  { record: { id }, shown, file, copies }: FoundRecord,
  context: TurnContext,
): Promise<{ value: DeleteAnswer; report: DeletionReport }> {
  const { erased, left, alike, others } = await store.delete(id, context, shown)
  const value = {
    id,
    deleted: left.length === 0,
    files: [file, ...copies.map((copy) => copy.file)],
    erased,
    left,
    alike: alike.map((one) => one.file),
    alikeRecords: alike.flatMap((one) => one.record ?? []),
    others,
  }
  return { value, report: { id, left, alike, others } }
}
