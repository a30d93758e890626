/** Which record lies in which file, as it was last read. It knows nothing of the disk and nothing of the index. */
import { countsFirst } from '../files/stamps.ts'
import type { IndexedFile } from '../search/index/entries.ts'

/** A time that no file has: what is known of such a file counts as unread. */
const UNREAD_MS = -1

/** Several files with one id: the file that counts first, then the others. */
export interface CopiesOfRecord {
  id: string
  paths: string[]
}

export class FileTable {
  readonly #files = new Map<string, IndexedFile>()
  /** By id. */
  readonly #paths = new Map<string, Set<string>>()

  get size(): number {
    return this.#files.size
  }

  get(path: string): IndexedFile | undefined {
    return this.#files.get(path)
  }

  /** Every file, skipped ones among them, in no order. */
  files(): Iterable<IndexedFile> {
    return this.#files.values()
  }

  /** The files that hold a record, in no order. */
  *records(): Iterable<IndexedFile> {
    for (const file of this.#files.values()) if (file.id !== null) yield file
  }

  has(id: string): boolean {
    return this.#paths.has(id)
  }

  set(file: IndexedFile): void {
    this.delete(file.path)
    this.#files.set(file.path, file)
    if (file.id === null) return
    const paths = this.#paths.get(file.id)
    if (paths) paths.add(file.path)
    else this.#paths.set(file.id, new Set([file.path]))
  }

  delete(path: string): void {
    const known = this.#files.get(path)
    this.#files.delete(path)
    if (known?.id == null) return
    const paths = this.#paths.get(known.id)
    paths?.delete(path)
    if (paths?.size === 0) this.#paths.delete(known.id)
  }

  clear(): void {
    this.#files.clear()
    this.#paths.clear()
  }

  /** What is known of a file counts as unread: it is read again at the next scan. */
  markUnread(path: string): void {
    const known = this.#files.get(path)
    if (known) this.#files.set(path, { ...known, mtimeMs: UNREAD_MS })
  }

  isUnread({ mtimeMs }: IndexedFile): boolean {
    return mtimeMs === UNREAD_MS
  }

  /** The files that hold an id, the one that counts first. */
  pathsOf(id: string): string[] {
    const files = [...(this.#paths.get(id) ?? [])].flatMap((path) => this.#files.get(path) ?? [])
    return files.sort(countsFirst).map(({ path }) => path)
  }

  /** Ids that several files hold, as a sync's conflict copies do; by id. @param absent paths that do not count. */
  copies(absent: ReadonlySet<string>): CopiesOfRecord[] {
    return [...this.#paths]
      .filter(([, paths]) => paths.size > 1)
      .map(([id]) => ({ id, paths: this.pathsOf(id).filter((path) => !absent.has(path)) }))
      .filter(({ paths }) => paths.length > 1)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Every record file by path; a copy is one that another file with its id outranks. */
  byPath(): { path: string; copy: boolean }[] {
    return [...this.records()]
      .map(({ path, id }) => ({ path, copy: id !== null && this.pathsOf(id)[0] !== path }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}
