/** One kind of entries in a data folder: looked at, reported on, read, and saved only as the person was shown. */

import { join } from 'node:path'
import { type Disk, readingError } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { Place } from '../store/places.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { entryFolderFaultOf } from './fault.ts'
import { EntryFolder, LOOK_MS } from './folder.ts'
import type { EntryKind, Named } from './kind.ts'
import type { Look, StoredEntry } from './look.ts'
import { entryPlace } from './place.ts'
import { prepareSave, type SaveDraft, type Saved, type SaveMode, type SaveParts, writeSave } from './save.ts'

export class EntryRoom<E extends Named> {
  readonly folder: EntryFolder<E>
  readonly #store: Store
  readonly #parts: SaveParts<E>
  readonly #looked: (look: Look<E>) => void
  #entries: readonly E[] = []

  /** @param looked told of every look that succeeded, for what the kind itself reports. */
  constructor(store: Store, disk: Disk, kind: EntryKind<E>, looked: (look: Look<E>) => void = () => {}) {
    this.#store = store
    this.#looked = looked
    this.folder = new EntryFolder(disk, kind, join(store.layout.root, kind.folder))
    this.#parts = { store, disk, folder: this.folder, look: () => this.look() }
  }

  /**
   * Looks at the folder and reports what is skipped. Never throws: where the folder cannot be looked at, what was seen
   * last stands.
   */
  look(): void {
    const { kind, root } = this.folder
    const { noun } = kind
    const report = this.#store.report.bind(this.#store)
    try {
      const look = this.folder.look(LOOK_MS)
      this.#entries = look.entries
      const files = look.bad.map(({ file, fault }) => ({ path: `${kind.folder}/${file}`, fault }))
      const count = look.later.length
      report(`${noun} files`, files.length === 0 ? undefined : { code: 'BAD_ENTRIES', files })
      report(`${noun} time`, count === 0 ? undefined : { code: 'ENTRIES_NOT_LOOKED_AT', noun, count })
      report(noun, undefined)
      this.#looked(look)
    } catch (error) {
      report(noun, { code: 'ENTRY_FOLDER', noun, root, fault: entryFolderFaultOf(error) })
    }
  }

  /** The entries of the last look, in the order of their names. */
  get entries(): readonly E[] {
    return this.#entries
  }

  /** @throws MnemosError NOT_FOUND, or what is wrong with its file. */
  view(name: string): { entry: E; file: string } {
    this.look()
    const { kind } = this.folder
    // Any other name may be a way out of the folder.
    const stored = kind.isName(name) ? this.#stored(name) : undefined
    if (stored) return { entry: stored.entry, file: this.folder.pathOf(name) }
    throw new MnemosError(
      'NOT_FOUND',
      `There is no ${kind.noun} "${name}".`,
      `The index in view has the names; so has mnemos ${kind.folder} list.`,
    )
  }

  #stored(name: string): StoredEntry<E> | undefined {
    try {
      return this.folder.read(name)
    } catch (error) {
      throw readingError(`"${name}" cannot be read`, error)
    }
  }

  /** What a save would write: {@link prepareSave}. */
  prepare(mode: SaveMode, wanted: E, context: TurnContext): Promise<SaveDraft<E>> {
    return prepareSave(this.#parts, mode, wanted, context)
  }

  /** Writes what the person was shown: {@link writeSave}. */
  save(draft: SaveDraft<E>, context: TurnContext): Promise<Saved> {
    return writeSave(this.#parts, draft, context)
  }

  /** The folder among the places that hold record text. */
  place(): Place {
    return entryPlace(this.folder)
  }
}
