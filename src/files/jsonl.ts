/** Reading a journal of JSON lines: a line that is torn or foreign is named and stops nothing. */
import type { z } from 'zod'
import type { Disk } from '../base/disk.ts'

export interface BadLine {
  /** As a person finds it: `2026-11.jsonl:3`. */
  line: string
  reason: string
}

/** @param name how the file is called in what is said of its lines. */
export function readJsonl<S extends z.ZodType>(
  disk: Disk,
  path: string,
  name: string,
  schema: S,
): { values: z.output<S>[]; bad: BadLine[] } {
  const values: z.output<S>[] = []
  const bad: BadLine[] = []
  const lines = (disk.read(path)?.toString('utf8') ?? '').split('\n')
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    const parsed = schema.safeParse(json(line))
    if (parsed.success) values.push(parsed.data)
    else bad.push({ line: `${name}:${at + 1}`, reason: json(line) === undefined ? 'torn' : 'foreign' })
  }
  return { values, bad }
}

function json(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Cut off by a crash, or by a full disk.
    return undefined
  }
}
