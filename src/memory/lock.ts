/** The write lock of a data folder, across processes and within this one. */
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from 'proper-lockfile'
import { storageError } from '../base/disk.ts'
import { MnemosError, systemCode } from '../base/errors.ts'

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
  #queue: Promise<unknown> = Promise.resolve()

  constructor(path: string, timeoutMs: number) {
    this.#path = path
    this.#timeoutMs = timeoutMs
  }

  /**
   * Runs `body` with the lock held. Callers of one process wait in line, so that none of them starves.
   * @throws MnemosError LOCKED when another process keeps it for longer than the timeout.
   */
  run<T>(body: (held: Held) => Promise<T> | T): Promise<T> {
    const turn = this.#queue.then(() => this.#alone(body))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async #alone<T>(body: (held: Held) => Promise<T> | T): Promise<T> {
    let lost = false
    const release = await this.#acquire(() => {
      lost = true
    })
    try {
      return await body({
        check: () => {
          if (lost) throw lostError()
        },
      })
    } finally {
      // Releasing a lock that another process took over is refused; there is nothing left to release then.
      await release().catch(() => undefined)
    }
  }

  async #acquire(onLost: () => void): Promise<() => Promise<void>> {
    const deadline = performance.now() + this.#timeoutMs
    for (;;) {
      try {
        return await lockfile.lock(this.#path, {
          lockfilePath: this.#path,
          realpath: false,
          stale: STALE_MS,
          update: SIGN_OF_LIFE_MS,
          retries: 0,
          onCompromised: onLost,
        })
      } catch (error) {
        if (systemCode(error) !== 'ELOCKED') throw storageError('The data folder cannot be locked', error)
        if (performance.now() > deadline) {
          throw new MnemosError(
            'LOCKED',
            `Another process has held the data folder for ${Math.round(this.#timeoutMs / 1000)} seconds; nothing was changed.`,
            'Try again; if no other host is running, remove the folder ".lock" in the data folder.',
          )
        }
        await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)
      }
    }
  }
}

const lostError = () =>
  new MnemosError(
    'LOCKED',
    'Another process took over the lock of the data folder while this one was held up; nothing was changed.',
    'Try again.',
  )
