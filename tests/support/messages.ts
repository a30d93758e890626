/** What a person reads of codes and details. */
import { explained, problemSentences } from '../../src/messages/messages.ts'
import type { Store } from '../../src/store/store.ts'

/** What a store reports, in sentences. */
export const reportedBy = (store: Store): string[] => problemSentences(store.problems())

/** What is thrown, with its sentences. */
export function explaining<T>(body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw explained(error)
  }
}

/** What a promise is rejected with, with its sentences. */
export const explainingLater = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error) => {
    throw explained(error)
  })
