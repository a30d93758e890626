/**
 * The registry of places that hold record text. Deleting a record walks all of them, so a part of the program
 * that stores text of a record anywhere registers that place here, and nowhere else needs to know of it.
 */
import { reasonOf } from '../base/errors.ts'

/** A deleted record and the text that is to be gone with it. */
export interface DeletedText {
  id: string
  /** The record's files, relative to the memories folder. */
  paths: readonly string[]
  /** What those files hold; empty when they are gone already. */
  texts: readonly string[]
  /** Ids that those files name: what it was made from. */
  sources: readonly string[]
  /** What it corrected. */
  earlier: readonly string[]
  /** What corrected it. */
  later: readonly string[]
}

/** A file that stays after a deletion and holds the same words, or the record's name. */
export interface Alike {
  /**
   * A record in its own right; a record that was made from it, where the words cannot be cut; a record that points to the
   * name that a person chose for it, and holds no words; an entry of the user memory; a file that is skipped; or it is not known whether it holds them, and `file` may be a folder.
   */
  what: 'record' | 'made' | 'naming' | 'entry' | 'skipped' | 'unknown'
  /** Relative to the data folder. */
  file: string
  /** The record that it is; undefined where it is none. */
  record?: string
  /** Its workspace. */
  workspace?: string | undefined
  /** Why it is not known. */
  reason?: string
}

/** A record that loses the words that it has from a deleted one. */
export interface CutRecord {
  id: string
  /** As it was before. */
  summary: string
  workspace: string | undefined
}

export interface Place {
  /** As a person reads it: "record files", "search index". */
  name: string
  /** A folder of its own below the data folder: what killed writes left in it is removed when the data folder is opened. */
  folder?: string
  /** What lies there stays on its own: it is not named among what was cleared. */
  stays?: boolean
  /** It compares with the deleted text, so it is cleared while the record's own files are still there. */
  needsText?: boolean
  /**
   * Removes every trace of these records' text. Called under the lock. Throws when something is left.
   * @param onCut told of each record that stays and lost words.
   */
  erase(deleted: readonly DeletedText[], onCut: (record: CutRecord) => void): void | Promise<void>
  /**
   * Files that hold the same words and stay: they are named. Asked once the place is cleared. Must not throw: what stays
   * is no part of the deletion.
   */
  alike?(deleted: readonly DeletedText[]): readonly Alike[]
}

/** A place that is not cleared. */
export interface Left {
  place: string
  /** Undefined where it was not begun, because of one that had to come before it. */
  reason?: string
}

export interface Erasure {
  erased: string[]
  /** Places that are not cleared, the one that keeps the others waiting first. */
  left: Left[]
  /** Records that lost words: made from what was deleted, or given a reason by it. */
  cut: CutRecord[]
  /** Files that hold the same words, and stay. */
  alike: Alike[]
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

  /** The folders of their own that places have, below the data folder. */
  folders(): string[] {
    return this.#places.flatMap(({ folder }) => folder ?? [])
  }

  /** What they are called. */
  get names(): string[] {
    return this.#places.map(({ name }) => name)
  }

  /**
   * Walks every place; one that fails does not keep the others from being cleared. Only where one that needs the
   * text fails, the rest waits: the record's files go last.
   */
  async erase(deleted: readonly DeletedText[]): Promise<Erasure> {
    const erasure: Erasure = { erased: [], left: [], cut: [], alike: [] }
    let isWaiting = false
    const inTurn = [...this.#places].sort(
      (a, b) => Number(b.needsText ?? false) - Number(a.needsText ?? false),
    )
    for (const place of inTurn) {
      if (!place.needsText && isWaiting) {
        erasure.left.push({ place: place.name })
        continue
      }
      try {
        await place.erase(deleted, (record) => erasure.cut.push(record))
        if (!place.stays) erasure.erased.push(place.name)
        erasure.alike.push(...(place.alike?.(deleted) ?? []))
      } catch (error) {
        erasure.left.push({ place: place.name, reason: reasonOf(error) })
        isWaiting ||= place.needsText ?? false
      }
    }
    return erasure
  }
}
