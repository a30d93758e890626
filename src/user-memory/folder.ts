/** The folder of the user memory as it lies on disk: its entries, and the files that are none. */
import type { Disk, Stamp } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { RecordFiles, unfit } from '../memory/record-files.ts'
import { type Entry, FILE_BYTES, parseEntry } from './entry.ts'

/** Files that are looked at, in the order of their names; what lies beyond is named and not read. */
const FILES = 1_000

export interface Held {
  entry: Entry
  /** The file's text. */
  text: string
}

export interface BadFile {
  /** Relative to the folder. */
  file: string
  reason: string
}

export interface Look {
  /** In the order of their names. */
  entries: Entry[]
  bad: BadFile[]
  /** Names of files that are not looked at, since there are too many. */
  beyond: string[]
}

type Seen = { stamp: Stamp } & ({ held: Held } | { reason: string })

/** Whether a file is as it was when it was read. */
const unchanged = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.links === b.links && a.kind === b.kind

export class UserMemoryFolder {
  readonly root: string
  readonly #disk: Disk
  /** For writing: the same temporary files and last looks as for records. */
  readonly files: RecordFiles
  #seen = new Map<string, Seen>()

  constructor(disk: Disk, root: string) {
    this.#disk = disk
    this.root = root
    this.files = new RecordFiles(disk, root)
  }

  /**
   * Looks at every file; only those that changed since the last look are read.
   * @throws what the disk says when the folder cannot be listed.
   */
  look(): Look {
    // A file in the folder's place has no entries; to say nothing of it would be to lose the memory silently.
    if (this.#disk.stamp(this.root)?.kind === 'file')
      throw new MnemosError('STORAGE', 'a file stands where the folder should be')
    const names = (this.#disk.list(this.root) ?? [])
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .sort((a, b) => (stem(a) < stem(b) ? -1 : 1))
    const look: Look = { entries: [], bad: [], beyond: names.slice(FILES).map(stem) }
    const seen = new Map<string, Seen>()
    for (const name of names.slice(0, FILES)) {
      const one = this.#see(name)
      if (!one) continue
      seen.set(name, one)
      if ('held' in one) look.entries.push(one.held.entry)
      else look.bad.push({ file: name, reason: one.reason })
    }
    this.#seen = seen
    return look
  }

  /**
   * What the file of a name holds now; undefined where there is none.
   * @throws MnemosError where it cannot be read as an entry.
   */
  read(name: string): Held | undefined {
    const one = this.#see(`${name}.md`, false)
    if (!one) return undefined
    if ('held' in one) return one.held
    throw new MnemosError(
      'STORAGE',
      `The file ${this.pathOf(name)} cannot be read: ${one.reason}.`,
      'The person can mend or remove it.',
    )
  }

  /** Absolute. */
  pathOf(name: string): string {
    return this.files.absolute(`${name}.md`)
  }

  #see(file: string, mayKnow = true): Seen | undefined {
    const stamp = this.#disk.stamp(this.files.absolute(file))
    if (!stamp) return undefined
    const known = this.#seen.get(file)
    if (mayKnow && known && unchanged(known.stamp, stamp)) return known
    const reason = unfit(stamp, FILE_BYTES)
    if (reason !== undefined) return { stamp, reason }
    try {
      const bytes = this.#disk.read(this.files.absolute(file), FILE_BYTES)
      if (!bytes) return undefined
      return { stamp, held: { text: bytes.toString('utf8'), entry: parseEntry(bytes, stem(file)) } }
    } catch (error) {
      return { stamp, reason: reasonOf(error) }
    }
  }
}

const stem = (file: string): string => file.slice(0, -'.md'.length)
