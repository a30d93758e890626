/** A record that is no longer held. */
import type { MemoryRecord } from '../record/record.ts'
import { type Deprecation, deprecateRecord } from '../store/deprecate.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'

export interface DeprecateAnswer extends Pick<MemoryRecord, 'id' | 'status' | 'supersededBy'> {
  warnings: string[]
}

/** @throws MnemosError when nothing was changed. */
export async function answerDeprecate(
  store: Store,
  asked: Deprecation,
  context: TurnContext,
): Promise<DeprecateAnswer> {
  const { record, warnings } = await deprecateRecord(store, asked, context)
  return { id: record.id, status: record.status, supersededBy: record.supersededBy, warnings }
}
