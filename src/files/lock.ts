/** The write lock of a data folder, across processes and within this one. */
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from 'proper-lockfile'
import { storageError } from '../base/disk.ts'
import { MnemosError, reasonOf, systemCode } from '../base/errors.ts'
import { noteOwner, removeAt, removeIfDead, rounded, timeOf, uniqueTime } from './lock-owner.ts'

/** After this long without a sign of life a lock counts as abandoned by a killed process. */
const STALE_MS = 10_000
const SIGN_OF_LIFE_MS = 2_000
const RETRY_MIN_MS = 8
const RETRY_SPREAD_MS = 40

export interface Held {
  /** Throws when the lock is no longer ours: called just before each change becomes visible. */
  check(): void
}

export class DataLock {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #watchMs: number
  #queue: Promise<unknown> = Promise.resolve()

  /** @param watchMs how long a lock shows no sign of life while it is waited for, before it counts as abandoned. */
  constructor(path: string, timeoutMs: number, watchMs = STALE_MS) {
    this.#path = path
    this.#timeoutMs = timeoutMs
    this.#watchMs = watchMs
  }

  /**
   * Runs `body` with the lock held. Callers of one process wait in line, so that none of them starves.
   * @param timeoutMs default: as configured for writes.
   * @throws MnemosError LOCKED when another process keeps it for longer than that.
   */
  run<T>(body: (held: Held) => Promise<T> | T, timeoutMs = this.#timeoutMs): Promise<T> {
    const turn = this.#queue.then(() => this.#alone(body, timeoutMs))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async #alone<T>(body: (held: Held) => Promise<T> | T, timeoutMs: number): Promise<T> {
    let lost = false
    const release = await this.#acquire(timeoutMs, () => {
      lost = true
    })
    try {
      return await body({
        check: () => {
          if (lost || !isOurs(this.#path)) throw lostError()
        },
      })
    } finally {
      // One that another process took over is not ours to release: that would remove theirs.
      // What cannot be removed is taken over after a while.
      if (isOurs(this.#path)) await release().catch(() => undefined)
    }
  }

  async #acquire(timeoutMs: number, onLost: () => void): Promise<() => Promise<void>> {
    const deadline = performance.now() + timeoutMs
    const watch = new Watch(this.#path, this.#watchMs)
    for (;;) {
      try {
        return await lockfile.lock(this.#path, {
          lockfilePath: this.#path,
          realpath: false,
          stale: STALE_MS,
          update: SIGN_OF_LIFE_MS,
          retries: 0,
          fs: lockFs,
          onCompromised: onLost,
        })
      } catch (error) {
        if (systemCode(error) !== 'ELOCKED') throw storageError('The data folder cannot be locked', error)
        removeIfDead(this.#path)
        watch.look()
        if (performance.now() > deadline) {
          throw new MnemosError(
            'LOCKED',
            `Another process has held the data folder for ${Math.round(timeoutMs / 1000)} seconds; nothing was changed.`,
            'Try again; if no other host is running, remove the folder ".lock" in the data folder.',
          )
        }
        await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)
      }
    }
  }
}

/**
 * What a lock does while it is waited for. The library tells an abandoned one by its time, which a clock that was set
 * back, a restored copy or another machine may have put into the future: then it would never be one. What shows no sign
 * of life for as long as we look at it is abandoned, whatever its time says.
 */
class Watch {
  readonly #lock: string
  readonly #watchMs: number
  #time: number | undefined
  #since = performance.now()

  constructor(lock: string, watchMs: number) {
    this.#lock = lock
    this.#watchMs = watchMs
  }

  look(): void {
    const time = timeOf(this.#lock)
    if (time !== this.#time) {
      this.#time = time
      this.#since = performance.now()
    } else if (time !== undefined && performance.now() - this.#since > this.#watchMs)
      removeAt(this.#lock, [time])
  }
}

/**
 * The times that this process gave to the folders of its locks: a lock is ours as long as it carries one of them.
 * Its library looks at that only by a timer, and while files are written no timer runs: a process that was held up
 * would not see that it lost the lock. So we see for ourselves what time it gives.
 */
const given = new Map<string, Set<number>>()

const isOurs = (lock: string): boolean => given.get(lock)?.has(timeOf(lock) ?? Number.NaN) ?? false

function give(lock: string, times: number[]): void {
  given.set(lock, new Set(times))
  noteOwner(lock, times)
}

const lockFs = {
  ...fs,
  mkdir(path: string, done: (error: Error | null) => void) {
    try {
      fs.mkdirSync(path)
      const time = uniqueTime(Date.now())
      fs.utimesSync(path, time / 1000, time / 1000)
      give(path, [rounded(time)])
    } catch (error) {
      done(error instanceof Error ? error : new Error(reasonOf(error)))
      return
    }
    done(null)
  },
  utimes(path: string, _atime: Date, mtime: Date, done: (error: Error | null) => void) {
    const time = uniqueTime(mtime.getTime())
    // Both count until the call is back: it may be done on disk before we are told.
    give(path, [...(given.get(path) ?? []), rounded(time)])
    fs.utimes(path, time / 1000, time / 1000, (error) => {
      if (!error && given.get(path)?.has(rounded(time))) given.set(path, new Set([rounded(time)]))
      done(error)
    })
  },
}

const lostError = () =>
  new MnemosError(
    'LOCKED',
    'Another process took over the lock of the data folder while this one was held up; nothing was changed.',
    'Try again.',
  )
