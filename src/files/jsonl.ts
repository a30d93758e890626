/** Reading a journal of JSON lines: a line that is torn or foreign is named and stops nothing. */
import type { z } from 'zod'
import type { Disk } from '../base/disk.ts'

/** A line that cannot be read. */
export interface BadLine {
  /** As a person finds it: `2026-11.jsonl:3`. */
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
  const journal: JsonLines<z.output<S>> = { values: [], bad: [], lines: [] }
  const lines = (disk.read(path)?.toString('utf8') ?? '').split('\n')
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    journal.lines.push(line)
    const json = parseJson(line)
    const value = schema.safeParse(json)
    if (value.success) journal.values.push(value.data)
    else journal.bad.push({ line: `${name}:${at + 1}`, reason: json === undefined ? 'torn' : 'foreign' })
  }
  return journal
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Cut off by a crash, or by a full disk: the caller names it.
    return undefined
  }
}
