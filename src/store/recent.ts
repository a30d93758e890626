/** The newest records. The index says which they are; without one every file is read for it. */

import type { MemoryRecord, Status } from '../record/record.ts'
import { newestFirst } from '../record/times.ts'
import type { Catalog } from './catalog.ts'

/** Records that are asked of the index at once. */
const PAGE = 200

/** Newest first, as their files stand now. @param now milliseconds since the epoch. */
export function newestRecords(
  catalog: Catalog,
  limit: number,
  statuses: readonly Status[],
  now: number,
): MemoryRecord[] {
  const found = new Map<string, MemoryRecord>()
  const take = (record: MemoryRecord | undefined) => {
    if (record && found.size < limit && statuses.includes(record.status)) found.set(record.id, record)
  }
  for (let offset = 0; found.size < limit; offset += PAGE) {
    const docs = catalog.use((index) => index.list({}, { limit: PAGE, offset, now }))
    if (docs === undefined) return fromFiles(catalog, limit, statuses, now)
    if (docs.length === 0) break
    for (const { path } of docs) {
      if (found.size === limit) break
      take(catalog.reread(path)?.record)
    }
  }
  return [...found.values()]
}

function fromFiles(
  catalog: Catalog,
  limit: number,
  statuses: readonly Status[],
  now: number,
): MemoryRecord[] {
  return catalog
    .byPath()
    .filter(({ copy }) => !copy)
    .flatMap(({ path }) => catalog.reread(path)?.record ?? [])
    .filter(({ status }) => statuses.includes(status))
    .sort(newestFirst(now))
    .slice(0, limit)
}
