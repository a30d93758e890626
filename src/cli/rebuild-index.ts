/** `mnemos rebuild-index`: drops the derived index and fills it from the files. */
import { progressBar } from './progress.ts'
import type { Session } from './session.ts'

export async function rebuildIndexCommand({ store, began, print }: Session): Promise<void> {
  const { absent } = store
  // Where there was no index, opening the folder has just made one.
  if (!store.indexIsNew || store.readOnly !== undefined) await store.rebuildIndex(progressBar('Indexing'))
  const { total: records } = await store.counts()
  const ms = Math.round(performance.now() - began)
  print({ records, ms, absentForgotten: absent }, [
    `The index was rebuilt from ${records === 1 ? 'one record' : `${records} records`} in ${(ms / 1000).toFixed(1)} s.`,
    ...(absent === 0
      ? []
      : [`It no longer knows of the ${absent} absent files; they are records again when they are back.`]),
  ])
}
