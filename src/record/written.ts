/** The texts of a record that may hold somebody's words. */
import type { MemoryRecord } from './record.ts'

export const writtenIn = ({ summary, content, askedAs, why, citation }: MemoryRecord): string[] =>
  [summary, content, ...askedAs, why ?? '', citation?.quote ?? ''].filter((text) => text !== '')
