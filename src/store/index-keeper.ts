/** The derived index while a folder is open: opening it, losing it, and opening it anew when it is damaged. */
import { MnemosError, reasonOf } from '../base/errors.ts'
import { IndexDamaged } from '../search/index/driver.ts'
import type { RecordIndex } from '../search/index/record-index.ts'

/** After a failure of the index it is tried again this much later. */
const RETRY_MS = 5_000

interface IndexState {
  index: RecordIndex | undefined
  /** Why there is none; undefined while there is one. */
  unavailable: string | undefined
  /** When opening it is to be tried again; never where the driver does not load. */
  retryAt: number
}

export class IndexKeeper {
  readonly #openIndex: () => RecordIndex
  readonly #dropIndex: () => void
  #state: IndexState = { index: undefined, unavailable: 'The search index is not open.', retryAt: 0 }
  #opening = false

  constructor(openIndex: () => RecordIndex, dropIndex: () => void) {
    this.#openIndex = openIndex
    this.#dropIndex = dropIndex
  }

  /** Opens the index, and hands it to `take`. Never throws. */
  open(take: (index: RecordIndex) => void): void {
    this.#state.index?.close()
    try {
      const index = this.#openIndex()
      this.#state = { index, unavailable: undefined, retryAt: 0 }
      take(index)
    } catch (error) {
      this.#lose(error)
    }
  }

  /** There is none, and it is time to try again. */
  get isDue(): boolean {
    return !this.#state.index && performance.now() >= this.#state.retryAt
  }

  /** It was empty when it was opened. */
  get isNew(): boolean {
    return this.#state.index?.fresh ?? false
  }

  get unavailable(): string | undefined {
    return this.#state.unavailable
  }

  /** Removes its file; it is to be opened again. */
  drop(): void {
    this.#state.index?.close()
    this.#dropIndex()
  }

  /**
   * Does something with the index; undefined where there is none.
   * @param reopen called for a damaged one, which is asked once more then: it drops what is broken and fills it again.
   * @throws MnemosError LOCKED while another process keeps it.
   */
  use<T>(action: (index: RecordIndex) => T, reopen: () => void): T | undefined {
    for (let attempt = 1; this.#state.index; attempt++) {
      try {
        return action(this.#state.index)
      } catch (error) {
        if (error instanceof MnemosError && error.code === 'LOCKED') throw error
        if (!(error instanceof IndexDamaged) || attempt > 1 || this.#opening) return this.#lose(error)
        this.#opening = true
        try {
          reopen()
        } finally {
          this.#opening = false
        }
      }
    }
    return undefined
  }

  /** The index is derived: when it fails, writing and opening go on without it, and recall says why. */
  #lose(error: unknown): undefined {
    this.#state.index?.close()
    const never = error instanceof MnemosError && error.code === 'UNAVAILABLE'
    this.#state = {
      index: undefined,
      unavailable: reasonOf(error),
      retryAt: never ? Number.POSITIVE_INFINITY : performance.now() + RETRY_MS,
    }
    return undefined
  }

  close(): void {
    this.#state.index?.close()
    this.#state = { index: undefined, unavailable: 'The store is closed.', retryAt: Number.POSITIVE_INFINITY }
  }
}
