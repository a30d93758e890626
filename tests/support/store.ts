/** A store in a folder of its own, with a clock that the test sets and a disk that it can make fail. */
import { appendFileSync } from 'node:fs'
import { type Config, defaultConfig } from '../../src/base/config.ts'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { type Memory, openMemory } from '../../src/memory/open.ts'
import type { Store } from '../../src/store/store.ts'
import { tempDir } from './temp.ts'

export interface TestStore {
  memory: Memory
  store: Store
  root: string
  /** Milliseconds; every reading moves it on by one. */
  clock: { at: number }
}

export async function openStore(
  options: { root?: string; config?: Partial<Config>; disk?: Disk; now?: () => number } = {},
): Promise<TestStore> {
  const root = options.root ?? (await tempDir('store'))
  const clock = { at: Date.UTC(2026, 10, 30) }
  const memory = openMemory({
    root,
    config: { ...defaultConfig(), scanEveryMs: 0, ...options.config },
    clock: { now: options.now ?? (() => clock.at++) },
    disk: options.disk ?? nodeDisk,
    // Nothing of it is there: no profile and no approval of another run.
    dshHome: `${root}-home`,
    environment: {},
  })
  await memory.store.refresh()
  return { memory, store: memory.store, root, clock }
}

export interface TestDisk extends Disk {
  /** Appends without an end of line, as a process does that dies in the middle. */
  tear(path: string, text: string): void
}

export interface MemoryDisk extends TestDisk {
  files: ReadonlyMap<string, { bytes: Buffer; ino: number }>
}

/** A disk in memory, a copy of another one or empty, for tests that open many stores. A folder is there when something lies in it. */
export function memoryDisk(from?: MemoryDisk): MemoryDisk {
  const files = new Map<string, { bytes: Buffer; ino: number }>(from?.files)
  let inodes = files.size
  const put = (path: string, bytes: Buffer) => files.set(path, { bytes, ino: ++inodes })
  const bytesAt = (path: string) => files.get(path)?.bytes
  return {
    files,
    read: bytesAt,
    stamp: (path) => {
      const file = files.get(path)
      const isFolder = !file && [...files.keys()].some((name) => name.startsWith(`${path}/`))
      // A folder counts as just changed, whenever it is looked at.
      if (isFolder)
        return { size: 0, mtimeMs: 0, ctimeMs: Date.now(), ino: 0, links: 1, mode: 0o700, kind: 'folder' }
      if (!file) return undefined
      return {
        size: file.bytes.length,
        mtimeMs: 0,
        ctimeMs: 0,
        ino: file.ino,
        links: 1,
        mode: 0o600,
        kind: 'file',
      }
    },
    list: (path) => {
      const below = [...files.keys()].filter((name) => name.startsWith(`${path}/`))
      const kinds = new Map(
        below.map((name) => {
          const [entry = '', more] = name.slice(path.length + 1).split('/')
          return [entry, more === undefined ? ('file' as const) : ('folder' as const)]
        }),
      )
      return [...kinds].sort().map(([name, kind]) => ({ name, kind }))
    },
    replace: (path, data, options) => {
      const replaced = bytesAt(path)
      options?.beforeRename?.()
      put(path, Buffer.from(data))
      if (replaced) options?.afterRename?.(replaced)
    },
    append: (path, line) => {
      const before = bytesAt(path)?.toString() ?? ''
      const torn = before !== '' && !before.endsWith('\n')
      put(path, Buffer.from(`${before}${torn ? '\n' : ''}${line}\n`))
    },
    tear: (path, text) => put(path, Buffer.from(`${bytesAt(path)?.toString() ?? ''}${text}`)),
    remove: (path) => files.delete(path),
    folder: () => {},
    chmod: () => {},
    writable: () => {},
  }
}

/**
 * A disk that fails at its n-th step, and where `dead` at every step from then on, as for a killed process: nothing
 * that comes after reaches the disk. `calls` counts the steps, `failed` names the one that failed.
 */
export function failingDisk(
  failAt: number,
  code = 'EIO',
  dead = false,
  real: TestDisk = { ...nodeDisk, tear: (path, text) => appendFileSync(path, text, { mode: 0o600 }) },
): { disk: Disk; calls: () => number; failed: () => string | undefined } {
  let calls = 0
  let failed: string | undefined
  const step = (name: string) => {
    calls++
    if (calls !== failAt && !(dead && calls > failAt)) return
    failed ??= name
    throw Object.assign(new Error(`${code}: made to fail`), { code })
  }
  const disk: Disk = {
    ...real,
    replace: (path, data, options) => {
      step('replace: before')
      real.replace(path, data, {
        ...options,
        beforeRename: () => {
          step('replace: before the rename')
          options?.beforeRename?.()
        },
      })
      step('replace: after the rename')
    },
    append: (path, line) => {
      step('append: before')
      try {
        step('append: halfway')
      } catch (error) {
        real.tear(path, line.slice(0, Math.floor(line.length / 2)))
        throw error
      }
      real.append(path, line)
      step('append: after')
    },
    remove: (path) => {
      step('remove: before')
      const was = real.remove(path)
      step('remove: after')
      return was
    },
  }
  return { disk, calls: () => calls, failed: () => failed }
}
