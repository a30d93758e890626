/**
 * The few records that must be at hand at once: the self-history, which stands in every request, and what waits for
 * the person. The catalog notes them as it reads files, the index says after a start which they are, so that no turn
 * has to look through all files for them.
 */
import { isKept } from '../record/kinds.ts'
import type { MemoryRecord } from '../record/record.ts'

export class KeptRecords {
  /** By path; undefined where only the index has told of it so far. */
  readonly #records = new Map<string, MemoryRecord | undefined>()

  /** Starts anew with paths whose files are read when they are first asked for. */
  begin(paths: readonly string[]): void {
    this.#records.clear()
    for (const path of paths) this.#records.set(path, undefined)
  }

  note(path: string, record: MemoryRecord): void {
    if (isKept(record)) this.#records.set(path, record)
    else this.drop(path)
  }

  drop(path: string): void {
    this.#records.delete(path)
  }

  /**
   * What is kept, as the files stand now.
   * @param unchanged whether a file is as it was when it was read.
   * @param reread reads a file; undefined where it holds no record any more.
   */
  list(
    unchanged: (path: string) => boolean,
    reread: (path: string) => MemoryRecord | undefined,
  ): { path: string; record: MemoryRecord }[] {
    return [...this.#records].flatMap(([path, known]) => {
      const record = known && unchanged(path) ? known : reread(path)
      if (record && record !== known) this.note(path, record)
      return record && isKept(record) ? [{ path, record }] : []
    })
  }
}
