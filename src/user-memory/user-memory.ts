/**
 * The user memory: facts that the person approved, in every session's view. What stands in it is decided by its files
 * alone; a save is written only as it was shown to the person.
 */

import type { Disk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import type { Place } from '../store/places.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { userMemoryPlace } from './deletion.ts'
import { drawIndex } from './drawing.ts'
import { type Entry, isName } from './entry.ts'
import { entryFolderFaultOf } from './fault.ts'
import { LOOK_MS, UserMemoryFolder } from './folder.ts'
import { prepareSave, type SaveDraft, type Saved, type SaveMode, type SaveParts, writeSave } from './save.ts'

export class UserMemory {
  readonly folder: UserMemoryFolder
  readonly #store: Store
  readonly #parts: SaveParts
  #entries: readonly Entry[] = []

  constructor(store: Store, disk: Disk) {
    this.#store = store
    this.folder = new UserMemoryFolder(disk, store.layout.userMemory)
    this.#parts = { store, disk, folder: this.folder, look: () => this.look() }
  }

  /**
   * Looks at the folder and reports what is skipped. Never throws: where the folder cannot be looked at, what was seen
   * last stands.
   */
  look(): void {
    const report = this.#store.report.bind(this.#store)
    try {
      const { entries, bad, beyond, later } = this.folder.look(LOOK_MS)
      this.#entries = entries
      const names = [...drawIndex(entries).left, ...beyond]
      const files = bad.map(({ file, fault }) => ({ path: `user-memory/${file}`, fault }))
      const count = later.length
      report('user memory files', files.length === 0 ? undefined : { code: 'BAD_ENTRIES', files })
      report('user memory index', names.length === 0 ? undefined : { code: 'ENTRIES_LEFT_OUT', names })
      report('user memory time', count === 0 ? undefined : { code: 'ENTRIES_NOT_LOOKED_AT', count })
      report('user memory', undefined)
    } catch (error) {
      const fault = entryFolderFaultOf(error)
      report('user memory', { code: 'ENTRY_FOLDER', root: this.folder.root, fault })
    }
  }

  /** The entries of the last look, in the order of their names. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The index as the last look found it; empty where there is nothing to show. */
  index(language: Language): string {
    return drawIndex(this.#entries, language).text
  }

  /** @throws MnemosError NOT_FOUND, or what is wrong with its file. */
  view(name: string): { entry: Entry; file: string } {
    this.look()
    // Any other name may be a way out of the folder.
    const stored = isName(name) ? this.folder.read(name) : undefined
    if (stored) return { entry: stored.entry, file: this.folder.pathOf(name) }
    throw new MnemosError(
      'NOT_FOUND',
      `There is no user memory "${name}".`,
      'The index in view has the names, each after its type.',
    )
  }

  /** What a save would write: {@link prepareSave}. */
  prepare(mode: SaveMode, wanted: Entry, context: TurnContext): Promise<SaveDraft> {
    return prepareSave(this.#parts, mode, wanted, context)
  }

  /** Writes what the person was shown: {@link writeSave}. */
  save(draft: SaveDraft, context: TurnContext): Promise<Saved> {
    return writeSave(this.#parts, draft, context)
  }

  /** The user memory among the places that hold record text. */
  place(): Place {
    return userMemoryPlace(this.folder)
  }
}
