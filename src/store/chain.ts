/** The chain of corrections: what a record corrected, and what corrected it. */
import type { MemoryRecord } from '../record/record.ts'

/** Records of a chain that are shown in one direction. */
const CHAIN_LIMIT = 50

export interface ChainLink {
  id: string
  /** Undefined where it is gone, or not for this reader. */
  record: MemoryRecord | undefined
}

/** Reads a record; undefined where there is none. */
type ReadRecord = (id: string) => Promise<MemoryRecord | undefined>

/** The records that lie in one direction, nearest first. */
export async function chainOf(
  record: MemoryRecord,
  direction: 'supersedes' | 'supersededBy',
  read: ReadRecord,
  limit = CHAIN_LIMIT,
): Promise<ChainLink[]> {
  const links: ChainLink[] = []
  const seen = new Set([record.id])
  const queue = [...record[direction]]
  for (let id = queue.shift(); id !== undefined && links.length < limit; id = queue.shift()) {
    if (seen.has(id)) continue
    seen.add(id)
    const next = await read(id)
    links.push({ id, record: next })
    if (next) queue.push(...next[direction])
  }
  return links
}

/**
 * The heads of the chain that a record belongs to: those of its successors that nothing has corrected. The record
 * itself where it has no successor that is still there.
 */
export async function headsOf(record: MemoryRecord, read: ReadRecord): Promise<MemoryRecord[]> {
  const later = (await chainOf(record, 'supersededBy', read, Number.POSITIVE_INFINITY)).flatMap(
    (link) => link.record ?? [],
  )
  const there = new Set(later.map(({ id }) => id))
  const heads = later.filter(({ supersededBy }) => !supersededBy.some((id) => there.has(id)))
  return heads.length > 0 ? heads : [record]
}
