/** A record that is deleted for good. */
import type { Alike, Erasure } from '../store/places.ts'
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
}

/**
 * @param found what the person agreed to delete.
 * @returns the answer, and what is known of each file that holds the same words.
 * @throws MnemosError when nothing was deleted; CHANGED_MEANWHILE where it is not what was shown any more.
 */
export async function answerDelete(
  store: Store,
  { record: { id }, shown, file, copies }: FoundRecord,
  context: TurnContext,
): Promise<{ value: DeleteAnswer; alike: readonly Alike[] }> {
  const { erased, left, alike } = await store.delete(id, context, shown)
  const value = {
    id,
    deleted: left.length === 0,
    files: [file, ...copies.map((copy) => copy.file)],
    erased,
    left,
    alike: alike.map((one) => one.file),
    alikeRecords: alike.flatMap((one) => one.record ?? []),
  }
  return { value, alike }
}
