/** The order of hits: by score, equals by nearness and age, and never a superseded fact before its successor. */
import { byAge, byNews } from '../../record/times.ts'

/** What decides the place of a hit. */
export interface Ordered {
  id: string
  score: number
  elsewhere: boolean
  /** Undefined where it is not known; then it counts as longest. */
  idleDays: number | undefined
  /** Milliseconds since the epoch; undefined where it is not known. */
  created: number | undefined
  supersedes: readonly string[]
  supersededBy: readonly string[]
}

/** Best first; total, so that the same question over the same records has one answer. */
export function compareHits(a: Ordered, b: Ordered): number {
  return (
    Math.round((b.score - a.score) * 1e9) ||
    Number(a.elsewhere) - Number(b.elsewhere) ||
    byAge(a.idleDays, b.idleDays) ||
    byNews(a.created, b.created) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Which of these records replaced a record, by the id of the one that was replaced. */
export function successorsOf(found: Iterable<Pick<Ordered, 'id' | 'supersedes'>>): Map<string, string[]> {
  const successors = new Map<string, string[]>()
  for (const { id, supersedes } of found)
    for (const older of supersedes)
      if (older !== id) successors.set(older, [...(successors.get(older) ?? []), id])
  return successors
}

/**
 * Sorts, then moves each record that another of the list replaced (directly or through a chain) behind the one that
 * replaced it, and lowers its score to match.
 */
export function inOrder<T extends Ordered>(hits: readonly T[]): T[] {
  const sorted = [...hits].sort(compareHits)
  const byId = new Map(sorted.map((hit) => [hit.id, hit]))
  const successors = new Map<string, Set<string>>()
  const note = (older: string, newer: string) => {
    if (older !== newer) successors.set(older, (successors.get(older) ?? new Set()).add(newer))
  }
  for (const hit of sorted) {
    for (const older of hit.supersedes) note(older, hit.id)
    for (const newer of hit.supersededBy) note(hit.id, newer)
  }
  if (successors.size === 0) return sorted

  const placed = new Set<string>()
  const order: T[] = []
  const place = (hit: T, above: ReadonlySet<string>) => {
    if (placed.has(hit.id) || above.has(hit.id)) return
    let lowest = Number.POSITIVE_INFINITY
    for (const id of reachable(hit.id, successors)) {
      const newer = byId.get(id)
      if (!newer || above.has(id)) continue
      place(newer, new Set([...above, hit.id]))
      lowest = Math.min(lowest, newer.score)
    }
    if (placed.has(hit.id)) return
    placed.add(hit.id)
    if (hit.score > lowest) hit.score = lowest
    order.push(hit)
  }
  // Best first: a superseded record waits for its successor, which then stands where its own score puts it.
  for (const hit of sorted) {
    const newer = [...reachable(hit.id, successors)].flatMap((id) => byId.get(id) ?? [])
    if (newer.length > 0) hit.score = Math.min(hit.score, ...newer.map((other) => other.score))
  }
  for (const hit of [...sorted].sort(compareHits)) place(hit, new Set())
  return order
}

/** All that replaced a record, over any number of corrections. Records that name each other do no harm. */
function reachable(id: string, successors: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const newer of successors.get(next) ?? []) {
      if (newer === id || seen.has(newer)) continue
      seen.add(newer)
      open.push(newer)
    }
  }
  return seen
}
