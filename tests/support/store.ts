/** A store in a folder of its own, with a clock that the test sets and a disk that it can make fail. */
import { appendFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
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

const systemError = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code })

/**
 * A disk in memory, a copy of another one or empty, for tests that open many stores. A folder is there when something
 * lies in it, or when it was made by itself, as a lock is; a copy has no locks. SQLite cannot reach it, so there is no
 * index on it.
 */
export function memoryDisk(from?: MemoryDisk): MemoryDisk {
  const files = new Map<string, { bytes: Buffer; ino: number }>(from?.files)
  let inodes = files.size
  const put = (path: string, bytes: Buffer) => files.set(path, { bytes, ino: ++inodes })
  const bytesAt = (path: string) => files.get(path)?.bytes
  /** Folders that were made by themselves, with their times. */
  const folders = new Map<string, number>()
  return {
    files,
    read: bytesAt,
    stamp: (path) => {
      const file = files.get(path)
      const isFolder = !file && [...files.keys()].some((name) => name.startsWith(`${path}/`))
      const mtimeMs = folders.get(path)
      // A folder counts as just changed, whenever it is looked at.
      if (isFolder || mtimeMs !== undefined)
        return {
          size: 0,
          mtimeMs: mtimeMs ?? 0,
          ctimeMs: Date.now(),
          ino: 0,
          links: 1,
          mode: 0o700,
          kind: 'folder',
        }
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
      for (const made of folders.keys()) if (dirname(made) === path) kinds.set(basename(made), 'folder')
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
    real: (path) => path,
    overwrite: (path, data) => put(path, Buffer.from(data)),
    touch: (path) => {
      throw systemError('ENOENT', path)
    },
    folder: () => {},
    makeFolder: (path) => {
      if (folders.has(path)) throw systemError('EEXIST', path)
      if (/\.lock[^/]*$/.test(dirname(path)) && !folders.has(dirname(path))) throw systemError('ENOENT', path)
      folders.set(path, Date.now())
    },
    removeFolder: (path) => {
      if ([...folders.keys()].some((other) => dirname(other) === path)) throw systemError('ENOTEMPTY', path)
      if (!folders.delete(path)) throw systemError('ENOENT', path)
    },
    rename: (from, to) => {
      const mtimeMs = folders.get(from)
      if (mtimeMs === undefined) throw systemError('ENOENT', from)
      for (const [path, time] of [...folders]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        folders.delete(path)
        folders.set(`${to}${path.slice(from.length)}`, time)
      }
    },
    chmod: () => {},
    setTime: (path, mtimeMs) => {
      if (!folders.has(path)) throw systemError('ENOENT', path)
      folders.set(path, mtimeMs)
    },
    writable: () => {},
  }
}

/**
 * A disk that fails at its n-th step of writing records and journals (the steps of the lock are none: a dead process's
 * lock would be waited for), and where `dead` at every step from then on, as for a killed process: nothing
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

/** The disk of this machine, but for the n-th call of one method, which fails. */
export function failingOnce(
  method: keyof Disk,
  code: string,
  nth = 1,
): { disk: Disk; hasFailed: () => boolean } {
  let left = nth
  const disk = new Proxy(nodeDisk, {
    get(real, name) {
      const call: unknown = Reflect.get(real, name)
      if (name !== method || typeof call !== 'function') return call
      return (...given: unknown[]) => {
        left--
        if (left === 0) throw systemError(code, `${method} was made to fail`)
        return Reflect.apply(call, real, given)
      }
    },
  })
  return { disk, hasFailed: () => left <= 0 }
}
