/** `mnemos rebuild-index`: drops the derived index and fills it from the files. */
import { answerRebuildIndex } from '../answers/rebuild-index.ts'
import { progressBar } from './progress.ts'
import type { Session } from './session.ts'

export async function rebuildIndexCommand({ store, began, print }: Session): Promise<void> {
  const rebuilt = await answerRebuildIndex(store, began, progressBar('Indexing'))
  const { records, ms, absentForgotten } = rebuilt
  print(rebuilt, [
    `The index was rebuilt from ${records === 1 ? 'one record' : `${records} records`} in ${(ms / 1000).toFixed(1)} s.`,
    ...(absentForgotten === 0
      ? []
      : [
          `It no longer knows of the ${absentForgotten} absent files; they are records again when they are back.`,
        ]),
  ])
}
