/**
 * Reading a journal of JSON lines: a line that is torn or foreign is named and stops nothing. An editor or a sync may have
 * changed encoding and line ends; what can be read is read.
 */
import type { z } from 'zod'
import type { Disk } from '../base/disk.ts'

/** A line that cannot be read. */
export interface BadLine {
  /** As a person finds it, from the data folder on: `ledger/2026-11.jsonl:3`. */
  line: string
  /** `torn` where it is no JSON (cut off by a crash or a full disk), `foreign` where it is something else. */
  reason: 'torn' | 'foreign'
}

/** A journal as it was read. */
export interface JsonLines<T> {
  /** What the good lines hold, in their order. */
  values: T[]
  bad: BadLine[]
  /** Every line that is not empty, good or bad, as it is in the file. */
  lines: string[]
}

/**
 * Reads a journal; one that does not exist has no lines.
 * @param name how the file is called in what is said of its lines.
 * @throws what the disk throws.
 */
export function readJsonl<S extends z.ZodType>(
  disk: Disk,
  path: string,
  name: string,
  schema: S,
): JsonLines<z.output<S>> {
  return parseJsonl(journalText(disk.read(path)), name, schema)
}

/** As {@link readJsonl}, from the text of the journal. */
export function parseJsonl<S extends z.ZodType>(
  text: string,
  name: string,
  schema: S,
): JsonLines<z.output<S>> {
  const journal: JsonLines<z.output<S>> = { values: [], bad: [], lines: [] }
  for (const [at, line] of text.split(LINE_END).entries()) {
    if (line.trim() === '') continue
    journal.lines.push(line)
    const json = parseJson(line)
    const value = schema.safeParse(json)
    if (value.success) journal.values.push(value.data)
    else journal.bad.push({ line: `${name}:${at + 1}`, reason: json === undefined ? 'torn' : 'foreign' })
  }
  return journal
}

/** What ends a line of a journal; JSON has none of them inside. */
export const LINE_END = /\r\n|\n|\r/

/** The text of a journal in whatever encoding it was saved; empty where there is none. */
export function journalText(bytes: Buffer | undefined): string {
  if (bytes === undefined) return ''
  switch (utf16Of(bytes)) {
    case 'little':
      return bytes.toString('utf16le').replace(/^\ufeff/, '')
    case 'big':
      return Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le')
        .replace(/^\ufeff/, '')
    case undefined:
      return bytes.toString('utf8').replace(/^\ufeff/, '')
  }
}

/** Which UTF-16 a journal is in, by its mark or by its first brace; undefined where it is in none. */
export function utf16Of(bytes: Buffer): 'little' | 'big' | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === BRACE && second === 0)) return 'little'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === BRACE)) return 'big'
  return undefined
}

const BRACE = 0x7b

/** The JSON of a text; undefined where it is none, as when a crash or a full disk cut it off. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller names it.
    return undefined
  }
}
