/**
 * Acts that touch several files are all or nothing across a crash: what is to be done is written down in one
 * small file first, and whoever takes the lock next finishes what a killed process left. A deletion is written
 * down the same way, so that it is finished too.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { ledgerEntrySchema } from './ledger.ts'

export const pendingSchema = z.object({
  writes: z.array(
    z.object({
      path: z.string(),
      /** The text that stood in the file; null where there was none. */
      before: z.string().nullable(),
      after: z.string(),
    }),
  ),
  deletes: z.array(
    z.object({ id: z.string(), at: z.string(), created: z.string().optional(), paths: z.array(z.string()) }),
  ),
  ledger: z.array(ledgerEntrySchema),
})
export type PendingAct = z.output<typeof pendingSchema>

/** What is said where it cannot be told now how much of a change is on disk. */
export const interrupted = (reason: string, cause: unknown) =>
  new MnemosError(
    'STORAGE',
    `A change was interrupted in the middle (${reason}). If any of it is there, it will be finished as soon as the disk allows.`,
    'Do not repeat it: look with mnemos show first.',
    { cause },
  )

export class Pending {
  readonly #disk: Disk
  readonly #folder: string

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  /**
   * Writes an act down and returns what forgets it again.
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

  /** A note that is said not to be written may lie there all the same, and would be carried out. */
  #takeBack(path: string, cause: unknown): void {
    try {
      this.#disk.remove(path)
    } catch {
      throw interrupted(reasonOf(cause), cause)
    }
  }

  /** The acts that were not finished, oldest name first. One that cannot be read was never begun: it is dropped. */
  list(): { act: PendingAct; forget: () => void }[] {
    const out: { act: PendingAct; forget: () => void }[] = []
    for (const { name, kind } of this.#disk.list(this.#folder) ?? []) {
      if (kind !== 'file') continue // a temporary file of a write that never began is swept away below
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

  #read(path: string): PendingAct | undefined {
    try {
      return pendingSchema.parse(JSON.parse(this.#disk.read(path)?.toString('utf8') ?? ''))
    } catch {
      // The file is written by one rename, so an unreadable one is a temporary file of a write that never began.
      return undefined
    }
  }
}
