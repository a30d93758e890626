/**
 * An act that touches several files is done as a whole or not at all, also across a crash: what is to be done is noted in
 * one small file first, and whoever takes the lock next finishes what a killed process left. A deletion is noted in the
 * same way, so that it is finished too.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { type Disk, type FolderEntry, TEMPORARY_PREFIX } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { ledgerEntrySchema } from './ledger.ts'
import { isOwnFolder, makeOwnFolder } from './own-folder.ts'

/** Below the memories folder and nowhere else: a folder that was brought from elsewhere may hold anything. */
const pathSchema = z
  .string()
  .refine(
    (path) => path.endsWith('.md') && !/(?:^|[/\\])\.\.?(?:[/\\]|$)|^[/\\]|^[a-z]:|\0/i.test(path),
    'must lie below memories',
  )

/**
 * The note of an act. One with anything more is of a newer version: what is not understood must not be done in part, nor
 * dropped.
 */
export const pendingSchema = z.strictObject({
  writes: z.array(
    z.strictObject({
      path: pathSchema,
      /** The text that stood in the file; null where there was none. */
      before: z.string().nullable(),
      after: z.string(),
    }),
  ),
  deletes: z.array(
    z.strictObject({
      id: z.string(),
      at: z.string(),
      paths: z.array(pathSchema),
      created: z.array(z.string()).default([]),
    }),
  ),
  ledger: z.array(ledgerEntrySchema),
})
/** An act as it is noted. */
export type PendingAct = z.output<typeof pendingSchema>

/** The error of a change of which it is not known how much is on disk. @param reason what interrupted it. */
export const interrupted = (reason: string, cause: unknown) =>
  new MnemosError(
    'STORAGE',
    `A change was interrupted in the middle (${reason}). If any of it is there, it will be finished as soon as the disk allows.`,
    'Do not repeat it: look with mnemos show <id> first.',
    { cause },
  )

/** The notes of acts that are not finished yet, in one folder. */
export class Pending {
  readonly #disk: Disk
  readonly #folder: string

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  /**
   * Notes an act. @returns what removes the note again.
   * @throws what the disk throws when there is no note, or {@link interrupted} when there may be one.
   */
  note(name: string, act: PendingAct): () => void {
    const path = join(this.#folder, `${name}.json`)
    makeOwnFolder(this.#disk, this.#folder)
    try {
      this.#disk.replace(path, JSON.stringify(act))
    } catch (error) {
      this.#takeBack(path, error)
      throw error
    }
    return () => {
      this.#disk.remove(path)
    }
  }

  /** A note that could not be written may be there all the same, and would be carried out. */
  #takeBack(path: string, cause: unknown): void {
    try {
      this.#disk.remove(path)
    } catch {
      throw interrupted(reasonOf(cause), cause)
    }
  }

  /**
   * The acts that were not finished, by the name of their note. One that cannot be read or understood has no act: it stays,
   * since a note is written by one rename and is of a newer version, or was damaged later. Temporary files are removed:
   * their act never began.
   */
  list(): { name: string; act: PendingAct | undefined; forget: () => void }[] {
    const out: { name: string; act: PendingAct | undefined; forget: () => void }[] = []
    for (const { name, kind } of this.#entries()) {
      if (kind !== 'file') continue // what is no file is none of ours
      const path = join(this.#folder, name)
      const forget = () => {
        this.#disk.remove(path)
      }
      if (name.startsWith(TEMPORARY_PREFIX)) forget()
      else if (!name.startsWith('.')) out.push({ name, act: this.#read(path), forget })
    }
    return out
  }

  /**
   * Removes the text of deleted records from the notes of acts that could not be finished.
   * @throws MnemosError where a note that is not understood holds any of it: it is kept, so the text stays.
   */
  erase(deleted: readonly { paths: readonly string[]; texts?: readonly string[] }[]): void {
    const gone = new Set(deleted.flatMap(({ paths }) => paths))
    const words = [...gone, ...deleted.flatMap(({ texts = [] }) => texts)].map((text) =>
      JSON.stringify(text).slice(1, -1),
    )
    for (const { name, kind } of this.#entries()) {
      const path = join(this.#folder, name)
      if (kind !== 'file' || name.startsWith('.')) continue
      const act = this.#read(path)
      if (!act && words.some((word) => word !== '' && this.#raw(path).includes(word)))
        throw new MnemosError(
          'STORAGE',
          `pending/${name} is not understood, holds text of the record, and is kept`,
          'Update Mnemos, or remove the file.',
        )
      const writes = act?.writes.filter((write) => !gone.has(write.path))
      if (!act || !writes || writes.length === act.writes.length) continue
      if (writes.length === 0 && act.deletes.length === 0) this.#disk.remove(path)
      else this.#disk.replace(path, JSON.stringify({ ...act, writes }))
    }
  }

  /** None where the folder is not ours: what lies behind a link is not to be removed. */
  #entries(): FolderEntry[] {
    return isOwnFolder(this.#disk, this.#folder) ? (this.#disk.list(this.#folder) ?? []) : []
  }

  #raw(path: string): string {
    return this.#disk.read(path)?.toString('utf8') ?? ''
  }

  #read(path: string): PendingAct | undefined {
    try {
      return pendingSchema.parse(JSON.parse(this.#raw(path)))
    } catch {
      // Whoever asks keeps it and reports it.
      return undefined
    }
  }
}
