/** Records and indexes for the tests of this room. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { z } from 'zod'
import { nodeDisk } from '../../../../src/base/disk.ts'
import { type MemoryRecord, recordSchema } from '../../../../src/record/record.ts'
import { RecordIndex } from '../../../../src/search/index/record-index.ts'
import { recall } from '../../../../src/search/recall/recall.ts'
import type { RecallRequest } from '../../../../src/search/recall/request.ts'
import { tempDirSync } from '../../../support/temp.ts'

export const DAY = '2026-03-01T00:00:00.000Z'

export const record = (draft: Partial<z.input<typeof recordSchema>> & { id: string }): MemoryRecord =>
  recordSchema.parse({ summary: `about ${draft.id}`, created: DAY, updated: DAY, ...draft })

export const entry = (made: MemoryRecord, path = `2026/03/${made.id}.md`, mtimeMs = 1) => ({
  file: { path, size: made.content.length + made.summary.length, mtimeMs, ino: 1 },
  record: made,
})

/** Entries of some size, to fill an index with. */
export const filler = (n: number) =>
  Array.from({ length: n }, (_, i) =>
    entry(
      record({
        id: `f${i}`,
        content: Array.from({ length: 40 }, (_, j) => `w${(i * 7 + j * j) % 997}x`).join(' '),
      }),
    ),
  )

/** Index handles of a test; where the hook below belongs to another file (modules are shared) they go with the process. */
const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const undo of cleanUp.splice(0)) undo()
})

export function openIndex(file = ':memory:'): RecordIndex {
  const index = RecordIndex.open(nodeDisk, file)
  cleanUp.push(() => index.close())
  return index
}

export const folder = () => tempDirSync('index')

/** Which of the words stand, in any case of ASCII letters, in any file of the folder. */
export function wordsOnDisk(dir: string, words: string[]): string[] {
  const bytes = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'))
  const text = bytes.join('\n').toLowerCase()
  return words.filter((word) => text.includes(Buffer.from(word).toString('latin1').toLowerCase()))
}

/** A store of records in memory with its index. */
export function storeOf(records: MemoryRecord[]) {
  // In memory and shared by the tests of a group: it goes with the process.
  const index = RecordIndex.open(nodeDisk, ':memory:')
  const files = new Map(records.map((made) => [entry(made).file.path, made]))
  index.put(records.map((made) => entry(made)))
  const ask = (queries: string | string[], more: Partial<RecallRequest> = {}) =>
    recall(index, (path) => files.get(path), {
      queries: typeof queries === 'string' ? [queries] : queries,
      scope: {},
      limit: 8,
      include: [],
      giantBytes: 64 * 1024,
      now: Date.parse('2026-04-01'),
      ...more,
    })
  return {
    index,
    files,
    ask,
    idsOf: (...args: Parameters<typeof ask>) => ask(...args).hits.map((hit) => hit.record.id),
  }
}
