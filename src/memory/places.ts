/**
 * The registry of places that hold record text. Deleting a record walks all of them, so a part of the program
 * that stores text of a record anywhere registers that place here, and nowhere else needs to know of it.
 */
import { reasonOf } from '../base/errors.ts'

export interface Doomed {
  id: string
  /** The record's files, relative to the memories folder. */
  paths: readonly string[]
}

export interface Place {
  /** As a person reads it: "record files", "search index". */
  name: string
  /** Removes every trace of these records' text. Called under the lock. Throws when something is left. */
  erase(doomed: readonly Doomed[]): void | Promise<void>
}

export interface Erasure {
  erased: string[]
  /** Places that could not be cleared, each with its reason. */
  left: { place: string; reason: string }[]
}

export class Places {
  readonly #places: Place[] = []

  /** Adds a place. Returns its disposer. */
  register(place: Place): () => void {
    this.#places.push(place)
    return () => {
      const at = this.#places.indexOf(place)
      if (at >= 0) this.#places.splice(at, 1)
    }
  }

  /** Walks every place; one that fails does not keep the others from being cleared. */
  async erase(doomed: readonly Doomed[]): Promise<Erasure> {
    const erasure: Erasure = { erased: [], left: [] }
    for (const place of this.#places) {
      try {
        await place.erase(doomed)
        erasure.erased.push(place.name)
      } catch (error) {
        erasure.left.push({ place: place.name, reason: reasonOf(error) })
      }
    }
    return erasure
  }
}
