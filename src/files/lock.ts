/** The write lock of a data folder, across processes and within this one. */
import { setTimeout as sleep } from 'node:timers/promises'
import lockfile from 'proper-lockfile'
import { type Disk, storageError } from '../base/disk.ts'
import { MnemosError, systemCode } from '../base/errors.ts'
import { type LockFolders, lockFoldersOn } from './lock-folder.ts'

/** After this long without a sign of life a lock counts as abandoned by a killed process. */
const STALE_MS = 10_000
const SIGN_OF_LIFE_MS = 2_000
const RETRY_MIN_MS = 8
const RETRY_SPREAD_MS = 40
/** Nobody else tries meanwhile. */
const OWN_TURN_MS = 2
/** Who has waited for so long reserves the next turn. */
const IMPATIENT_MS = 300

/** A lock while it is held. */
export interface HeldLock {
  /**
   * Called just before each change becomes visible.
   * @throws MnemosError LOCKED when the lock is no longer ours, STORAGE or READ_ONLY when that cannot be told.
   */
  check(): void
}

/** The lock at one path. Its life is that of the folder which it protects. */
export class DataLock {
  readonly #path: string
  readonly #timeoutMs: number
  readonly #watchMs: number
  readonly #signOfLifeMs: number
  readonly #folders: LockFolders
  #queue: Promise<unknown> = Promise.resolve()

  /**
   * @param timeoutMs how long it is waited for.
   * @param watchMs how long a lock shows no sign of life while it is waited for, before it counts as abandoned.
   * @param signOfLifeMs how often this one shows a sign of life; at least a second.
   */
  constructor(
    disk: Disk,
    path: string,
    timeoutMs: number,
    watchMs = STALE_MS,
    signOfLifeMs = SIGN_OF_LIFE_MS,
  ) {
    this.#path = path
    this.#timeoutMs = timeoutMs
    this.#watchMs = watchMs
    this.#signOfLifeMs = signOfLifeMs
    this.#folders = lockFoldersOn(disk)
  }

  /**
   * Runs `body` with the lock held. Callers of one process wait in line, so that none of them starves.
   * @param timeoutMs default: as configured for writes.
   * @throws MnemosError LOCKED when another process keeps it for longer than that, STORAGE or READ_ONLY when the disk
   * refuses; and what `body` throws.
   */
  run<T>(body: (held: HeldLock) => Promise<T> | T, timeoutMs = this.#timeoutMs): Promise<T> {
    const turn = this.#queue.then(() => this.#alone(body, timeoutMs))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  async #alone<T>(body: (held: HeldLock) => Promise<T> | T, timeoutMs: number): Promise<T> {
    let lost = false
    const release = await this.#acquire(timeoutMs, () => {
      lost = true
    })
    try {
      return await body({
        check: () => {
          if (lost || !this.#isOurs()) throw lostError()
        },
      })
    } finally {
      await this.#release(release)
    }
  }

  #isOurs(): boolean {
    try {
      return this.#folders.isOurs(this.#path)
    } catch (error) {
      throw storageError('The lock of the data folder cannot be looked at', error)
    }
  }

  async #release(release: () => Promise<void>): Promise<void> {
    let isOurs = true
    try {
      isOurs = this.#isOurs()
    } catch {
      // Where that cannot be told the library must let go all the same: its timer would keep the lock alive as long as
      // this process lives. Should it have become another's, that process sees by its own check that it is gone.
    }
    // One that another process took over is not ours to release: that would remove theirs.
    // What cannot be removed is taken over after a while.
    if (isOurs) await release().catch(() => undefined)
  }

  async #acquire(timeoutMs: number, onLost: () => void): Promise<() => Promise<void>> {
    const from = performance.now()
    const watch = new LockWatch(this.#folders, this.#path, this.#watchMs)
    const turn = new LockTurn(this.#folders, `${this.#path}-next`, this.#watchMs)
    try {
      for (;;) {
        const release = turn.isAnothers() ? undefined : await this.#try(onLost)
        if (release) return release
        this.#folders.removeIfOwnerEnded(this.#path)
        watch.look()
        const waitedMs = performance.now() - from
        if (waitedMs > timeoutMs) throw heldError(timeoutMs)
        if (waitedMs > IMPATIENT_MS) turn.reserve()
        await sleep(turn.isOurs ? OWN_TURN_MS : RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)
      }
    } finally {
      turn.giveUp()
    }
  }

  /** Takes the lock; undefined where another process has it. */
  async #try(onLost: () => void): Promise<(() => Promise<void>) | undefined> {
    try {
      return await lockfile.lock(this.#path, {
        lockfilePath: this.#path,
        realpath: false,
        stale: STALE_MS,
        update: this.#signOfLifeMs,
        retries: 0,
        fs: this.#folders.calls,
        onCompromised: onLost,
      })
    } catch (error) {
      if (systemCode(error) === 'ELOCKED') return undefined
      throw storageError('The data folder cannot be locked', error)
    }
  }
}

/**
 * The turn after the present holder's: whoever has waited for a while reserves it, and until then nobody else tries. Without
 * it one process of several that write all the time may wait for as long as they do.
 */
class LockTurn {
  readonly #folders: LockFolders
  readonly #path: string
  readonly #watch: LockWatch
  #isReserved = false

  constructor(folders: LockFolders, path: string, watchMs: number) {
    this.#folders = folders
    this.#path = path
    this.#watch = new LockWatch(folders, path, watchMs)
  }

  get isOurs(): boolean {
    return this.#isReserved
  }

  /** Whether another process has it. */
  isAnothers(): boolean {
    if (this.#isReserved || this.#folders.stateOf(this.#path) === undefined) return false
    this.#folders.removeIfOwnerEnded(this.#path)
    this.#watch.look()
    return true
  }

  reserve(): void {
    if (this.#isReserved) {
      this.#folders.refresh(this.#path)
      return
    }
    try {
      this.#folders.take(this.#path)
      this.#isReserved = true
    } catch {
      // Another process has it, or the disk refuses: then this one waits without a turn.
    }
  }

  giveUp(): void {
    if (this.#isReserved) this.#folders.release(this.#path)
    this.#isReserved = false
  }
}

const heldError = (timeoutMs: number) =>
  new MnemosError(
    'LOCKED',
    `Another process has held the data folder for ${Math.round(timeoutMs / 1000)} seconds; nothing was changed.`,
    'Try again; if no other host is running, remove the folder ".lock" in the data folder.',
  )

/**
 * What a lock does while it is waited for. The library tells an abandoned one by its time, which a clock that was set
 * back, a restored copy or another machine may have put into the future: then it would never be one. What shows no sign
 * of life for as long as we look at it is abandoned, whatever its time says.
 */
class LockWatch {
  readonly #folders: LockFolders
  readonly #lock: string
  readonly #watchMs: number
  #state: string | undefined
  #since = performance.now()

  constructor(folders: LockFolders, lock: string, watchMs: number) {
    this.#folders = folders
    this.#lock = lock
    this.#watchMs = watchMs
  }

  /** Looks at the lock once more, and removes it where it has shown no sign of life for too long. */
  look(): void {
    const state = this.#folders.stateOf(this.#lock)
    if (state !== this.#state) {
      this.#state = state
      this.#since = performance.now()
    } else if (state !== undefined && performance.now() - this.#since > this.#watchMs)
      this.#folders.removeAbandoned(this.#lock, state)
  }
}

const lostError = () =>
  new MnemosError(
    'LOCKED',
    'Another process took over the lock of the data folder while this one was held up; nothing was changed.',
    'Try again.',
  )
