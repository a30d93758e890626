/**
 * The user memory: facts that the person approved, in every session's view. What stands in it is decided by its files
 * alone; a save is written only as it was shown to the person.
 */
import { iso } from '../base/clock.ts'
import { type Disk, storageError } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { EditedMeanwhile, put } from '../files/put.ts'
import { holdsVerbatim, verbatimOf } from '../record/verbatim.ts'
import type { EntryWrite } from '../store/change.ts'
import type { Alike, Place } from '../store/places.ts'
import { badFilesSentence } from '../store/problems.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { drawIndex } from './drawing.ts'
import {
  type Entry,
  FILE_BYTES,
  isName,
  parseEntry,
  plainDetails,
  sameEntry,
  textOf,
  wrongIn,
} from './entry.ts'
import { type Held, LOOK_MS, UserMemoryFolder } from './folder.ts'

export const MODES = ['create', 'overwrite'] as const

/** What a save would write, and what it starts from: shown to the person, and bound to it. */
export interface Draft {
  mode: (typeof MODES)[number]
  entry: Entry
  /** The whole new text of the file. */
  text: string
  /** Absolute. */
  file: string
  /** The entry that it replaces. */
  before: Held | undefined
  /** What the gates have to say of it. */
  warnings: string[]
}

export interface Saved {
  file: string
  warnings: string[]
}

/** Names that are told in one sentence; the rest is counted. */
const NAMED = 3

const MERGE = 'Merge or shorten what is there, and say so to the person.'

export class UserMemory {
  readonly folder: UserMemoryFolder
  readonly #store: Store
  readonly #disk: Disk
  #entries: readonly Entry[] = []

  constructor(store: Store, disk: Disk) {
    this.#store = store
    this.#disk = disk
    this.folder = new UserMemoryFolder(disk, store.layout.userMemory)
  }

  /**
   * Looks at the folder; what is skipped is said aloud. Never throws: where the folder cannot be looked at, what was
   * seen last stands.
   */
  look(): void {
    try {
      const { entries, bad, beyond, later } = this.folder.look(LOOK_MS)
      this.#entries = entries
      const left = [...drawIndex(entries).left, ...beyond]
      this.#store.report(
        'user memory files',
        bad.length === 0
          ? undefined
          : badFilesSentence(bad.map(({ file, reason }) => ({ path: `user-memory/${file}`, reason }))),
      )
      this.#store.report('user memory index', left.length === 0 ? undefined : leftSentence(left))
      this.#store.report('user memory time', later.length === 0 ? undefined : laterSentence(later.length))
      this.#store.report('user memory', undefined)
    } catch (error) {
      this.#store.report(
        'user memory',
        `The user memory in ${this.folder.root} cannot be looked at (${reasonOf(error)}).`,
      )
    }
  }

  /** The entries of the last look, in the order of their names. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The index as the last look found it; empty where there is nothing to show. */
  index(): string {
    return drawIndex(this.#entries).text
  }

  /** @throws MnemosError NOT_FOUND, or what is wrong with its file. */
  view(name: string): { entry: Entry; file: string } {
    this.look()
    // Any other name may be a way out of the folder.
    const held = isName(name) ? this.folder.read(name) : undefined
    if (held) return { entry: held.entry, file: this.folder.pathOf(name) }
    throw new MnemosError(
      'NOT_FOUND',
      `There is no user memory "${name}".`,
      'The index in view has the names, each after its type.',
    )
  }

  /**
   * What a save would write. Everything that can refuse it refuses it here, before the person is asked.
   * @throws MnemosError when nothing could be written.
   */
  async prepare(mode: Draft['mode'], wanted: Entry, context: TurnContext): Promise<Draft> {
    await this.#store.open()
    if (this.#store.readOnly !== undefined)
      throw new MnemosError('READ_ONLY', `${this.#store.readOnly} Nothing was saved.`)
    const asked: Entry = { ...wanted, summary: wanted.summary.trim(), details: plainDetails(wanted.details) }
    assertSound(asked)
    this.#assertReal(asked.name)
    const before = this.folder.read(asked.name)
    if (mode === 'create' && before)
      throw new MnemosError(
        'INVALID_INPUT',
        `There is a user memory "${asked.name}" already.`,
        'Read it with memory_view and use mode overwrite, or take another name.',
      )
    if (mode === 'overwrite' && !before)
      throw new MnemosError(
        'NOT_FOUND',
        `There is no user memory "${asked.name}" to overwrite.`,
        'Use mode create.',
      )
    // The person is shown what the gates make of it.
    const { entry, warnings } = await this.#admit(mode, asked, before, context)
    const text = textOf(entry)
    assertKept(entry, text)
    this.#assertRoom(entry)
    return { mode, entry, text, file: this.folder.pathOf(entry.name), before, warnings }
  }

  /**
   * What the gates make of an entry.
   * @throws MnemosError where one refuses it, or makes something of it that is no entry.
   */
  async #admit(
    mode: Draft['mode'],
    entry: Entry,
    before: Held | undefined,
    context: TurnContext,
  ): Promise<{ entry: Entry; warnings: string[] }> {
    const { name } = entry
    const write: EntryWrite = {
      what: 'entry',
      room: ROOM,
      act: mode,
      name,
      texts: textsOf(entry),
      previous: before && textsOf(before.entry),
    }
    const { change, warnings } = await this.#store.admission.admit([write], context)
    const [admitted, ...others] = change
    if (admitted?.what !== 'entry' || admitted.name !== name || others.length > 0)
      throw new MnemosError(
        'REFUSED',
        [`A check does not let "${name}" be saved; nothing was written.`, ...warnings].join(' '),
      )
    const { summary = entry.summary, details = entry.details } = admitted.texts
    const next: Entry = { ...entry, summary: summary.trim(), details: plainDetails(details) }
    assertSound(next)
    return { entry: next, warnings }
  }

  /**
   * Writes what the person was shown, if the file is still as it was then.
   * @throws MnemosError when nothing was written.
   */
  save(draft: Draft, context: TurnContext): Promise<Saved> {
    const { entry, text, before, file } = draft
    const path = `${entry.name}.md`
    return this.#store.locked(async ({ held, ledger, clock }) => {
      // Asked once more: what the person was shown must still be what may be written.
      const admitted = await this.#admit(draft.mode, entry, before, context)
      if (!sameEntry(admitted.entry, entry)) throw changed(entry.name)
      this.#assertReal(entry.name)
      if (this.folder.isOther(entry.name)) throw changed(entry.name)
      this.#assertRoom(entry)
      let replaced: string | undefined
      try {
        replaced = put({ disk: this.#disk, files: this.folder.files }, path, text, before?.text, held)
      } catch (error) {
        this.#assertReal(entry.name)
        if (error instanceof EditedMeanwhile || this.folder.isOther(entry.name)) throw changed(entry.name)
        throw storageError(`"${entry.name}" could not be saved`, error)
      }
      if (replaced !== undefined) {
        // An editor saved into the replaced file within the last microseconds: what the person wrote goes back.
        this.folder.files.write(path, replaced)
        throw changed(entry.name)
      }
      const warnings: string[] = []
      try {
        ledger.append([
          {
            at: iso(clock.now()),
            act: 'user-memory',
            // Not the bare name: a record may bear the same.
            id: `user-memory/${entry.name}`,
            by: context.author,
            ...(context.session ? { session: context.session.id } : {}),
            rev: [null, null],
          },
        ])
      } catch (error) {
        warnings.push(`It is saved, but the ledger could not be written (${reasonOf(error)}).`)
      }
      this.look()
      return { file, warnings }
    })
  }

  /**
   * The user memory among the places that hold record text. Its files were approved by the person one by one and are
   * made from no record, so a deletion changes none of them; those that hold the same words are named. What a killed
   * write left is removed.
   */
  place(): Place {
    return {
      name: 'user memory',
      erase: () => {
        const { files } = this.folder
        if (!this.folder.isReal()) return
        files.sweep(files.scan().temporary.filter((path) => !path.includes('/')))
      },
      alike: (deleted) => {
        const verbatim = verbatimOf(deleted.flatMap(({ texts }) => texts))
        return verbatim.size === 0 ? [] : this.#holding(verbatim)
      },
    }
  }

  #holding(verbatim: ReadonlySet<string>): Alike[] {
    try {
      return this.folder
        .look()
        .entries.filter(({ summary, details }) => holdsVerbatim([summary, details], verbatim))
        .map(({ name }) => ({ file: `user-memory/${name}.md` }))
    } catch (error) {
      // What lies there is not of the record, so it does not hold up the deletion.
      return [{ file: 'user-memory/', unknown: reasonOf(error) }]
    }
  }

  /** @throws MnemosError where something else stands in the folder's place; it is said reported, too. */
  #assertReal(name: string): void {
    try {
      this.folder.assertReal()
    } catch (error) {
      this.look()
      throw new MnemosError(
        'STORAGE',
        `"${name}" could not be saved: ${reasonOf(error)} (${this.folder.root}); nothing was written.`,
        'The person can put a folder in its place.',
        { cause: error },
      )
    }
  }

  /** @throws MnemosError where its line would not be in the index, or would put another out of it. */
  #assertRoom(entry: Entry): void {
    const { entries, beyond, full } = this.folder.look()
    const isThere = this.#disk.stamp(this.folder.pathOf(entry.name)) !== undefined
    if (isThere ? beyond.includes(entry.name) : full)
      throw new MnemosError(
        'INVALID_INPUT',
        `The user memory has too many files: "${entry.name}" would not be in the index.`,
        MERGE,
      )
    const now = drawIndex(entries).left
    const others = entries.filter(({ name }) => name !== entry.name)
    const then = drawIndex([...others, entry].sort((a, b) => (a.name < b.name ? -1 : 1))).left
    if (then.length <= now.length && !then.includes(entry.name)) return
    throw new MnemosError('INVALID_INPUT', `The user memory is full: "${entry.name}" does not fit.`, MERGE)
  }
}

/** Whose texts these are, for the gates. */
const ROOM = 'user-memory'

const textsOf = ({ summary, details }: Entry) => ({ summary, details })

/** @throws MnemosError INVALID_INPUT where it is no entry. */
function assertSound(entry: Entry): void {
  const wrong = wrongIn(entry)
  if (wrong === undefined) return
  throw new MnemosError(
    'INVALID_INPUT',
    `"${entry.name}" cannot be saved: ${wrong}.`,
    /bytes/.test(wrong) ? 'Shorten it, or merge it into an entry that is there.' : '',
  )
}

/** @throws MnemosError where the file would not give back what was to be saved, or would be too large. */
function assertKept(entry: Entry, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > FILE_BYTES)
    throw new MnemosError(
      'INVALID_INPUT',
      `The file of "${entry.name}" would have ${bytes.length} bytes and may have ${FILE_BYTES}.`,
      MERGE,
    )
  let kept = false
  try {
    kept = sameEntry(parseEntry(bytes, entry.name), entry)
  } catch {
    // Then it is not kept.
  }
  if (!kept)
    throw new MnemosError(
      'INVALID_INPUT',
      `"${entry.name}" holds characters that a file cannot keep.`,
      'Leave out NUL and broken characters.',
    )
}

const changed = (name: string) =>
  new MnemosError(
    'CHANGED_MEANWHILE',
    `The user memory "${name}" was changed after it was shown; nothing was written.`,
    'Read it with memory_view, and ask again only if it is still wanted.',
  )

const laterSentence = (later: number): string =>
  `The user memory takes long to look at: ${later === 1 ? 'one file was' : `${later} files were`} not looked at in time and will be at the next turn; what was known of them stands.`

function leftSentence(left: readonly string[]): string {
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : ''
  const named = `${left.slice(0, NAMED).join(', ')}${more}`
  return `The user memory is over its limits: ${left.length === 1 ? 'one entry is' : `${left.length} entries are`} not in view (${named}). Merge, shorten or remove some in user-memory/.`
}
