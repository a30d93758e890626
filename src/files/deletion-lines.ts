/**
 * Every line of a data folder that tells of a deletion: of the tombstones, of the copies that a sync or an editor made of
 * that file, and of the ledger. What is damaged is read as far as it can be: a deletion that is forgotten in silence brings
 * text back that somebody wanted gone.
 */
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type Disk, TEMPORARY_PREFIX } from '../base/disk.ts'
import { type FileFault, faultOf } from './file-fault.ts'
import { type BadLine, journalText, LINE_END, parseJson, parseJsonl, utf16Of } from './jsonl.ts'
import type { Layout } from './layout.ts'
import { ledgerEntrySchema } from './ledger.ts'

/** A line of the tombstones. */
export const tombstoneSchema = z.object({
  /** As in the ledger: `ledgerId`. */
  id: z.string(),
  /** When it was deleted; ISO. */
  at: z.string(),
  /** When the deleted files were created, by themselves or, where they do not say it, by the file's time; ISO. */
  created: z.array(z.string()).optional(),
  /**
   * `created` names every file that was deleted, and nothing else is a copy of it. A line without it is of an earlier
   * version, which named only those that were created after the deletion.
   */
  exact: z.boolean().optional(),
})
export type TombstoneLine = z.output<typeof tombstoneSchema>

/** A file that holds tombstones, as it was read. */
export interface TombstoneFile {
  /** Relative to the data folder. */
  name: string
  lines: TombstoneLine[]
  /** Lines that cannot be read, and are not the beginning of one that can: a write that was cut off is repeated. */
  bad: BadLine[]
  /** It was saved in an encoding that no line can be appended in. */
  isUtf16: boolean
}

/** All that was found. */
export interface DeletionLines {
  files: TombstoneFile[]
  /** Deletions that the ledger tells of. */
  ledger: Pick<TombstoneLine, 'id' | 'at'>[]
  /** Files that cannot be read at all. */
  unread: { name: string; fault: FileFault }[]
}

/** The places that are read. */
export type DeletionPlaces = Pick<Layout, 'root' | 'tombstones' | 'ledger'>

/** A file that was seen, and what tells whether it has to be read again. */
interface SeenFile {
  path: string
  /** Relative to the data folder. */
  name: string
  stamp: string
}

/** Reads those files; it keeps what it read of each until the file changes. */
export class DeletionReader {
  readonly #disk: Disk
  readonly #places: DeletionPlaces
  readonly #tombstones = new Map<string, { stamp: string; file: TombstoneFile }>()
  readonly #ledger = new Map<string, { stamp: string; lines: DeletionLines['ledger'] }>()
  #last: DeletionLines = { files: [], ledger: [], unread: [] }
  #parts: readonly object[] = []

  constructor(disk: Disk, places: DeletionPlaces) {
    this.#disk = disk
    this.#places = places
  }

  /** What the files hold now: the object of the last time where nothing has changed since. Never throws. */
  read(): DeletionLines {
    const found: DeletionLines = { files: [], ledger: [], unread: [] }
    const { root, tombstones, ledger } = this.#places
    const main = basename(tombstones)
    // The ledger first: a deletion writes its tombstone before its line there, so none of them seems to be missing.
    for (const file of this.#seen(
      ledger,
      `${basename(ledger)}/`,
      (name, isFile) => isFile && isJournal(name),
      found,
    ))
      this.#readable(found, file, () => {
        found.ledger.push(...this.#ledgerFile(file))
      })
    for (const file of this.#seen(
      root,
      '',
      (name, isFile) => name === main || (isFile && isCopy(name)),
      found,
    ))
      this.#readable(found, file, () => {
        found.files.push(this.#tombstoneFile(file))
      })
    return this.#settled(found)
  }

  /** What was found the last time, where it is the same. */
  #settled(found: DeletionLines): DeletionLines {
    const parts = [...found.files, ...found.ledger]
    const isSame =
      found.unread.length === 0 &&
      parts.length === this.#parts.length &&
      parts.every((part, at) => part === this.#parts[at])
    if (!isSame) {
      this.#last = found
      this.#parts = found.unread.length === 0 ? parts : []
    }
    return this.#last
  }

  #seen(
    folder: string,
    prefix: string,
    wanted: (name: string, isFile: boolean) => boolean,
    { unread }: DeletionLines,
  ): SeenFile[] {
    try {
      return (this.#disk.list(folder) ?? [])
        .filter(({ name, kind }) => wanted(name, kind === 'file'))
        .map(({ name }) => {
          const path = join(folder, name)
          const stamp = this.#disk.stamp(path)
          return { path, name: `${prefix}${name}`, stamp: `${stamp?.size} ${stamp?.mtimeMs} ${stamp?.ino}` }
        })
    } catch (error) {
      unread.push({ name: prefix === '' ? '.' : prefix, fault: faultOf(error) })
      return []
    }
  }

  #readable({ unread }: DeletionLines, { name }: SeenFile, read: () => void): void {
    try {
      read()
    } catch (error) {
      unread.push({ name, fault: faultOf(error) })
    }
  }

  #tombstoneFile({ path, name, stamp }: SeenFile): TombstoneFile {
    const known = this.#tombstones.get(path)
    if (known?.stamp === stamp) return known.file
    const file = tombstonesIn(this.#disk.read(path) ?? Buffer.alloc(0), name)
    this.#tombstones.set(path, { stamp, file })
    return file
  }

  #ledgerFile({ path, stamp }: SeenFile): DeletionLines['ledger'] {
    const known = this.#ledger.get(path)
    if (known?.stamp === stamp) return known.lines
    const lines = journalText(this.#disk.read(path))
      .split(LINE_END)
      .filter((line) => line.includes('"delete"'))
      .flatMap(deletionsIn)
    this.#ledger.set(path, { stamp, lines })
    return lines
  }
}

/** What a sync or an editor calls a copy: `tombstones (1).jsonl`, `tombstones.sync-conflict-….jsonl`, `Copy of …`. */
const isCopy = (name: string): boolean => isJournal(name) && name.toLowerCase().includes('tombstones')

const isJournal = (name: string): boolean => !name.startsWith('.') && !name.startsWith(TEMPORARY_PREFIX)

function tombstonesIn(bytes: Buffer, name: string): TombstoneFile {
  const all = journalText(bytes)
  const { bad, values } = parseJsonl(all, name, tombstoneSchema)
  const file: TombstoneFile = { name, lines: values, bad: [], isUtf16: utf16Of(bytes) !== undefined }
  if (bad.length === 0) return file
  const texts = new Map(all.split(LINE_END).map((text, at) => [`${name}:${at + 1}`, text]))
  const torn = bad.map((one) => ({ one, text: texts.get(one.line) ?? '' }))
  for (const { line } of bad) texts.delete(line)
  for (const { one, text } of torn) {
    const { found, rest } = objectsIn(text, tombstoneSchema)
    file.lines.push(...found, ...beginningOf(rest))
    if (rest !== '' && !isRepeated(text, texts.values())) file.bad.push(one)
  }
  // Bytes of one encoding among those of another: what is no text in this reading may be one in another.
  if (bytes.includes(0))
    for (const other of [bytes.toString('utf8'), bytes.toString('utf16le'), bytes.toString('utf16le', 1)])
      file.lines.push(...objectsIn(other, tombstoneSchema).found)
  return file
}

/** The deletions in a line of the ledger; of a line that was cut off, what stands before the cut. */
function deletionsIn(line: string): Pick<TombstoneLine, 'id' | 'at'>[] {
  const whole = objectsIn(line, ledgerEntrySchema).found
  if (whole.length > 0) return whole.flatMap(({ act, id, at }) => (act === 'delete' ? [{ id, at }] : []))
  const [, at, id] = /"at":"([^"]+)","act":"delete","id":"([^"]+)"/.exec(line) ?? []
  return at === undefined || id === undefined ? [] : [{ id, at }]
}

/** What stands before the cut of a tombstone that was cut off; then it counts as one of an earlier version. */
function beginningOf(line: string): TombstoneLine[] {
  const [, id, at] = /"id":"([^"]+)","at":"([^"]+)"/.exec(line) ?? []
  return at === undefined || id === undefined ? [] : [{ id, at }]
}

/** Whether a line that was cut off is the beginning of another: whoever finished the deletion has written it again. */
const isRepeated = (torn: string, lines: Iterable<string>): boolean =>
  /^\{"id":"[^"]+"/.test(torn) && [...lines].some((line) => line.startsWith(torn))

/** The objects of a shape in a text, whatever stands around them, and what else stands there. */
function objectsIn<S extends z.ZodType>(text: string, schema: S): { found: z.output<S>[]; rest: string } {
  const found: z.output<S>[] = []
  const rest = text.replace(/\{[^{}]*\}/g, (object) => {
    const value = schema.safeParse(parseJson(object))
    if (!value.success) return object
    found.push(value.data)
    return ''
  })
  return { found, rest: rest.trim() }
}
