/** Which records say nearly the same as a new one. They are named to the writer, who decides. */

import type { MemoryRecord } from '../../record/record.ts'
import { segment } from '../index/segment.ts'

/** Share of the terms of both summaries together that they have in common. */
const ALIKE = 0.5
/** Share of the shorter summary's terms that the longer one holds too. */
const CONTAINED = 0.8
/** A summary of fewer terms than this counts as contained in no other. */
const TELLING = 4

const distinctTerms = (text: string) =>
  new Set(segment(text).flatMap(({ text: term, extra }) => (extra ? [] : [term])))

/** @returns those of the candidates whose summary is close to the given one, in their order. */
export function nearDuplicates(summary: string, candidates: readonly MemoryRecord[]): MemoryRecord[] {
  const wanted = distinctTerms(summary)
  return candidates.filter((record) => {
    const own = distinctTerms(record.summary)
    const shared = wanted.intersection(own).size
    const shorter = Math.min(wanted.size, own.size)
    return (
      shared / Math.max(1, wanted.union(own).size) >= ALIKE ||
      (shorter >= TELLING && shared / shorter >= CONTAINED)
    )
  })
}
