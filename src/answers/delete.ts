/** A record that is deleted for good. */
import type { DeletionReport } from '../store/deletion.ts'
import type { OtherFile } from '../store/other-files.ts'
import type { CutRecord, Erasure } from '../store/places.ts'
import type { FoundRecord, Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'

export interface DeleteAnswer extends Pick<Erasure, 'erased' | 'left'> {
  id: string
  /** Whether every place is cleared of it. */
  deleted: boolean
  /** The record's own files, absolute. */
  files: string[]
  /** Ids of records that had words from it and lost them. */
  cut: string[]
  /** Files that hold the same words, or its name, and stay; relative to the data folder. */
  alike: string[]
  /** Ids of those of them that are records. */
  alikeRecords: string[]
  /** Files and folders that are none of Mnemos's own and may hold it, relative to the data folder. */
  others: OtherFile[]
}

/**
 * @param found what the person agreed to delete. @param foreseen what they were told that it does besides.
 * @returns the answer, and what is to be said of it.
 * @throws MnemosError when nothing was deleted; CHANGED_MEANWHILE where it is not what was shown any more.
 */
export async function answerDelete(
  store: Store,
  { record: { id }, shown, file, copies }: FoundRecord,
  context: TurnContext,
  foreseen?: { cut: readonly CutRecord[] },
): Promise<{ value: DeleteAnswer; report: DeletionReport }> {
  const agreed = { shown, ...(foreseen ? { cut: foreseen.cut.map((one) => one.id) } : {}) }
  const { erased, left, cut, alike, others } = await store.delete(id, context, agreed)
  const value = {
    id,
    deleted: left.length === 0,
    files: [file, ...copies.map((copy) => copy.file)],
    erased,
    left,
    cut: cut.map((one) => one.id),
    alike: alike.map((one) => one.file),
    alikeRecords: alike.flatMap((one) => one.record ?? []),
    others,
  }
  return { value, report: { id, left, cut, alike, others } }
}
