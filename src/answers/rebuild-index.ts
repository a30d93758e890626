/** A search index that is filled anew from the files. */
import type { Progress } from '../store/catalog.ts'
import type { Store } from '../store/store.ts'

export interface RebuildAnswer {
  records: number
  /** Since the store began to be opened. */
  ms: number
  /** How many absent files the new index no longer knows of. */
  absentForgotten: number
}

/**
 * @param began when the store began to be opened, by `performance.now()`.
 * @throws MnemosError UNAVAILABLE where there can be no index.
 */
export async function answerRebuildIndex(
  store: Store,
  began: number,
  progress?: Progress,
): Promise<RebuildAnswer> {
  const { absent } = store
  // Where there was no index, opening the folder has just made one.
  if (!store.indexIsNew || store.readOnly !== undefined) await store.rebuildIndex(progress)
  const { total: records } = await store.counts()
  return { records, ms: Math.round(performance.now() - began), absentForgotten: absent }
}
