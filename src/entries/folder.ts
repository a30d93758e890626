/** The folder of a kind of entries as it lies on disk: its entries, and the files that are none. */
import type { Disk, ReplaceOptions, Stamp } from '../base/disk.ts'
import { RecordFiles, unfit } from '../files/record-files.ts'
import { stampToNote } from '../files/stamps.ts'
import { type EntryFileFault, entryFaultOf, NoEntryFolder, UnreadableEntry } from './fault.ts'
import type { EntryKind, Named } from './kind.ts'
import type { Look, StoredEntry } from './look.ts'

/** Files that are looked at, in the order of their names; what lies beyond is named and not read. */
const FILES = 1_000

/** How long a look at a turn's start may take, milliseconds; a thousand ordinary files take a fraction. */
export const LOOK_MS = 500

type SeenEntry<E> = { stamp: Stamp } & ({ stored: StoredEntry<E> } | { fault: EntryFileFault })

/** Whether a file is as it was when it was read. */
const unchanged = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.links === b.links && a.kind === b.kind

/** Writes only into a real folder, asked at the last moment: through a link it would write anywhere. */
class RealFiles extends RecordFiles {
  readonly #assertReal: () => void

  constructor(disk: Disk, root: string, assertReal: () => void) {
    super(disk, root)
    this.#assertReal = assertReal
  }

  override write(
    path: string,
    text: string,
    hooks: Pick<ReplaceOptions, 'beforeRename' | 'afterRename' | 'mtimeMs'> = {},
  ) {
    this.#assertReal()
    return super.write(path, text, {
      ...hooks,
      beforeRename: () => {
        this.#assertReal()
        hooks.beforeRename?.()
        this.#assertReal()
      },
    })
  }
}

export class EntryFolder<E extends Named> {
  readonly root: string
  readonly kind: EntryKind<E>
  readonly disk: Disk
  /** Milliseconds, from anywhere. */
  readonly #now: () => number
  /** For writing: the same temporary files and last looks as for records. */
  readonly files: RecordFiles
  #seen = new Map<string, SeenEntry<E>>()
  /** The file at which time ran out: the next look begins there, so that each one has its turn. */
  #next: string | undefined

  /** @param root the folder, absolute. */
  constructor(disk: Disk, kind: EntryKind<E>, root: string, now = () => performance.now()) {
    this.disk = disk
    this.kind = kind
    this.#now = now
    this.root = root
    this.files = new RealFiles(disk, root, () => this.assertReal())
  }

  /** Whether it is a folder, or nothing yet. */
  isReal(): boolean {
    return (this.disk.stamp(this.root)?.kind ?? 'folder') === 'folder'
  }

  /** @throws NoEntryFolder where something else than a folder stands in its place. */
  assertReal(): void {
    const kind = this.disk.stamp(this.root)?.kind ?? 'folder'
    if (kind === 'folder') return
    throw new NoEntryFolder({ noun: this.kind.noun, root: this.root }, { code: 'IN_PLACE_OF_FOLDER', kind })
  }

  /**
   * Looks at every file; only those that changed since the last look are read.
   * @param limit milliseconds after which no further file is looked at.
   * @throws what the disk says when the folder cannot be listed.
   */
  look(limit = Number.POSITIVE_INFINITY): Look<E> {
    const until = this.#now() + limit
    // Something else in the folder's place has no entries; to say nothing of it would be to lose the memory silently.
    this.assertReal()
    const names = (this.disk.list(this.root) ?? [])
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .sort((a, b) => (stem(a) < stem(b) ? -1 : 1))
    const near = names.slice(0, FILES)
    const later = this.#lookAgain(near, until)
    const look: Look<E> = {
      entries: [],
      bad: [],
      beyond: names.slice(FILES).map(stem),
      later: near.filter((name) => later.has(name)).map(stem),
      full: names.length >= FILES,
    }
    for (const name of near) {
      const one = this.#seen.get(name)
      if (!one) continue
      if ('stored' in one) look.entries.push(one.stored.entry)
      else look.bad.push({ file: name, fault: one.fault })
    }
    return look
  }

  /** Brings what is known of these files up to date. @returns those that there was no time for. */
  #lookAgain(names: readonly string[], until: number): ReadonlySet<string> {
    const seen = new Map<string, SeenEntry<E>>()
    const later = new Set<string>()
    const from = Math.max(0, this.#next === undefined ? 0 : names.indexOf(this.#next))
    this.#next = undefined
    for (const [at, name] of [...names.slice(from), ...names.slice(0, from)].entries()) {
      // One at least, or a slow disk would never let it come to an end.
      const inTime = later.size === 0 && (at === 0 || this.#now() < until)
      if (!inTime) {
        later.add(name)
        this.#next ??= name
      }
      const one = inTime ? this.#see(name) : this.#seen.get(name)
      if (one) seen.set(name, one)
    }
    this.#seen = seen
    return later
  }

  /**
   * What the file of a name holds now; undefined where there is none.
   * @throws UnreadableEntry, or NoEntryFolder.
   */
  read(name: string): StoredEntry<E> | undefined {
    this.assertReal()
    const one = this.#see(`${name}.md`, false)
    if (!one) return undefined
    if ('stored' in one) return one.stored
    throw new UnreadableEntry(one.fault, `${this.kind.folder}/${name}.md`)
  }

  /** Whether something stands at a name that is no file, as a link put there. */
  isOther(name: string): boolean {
    return (this.disk.stamp(this.pathOf(name))?.kind ?? 'file') !== 'file'
  }

  /** Absolute. */
  pathOf(name: string): string {
    return this.files.absolute(`${name}.md`)
  }

  #see(file: string, mayKnow = true): SeenEntry<E> | undefined {
    const now = this.disk.stamp(this.files.absolute(file))
    if (!now) return undefined
    const stamp = stampToNote(now, Date.now())
    const known = this.#seen.get(file)
    const isKnown = known !== undefined && !('fault' in known && known.fault.code === 'UNREADABLE')
    if (mayKnow && isKnown && unchanged(known.stamp, now)) return known
    const fault = unfit(stamp, this.kind.fileBytes)
    if (fault !== undefined) return { stamp, fault }
    try {
      const bytes = this.disk.read(this.files.absolute(file), this.kind.fileBytes)
      if (!bytes) return undefined
      return { stamp, stored: { text: bytes.toString('utf8'), entry: this.kind.parse(bytes, stem(file)) } }
    } catch (error) {
      return { stamp, fault: entryFaultOf(error) }
    }
  }
}

const stem = (file: string): string => file.slice(0, -'.md'.length)
