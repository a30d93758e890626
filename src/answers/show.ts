/** One record whole, as its file stands. */
import type { MemoryRecord } from '../record/record.ts'
import type { FoundRecord, Store } from '../store/store.ts'

export interface ShowAnswer extends MemoryRecord, Pick<FoundRecord, 'file' | 'copies' | 'namesakes'> {}

/**
 * @returns the record's fields, and its file's text to the letter.
 * @throws MnemosError NOT_FOUND or DELETED, or what is wrong with its file.
 */
export async function answerShow(store: Store, id: string): Promise<{ value: ShowAnswer; text: string }> {
  const { record, text, file, copies, namesakes } = await store.get(id)
  return { value: { ...record, file, copies, namesakes }, text }
}
