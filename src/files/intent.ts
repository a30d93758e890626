/**
 * What is about to be written into one file, noted so that its line in the ledger is not lost with a process that is killed
 * between the two. It holds no text. It is not fsynced, which would cost every write another flush: what a kill leaves in
 * the system's memory is enough.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { ledgerEntrySchema } from './ledger.ts'

const intentSchema = z.object({
  /** The folder below the data folder in which it is written: `memories`, or that of a kind of entries. */
  room: z.string().regex(/^[a-z-]+$/),
  /** Relative to that folder: an absolute path would not survive a move of the data folder. */
  path: z.string(),
  /** Of the text that will be in the file. */
  hash: z.string(),
  entry: ledgerEntrySchema,
})
export type Intent = z.output<typeof intentSchema>

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The one note of a data folder: only who holds its lock writes in it. */
export class Intents {
  readonly #disk: Disk
  readonly #file: string

  constructor(disk: Disk, file: string) {
    this.#disk = disk
    this.#file = file
  }

  /** Notes a write, and returns what removes the note. Never throws: without it only a killed write lacks its line. */
  note(intent: Intent): () => void {
    try {
      this.#disk.overwrite(this.#file, JSON.stringify(intent))
    } catch {
      // The write itself says what is wrong with the disk.
    }
    return () => this.forget()
  }

  /** Empties the note; it stays, since a name that comes and goes costs more. Never throws. */
  forget(): void {
    try {
      this.#disk.overwrite(this.#file, '')
    } catch {
      // Whoever takes the lock next finds the line in the ledger already.
    }
  }

  /** What was noted and not removed; undefined where there is nothing, or the note was cut off. Throws what the disk throws. */
  left(): Intent | undefined {
    const text = this.#disk.read(this.#file)?.toString('utf8') ?? ''
    if (text === '') return undefined
    try {
      return intentSchema.parse(JSON.parse(text))
    } catch {
      // It was being written when the process died, so the write had not begun.
      return undefined
    }
  }
}
