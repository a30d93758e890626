/** The newest records. */
import { type MemoryRecord, STATUSES, type Status } from '../record/record.ts'
import type { Store } from '../store/store.ts'

const RECENT_LIMIT = 20

export type RecentRecord = Pick<
  MemoryRecord,
  'id' | 'kind' | 'source' | 'status' | 'summary' | 'tags' | 'created' | 'updated'
>

export interface RecentAnswer {
  /** Newest first. */
  records: RecentRecord[]
  /** How many more there are. */
  more: number
  /** How many files were skipped because they cannot be read. */
  skipped: number
}

/** @param options `all`: of every status, not the active ones alone. */
export async function answerRecent(
  store: Store,
  { limit = RECENT_LIMIT, all = false }: { limit?: number | undefined; all?: boolean | undefined },
): Promise<RecentAnswer> {
  const statuses = all ? STATUSES : (['active'] as const)
  const records = await store.recent(limit, statuses)
  return {
    records: records.map(({ id, kind, source, status, summary, tags, created, updated }) => ({
      id,
      kind,
      source,
      status,
      summary,
      tags,
      created,
      updated,
    })),
    more: (await countOf(store, statuses)) - records.length,
    skipped: store.bad().length,
  }
}

async function countOf(store: Store, statuses: readonly Status[]): Promise<number> {
  const { total, byStatus } = await store.counts()
  const counted = Object.values(byStatus).length > 0 || total === 0
  // Without an index nothing counts by status, and the files are read for the list anyway.
  if (!counted) return (await store.recent(total, statuses)).length
  return statuses.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0)
}
