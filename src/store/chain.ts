/** The chain of corrections: what a record corrected, and what corrected it. */
import type { MemoryRecord } from '../record/record.ts'
import type { Pieces } from './pieces.ts'

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
 * @param correctorsOf the ids of records that say that they corrected one: they go on where that one is gone.
 */
export async function headsOf(
  record: MemoryRecord,
  read: ReadRecord,
  correctorsOf: (id: string) => Promise<readonly string[]>,
): Promise<MemoryRecord[]> {
  const heads: MemoryRecord[] = []
  const seen = new Set([record.id])
  const queue = [record]
  for (let one = queue.shift(); one; one = queue.shift()) {
    const { id, supersededBy } = one
    const next = (await Promise.all(supersededBy.map((later) => nextOf(later, read, correctorsOf)))).flat()
    const others = next.filter((other) => other.id !== id)
    if (others.length === 0 && one !== record) heads.push(one)
    for (const other of others) {
      if (seen.has(other.id)) continue
      seen.add(other.id)
      queue.push(other)
    }
  }
  return heads.length > 0 ? heads : [record]
}

/** A record, or those that corrected it where it is gone. */
async function nextOf(
  id: string,
  read: ReadRecord,
  correctorsOf: (id: string) => Promise<readonly string[]>,
): Promise<MemoryRecord[]> {
  const there = await read(id)
  if (there) return [there]
  const later = await Promise.all((await correctorsOf(id)).map(read))
  return later.flatMap((one) => one ?? [])
}

/** The ids of records that name one as corrected by them, also where its own file, which names them, is gone. */
export function correctorsOf(
  { catalog, disk, files }: Pick<Pieces, 'catalog' | 'disk' | 'files'>,
  id: string,
): string[] {
  const paths =
    catalog.useIfFree((index) => index.supersedersOf(id)) ??
    [...catalog.records()]
      .map(({ path }) => path)
      .filter((path) => disk.read(files.absolute(path))?.includes(id) ?? false)
  const records = paths.flatMap((path) => catalog.reread(path)?.record ?? [])
  return [...new Set(records.flatMap((one) => (one.supersedes.includes(id) ? [one.id] : [])))]
}
