/** A lock on a disk that refuses a step: one clear sentence, or the fallback that the code promises; never a wait for good. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { MnemosError } from '../../../src/base/errors.ts'
import { DataLock } from '../../../src/files/lock.ts'
import { failingOnce } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const METHODS = Object.keys(nodeDisk) as (keyof Disk)[]

interface Outcome {
  said: string
  /** Whether what the lock protects was done. */
  done: boolean
}

async function takeLock(disk: Disk, path: string): Promise<Outcome> {
  let done = false
  const said = await new DataLock(disk, path, 300)
    .run((held) => {
      held.check()
      done = true
    })
    .then(
      () => 'released',
      (error: unknown) => {
        expect(error).toBeInstanceOf(MnemosError)
        return String(error)
      },
    )
  return { said, done }
}

const LOCKING = /^MnemosError: The data folder cannot be locked: .*; nothing was changed\./
const LOOKING = /^MnemosError: The lock of the data folder cannot be looked at: .*; nothing was changed\./
const RELEASED = /^released$/

/** What is said when the first, second, third call of a method fails; no other method is called. */
const SAID: Partial<Record<keyof Disk, RegExp[]>> = {
  // The lock, and the mark in it.
  makeFolder: [LOCKING, LOCKING],
  // Whose marks are in it.
  list: [LOCKING],
  // The library's measuring of the clock.
  setTime: [LOCKING],
  // Whether the turn is reserved, looks of the marks, of the library's measuring (twice), the holder's check, and the look before the release.
  stamp: [RELEASED, LOCKING, LOCKING, LOCKING, LOOKING, RELEASED],
  removeFolder: [RELEASED, RELEASED],
}

describe.each(['EIO', 'ENOSPC'])('taking a lock while %s is met', (code) => {
  it.concurrent.each(METHODS)('by %s', async (method) => {
    for (const [at, expected] of [...(SAID[method] ?? []), undefined].entries()) {
      const path = join(await tempDir('lock'), '.lock')
      const { disk, hasFailed } = failingOnce(method, code, at + 1)
      const { said, done } = await takeLock(disk, path)
      expect(hasFailed()).toBe(expected !== undefined)
      expect(said).toMatch(expected ?? RELEASED)
      expect(done).toBe(said === 'released')
      // A folder that cannot be removed is taken over when it has shown no sign of life for a while.
      expect(existsSync(path)).toBe(method === 'removeFolder' && expected !== undefined)
      expect(await new DataLock(nodeDisk, path, 2_000, 50).run(() => 'next')).toBe('next')
    }
  })
})

describe.runIf(process.platform === 'linux').each(['EIO', 'ENOSPC'])(
  'taking over the lock of a process that ended while %s is met',
  (code) => {
    async function abandoned(): Promise<string> {
      const path = join(await tempDir('lock'), '.lock')
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      const where = createHash('sha256').update(`${boot} ${readlinkSync('/proc/self/ns/pid')}`)
      const mark = `${spawnSync('true').pid}-1-${where.digest('hex').slice(0, 16)}-abcdefghijklmnopqrstu`
      mkdirSync(join(path, mark), { recursive: true })
      return path
    }

    it.concurrent.each(METHODS)('by %s', async (method) => {
      for (let nth = 1, failed = true; failed; nth++) {
        const path = await abandoned()
        const { disk, hasFailed } = failingOnce(method, code, nth)
        const { said, done } = await takeLock(disk, path)
        failed = hasFailed()
        expect(done).toBe(said === 'released')
        expect(said).toMatch(
          /^(released$|MnemosError: The (lock of the )?data folder cannot be .*; nothing was changed\.)/,
        )
        if (!failed) expect(said).toBe('released')
        expect(await new DataLock(nodeDisk, path, 2_000, 50).run(() => 'next')).toBe('next')
      }
    })
  },
)
