/** A store in a folder of its own, with a clock that the test sets and a disk that it can make fail. */
import { type Config, defaultConfig } from '../../src/base/config.ts'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { Store } from '../../src/memory/store.ts'
import { tempDir } from './temp.ts'

export interface TestStore {
  store: Store
  root: string
  /** Milliseconds; every reading moves it on by one. */
  clock: { at: number }
}

export async function openStore(
  options: { root?: string; config?: Partial<Config>; disk?: Disk } = {},
): Promise<TestStore> {
  const root = options.root ?? (await tempDir('store'))
  const clock = { at: Date.UTC(2026, 10, 30) }
  const store = new Store({
    root,
    config: { ...defaultConfig(), scanEveryMs: 0, ...options.config },
    clock: { now: () => clock.at++ },
    disk: options.disk ?? nodeDisk,
  })
  await store.ready()
  return { store, root, clock }
}

/**
 * A disk whose n-th changing call throws; `calls` counts them. With `forGood` every later one throws too, as when the
 * process was killed at that step: nothing can be taken back.
 */
export function failingDisk(
  failAt: number,
  code = 'EIO',
  forGood = false,
): { disk: Disk; calls: () => number } {
  let calls = 0
  const step = () => {
    if (++calls === failAt || (forGood && calls > failAt))
      throw Object.assign(new Error(`${code}: made to fail`), { code })
  }
  const disk: Disk = {
    ...nodeDisk,
    replace: (path, data, options) => {
      step()
      nodeDisk.replace(path, data, {
        ...options,
        beforeRename: () => {
          step()
          options?.beforeRename?.()
        },
      })
    },
    append: (path, line) => {
      step()
      nodeDisk.append(path, line)
    },
    remove: (path) => {
      step()
      return nodeDisk.remove(path)
    },
  }
  return { disk, calls: () => calls }
}
