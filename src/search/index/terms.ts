/**
 * What the index keeps of a record's text: for each field the sequence of its terms, each as a keyed 32-bit hash.
 *
 * Words themselves would leave traces that deletion cannot reach (SQLite copies cells when it balances pages,
 * FTS5 keeps separators and prefixes of terms); a keyed hash leaves none, needs no escaping and cannot hold query
 * syntax. Where two words have the same hash, a candidate too many is read and its text does not match.
 */
import type { MemoryRecord } from '../../record/record.ts'
import { segment } from './segment.ts'

/** The searched fields, in the order in which they are stored. */
export const FIELDS = ['summary', 'askedAs', 'tags', 'content'] as const
/** The name of a searched field. */
export type Field = (typeof FIELDS)[number]

/** The searched texts of a record, by field. */
export const searchedTexts = (record: MemoryRecord): Record<Field, readonly string[]> => ({
  summary: [record.summary],
  askedAs: record.askedAs,
  tags: record.tags,
  content: [
    record.content,
    ...(record.title === record.summary ? [] : [record.title ?? '']),
    record.description ?? '',
  ].filter((text) => text !== ''),
})

/** The lowest bit of a stored term: an additional reading, see `Term.extra`. */
export const EXTRA_BIT = 1

/** A keyed hash of a term, an unsigned 32-bit number whose lowest bit is 0. */
export function termHash(text: string, salt: number): number {
  let hash = salt ^ text.length
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) & ~EXTRA_BIT) >>> 0
}

/** A stored term as FTS5 sees it: lower-case letters and digits only, so no tokenizer and no syntax touches it. */
export const tokenOf = (hash: number): string => (hash >>> 1).toString(36)

/**
 * A record's terms: four counts (one a field), then the terms of the fields one after the other in reading order.
 */
export type PackedTerms = Uint32Array

/** What is stored of a record's text. */
export interface RecordTerms {
  packed: PackedTerms
  /** The plain words in it, folded, by their hash: what near terms are chosen from. */
  words: Map<number, string>
}

/** The terms of a record. @param salt key of the hashes. */
export function termsOf(record: MemoryRecord, salt: number): RecordTerms {
  const texts = searchedTexts(record)
  const words = new Map<number, string>()
  const hashes: number[] = [0, 0, 0, 0]
  FIELDS.forEach((field, at) => {
    const before = hashes.length
    for (const text of texts[field]) {
      for (const term of segment(text)) {
        hashes.push((termHash(term.text, salt) | (term.extra ? EXTRA_BIT : 0)) >>> 0)
        if (term.word !== undefined) words.set(termHash(term.word, salt), term.word)
      }
    }
    hashes[at] = hashes.length - before
  })
  return { packed: Uint32Array.from(hashes), words }
}

/** The part of `packed` that belongs to each field. */
export function termsByField(packed: PackedTerms): Uint32Array[] {
  let from = FIELDS.length
  return FIELDS.map((_, at) => {
    const part = packed.subarray(from, from + (packed[at] ?? 0))
    from += packed[at] ?? 0
    return part
  })
}

/** The bytes of terms, without a copy. */
export const termBytes = (terms: Uint32Array): Buffer =>
  Buffer.from(terms.buffer, terms.byteOffset, terms.byteLength)

/** The reverse of {@link termBytes}; copies, because a buffer from the driver need not be aligned. */
export const termsFrom = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.byteLength & ~3)))
