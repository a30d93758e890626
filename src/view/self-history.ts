/** The self-history's part of the view, with the line that counts what waits for the person. */
import { drawSelfHistory } from '../self-history/self-history.ts'
import { waitingLine } from '../self-history/waiting.ts'
import type { Store } from '../store/store.ts'
import type { Part } from './view.ts'

export const selfHistoryPart = (
  store: Pick<Store, 'isKnown' | 'selfHistory' | 'waiting' | 'config' | 'now'>,
): Part => ({
  name: 'self-history',
  place: 'message',
  audience: ['main'],
  order: 200,
  text: ({ workspace, language }) => {
    if (!store.isKnown) return undefined
    const reader = { workspace, isolate: store.config.isolate, now: store.now() }
    return [
      drawSelfHistory(store.selfHistory(), reader, language),
      waitingLine(store.waiting(), reader, language),
    ]
      .filter((text) => text !== '')
      .join('\n')
  },
})
