/**
 * An act that touches several files is done as a whole or not at all, also across a crash: what is to be done is noted in
 * one small file first, and whoever takes the lock next finishes what a killed process left. A deletion is noted in the
 * same way, so that it is finished too.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { ledgerEntrySchema } from './ledger.ts'

/** Below the memories folder and nowhere else: a folder that was brought from elsewhere may hold anything. */
const pathSchema = z
  .string()
  .refine(
    (path) => path.endsWith('.md') && !/(?:^|[/\\])\.\.?(?:[/\\]|$)|^[/\\]|^[a-z]:|\0/i.test(path),
    'must lie below memories',
  )

/** The note of an act. */
export const pendingSchema = z.object({
  writes: z.array(
    z.object({
      path: pathSchema,
      /** The text that stood in the file; null where there was none. */
      before: z.string().nullable(),
      after: z.string(),
    }),
  ),
  deletes: z.array(
    z.object({
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
    'Do not repeat it: look with mnemos show first.',
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
    this.#disk.folder(this.#folder)
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

  /** The acts that were not finished, by the name of their note. A note that cannot be read is removed: its act never began. */
  list(): { act: PendingAct; forget: () => void }[] {
    const out: { act: PendingAct; forget: () => void }[] = []
    for (const { name, kind } of this.#disk.list(this.#folder) ?? []) {
      if (kind !== 'file') continue // what is no file is none of ours
      const path = join(this.#folder, name)
      const forget = () => {
        this.#disk.remove(path)
      }
      const act = name.startsWith('.') ? undefined : this.#read(path)
      if (act) out.push({ act, forget })
      else forget()
    }
    return out
  }

  /** Removes the text of deleted records from the notes of acts that could not be finished. */
  erase(deleted: readonly { paths: readonly string[] }[]): void {
    const gone = new Set(deleted.flatMap(({ paths }) => paths))
    for (const { name, kind } of this.#disk.list(this.#folder) ?? []) {
      const path = join(this.#folder, name)
      const act = kind === 'file' && !name.startsWith('.') ? this.#read(path) : undefined
      const writes = act?.writes.filter((write) => !gone.has(write.path))
      if (!act || !writes || writes.length === act.writes.length) continue
      if (writes.length === 0 && act.deletes.length === 0) this.#disk.remove(path)
      else this.#disk.replace(path, JSON.stringify({ ...act, writes }))
    }
  }

  #read(path: string): PendingAct | undefined {
    try {
      return pendingSchema.parse(JSON.parse(this.#disk.read(path)?.toString('utf8') ?? ''))
    } catch {
      // The file is written by one rename, so an unreadable one is a temporary file of a write that never began.
      return undefined
    }
  }
}
