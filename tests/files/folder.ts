/** A data folder that a person's programs work on, a store that looks at it, and what both make of it. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Config } from '../../src/base/config.ts'
import { faultClause } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { filesBelow } from '../support/files.ts'
import { openStore, type TestStore } from '../support/store.ts'

export const person = personContext()

export interface Folder extends TestStore {
  memories: string
  /** A path below `memories/`. */
  at(path: string): string
  /** Writes a file as another program would, making its folders. */
  put(path: string, data: string | Uint8Array, time?: Date): void
  read(path: string): string
  /** Ids that recall finds for the words, sorted. */
  found(words: string): Promise<string[]>
  /** Skipped files with their reasons. */
  skipped(): Promise<Record<string, string>>
  /** Lines of the ledger with this act. */
  ledger(act: string): number
  /** Closes the store and opens another one, as after a restart. */
  restart(): Promise<Folder>
}

export async function openFolder(options: { root?: string; config?: Partial<Config> } = {}): Promise<Folder> {
  // Not the test's clock: what a person deletes and restores is compared with the times of files.
  const opened = await openStore({ ...options, now: Date.now })
  const { root, store } = opened
  const memories = join(root, 'memories')
  mkdirSync(memories, { recursive: true })
  const at = (path: string) => join(memories, path)
  return {
    ...opened,
    memories,
    at,
    put(path, data, time) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), data)
      if (time) utimesSync(at(path), time, time)
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    async found(words) {
      const { hits } = await store.recall({
        queries: [words],
        scope: {},
        limit: 50,
        include: ['deprecated', 'archived', 'candidate'],
      })
      return hits.map(({ record }) => record.id).sort()
    },
    async skipped() {
      await store.refresh()
      return Object.fromEntries(store.bad().map(({ path, fault }) => [path, faultClause(fault)]))
    },
    ledger: (act) =>
      filesBelow(join(root, 'ledger')).reduce(
        (n, { bytes }) => n + bytes.toString().split(`"act":"${act}"`).length - 1,
        0,
      ),
    restart() {
      store.close()
      return openFolder({ ...options, root })
    },
  }
}

/** Every entry below the memories folder: kind, bytes, time, inode, target of a link. */
export function snapshot({ memories }: Pick<Folder, 'memories'>, below = ''): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  // Not recursive by itself: that follows linked folders.
  for (const entry of readdirSync(join(memories, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    const { mtimeMs, ino, nlink } = lstatSync(join(memories, path))
    if (entry.isDirectory()) Object.assign(out, { [path]: 'folder' }, snapshot({ memories }, path))
    else out[path] = [entry.isFile() ? hashOf(join(memories, path)) : undefined, mtimeMs, ino, nlink]
  }
  return out
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/**
 * Everything that the program does by itself: looks, recall, counts, a write of another record, a restart. No file
 * that lay there may have another byte, time or inode afterwards.
 */
export async function leavesAlone(folder: Folder): Promise<Folder> {
  const before = snapshot(folder)
  await folder.store.refresh()
  await folder.found('kettle')
  await folder.store.counts()
  await folder.store.commit([{ act: 'create', record: { summary: 'Something else altogether' } }], person)
  const again = await folder.restart()
  await again.found('kettle')
  expect(snapshot(again)).toMatchObject(before)
  return again
}
