/**
 * `workspaces.json` in the data folder: which workspaces there are, and what was seen of each. One workspace stands on
 * each line, so that what a damaged file still holds can be read.
 */
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { type Disk, type Stamp, storageError } from '../base/disk.ts'
import { clauseOf, MnemosError } from '../base/errors.ts'
import { keptCopyName } from './kept-copy.ts'
import type { HeldLock } from './lock.ts'

const REGISTER_BYTES = 64 * 1024 * 1024

const workspaceSchema = z.looseObject({
  /** What records name. It stays. */
  id: z.string().min(1),
  /** `remote:`, `root:` or `folder:` and what was seen, oldest first; other kinds are a newer version's. */
  evidence: z.array(z.string()),
})
export type Workspace = z.output<typeof workspaceSchema>

const registerSchema = z.looseObject({ workspaces: z.array(workspaceSchema) })

/** What is wrong with the register. */
export type RegisterFault =
  /** Some of it or all is no register; what can be read counts. */
  | { code: 'DAMAGED' }
  /** It cannot be read at all, and is left as it is. */
  | { code: 'UNREADABLE'; reason: string }

export interface Register {
  workspaces: readonly Workspace[]
  fault?: RegisterFault
  /** What else stands in it: a newer version's. */
  rest: Readonly<Record<string, unknown>>
}

const EMPTY: Register = { workspaces: [], rest: {} }

/** What a text says, as far as it can be read. */
export function parseRegister(text: string): Register {
  const plain = text.replace(/^\ufeff/, '')
  try {
    const { workspaces, ...rest } = registerSchema.parse(JSON.parse(plain))
    return { workspaces, rest }
  } catch {
    // Zod's and JSON's own words would not help a person here.
    return { workspaces: readableIn(plain), rest: {}, fault: { code: 'DAMAGED' } }
  }
}

/** Every workspace that can be read, from a list with others or from a line of its own. */
function readableIn(text: string): Workspace[] {
  const values = (jsonIn(text) ??
    text.split('\n').map((line) => parsedOrNothing(line.trim().replace(/,$/, '')))) as unknown[]
  return values.flatMap((value) => {
    const workspace = workspaceSchema.safeParse(value)
    return workspace.success ? [workspace.data] : []
  })
}

function jsonIn(text: string): unknown[] | undefined {
  const value = parsedOrNothing(text)
  const outer = z.looseObject({ workspaces: z.array(z.unknown()) }).safeParse(value)
  return outer.success ? outer.data.workspaces : undefined
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function formatRegister({ workspaces, rest }: Pick<Register, 'workspaces' | 'rest'>): string {
  const others = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`,
  )
  const lines = workspaces.map((workspace) => JSON.stringify(workspace))
  return `{${others.join('')}"workspaces":[\n${lines.join(',\n')}\n]}\n`
}

/** The register of a data folder. What was read is kept for as long as the disk says the same of the file. */
export class RegisterFile {
  readonly #disk: Disk
  readonly #file: string
  readonly #now: () => number
  #stamp: Stamp | undefined
  #register: Register = EMPTY

  /** @param now milliseconds since the epoch, for the name of a copy that is kept. */
  constructor(disk: Disk, file: string, now: () => number) {
    this.#disk = disk
    this.#file = file
    this.#now = now
  }

  /** Never throws: what cannot be read is named in the answer. */
  read(): Register {
    try {
      const stamp = this.#disk.stamp(this.#file)
      if (stamp === undefined) this.#register = EMPTY
      else if (this.#stamp === undefined || !sameStamp(stamp, this.#stamp))
        this.#register = parseRegister(this.#disk.read(this.#file, REGISTER_BYTES)?.toString('utf8') ?? '')
      this.#stamp = stamp
      return this.#register
    } catch (error) {
      this.#stamp = undefined
      return { ...EMPTY, fault: { code: 'UNREADABLE', reason: clauseOf(error) } }
    }
  }

  /**
   * Writes the register whole. Call it under the lock of the folder, with what was read under it.
   * @returns the name under which a damaged one is kept; undefined where it was sound.
   * @throws MnemosError when it stays as it was.
   */
  write(workspaces: readonly Workspace[], held: HeldLock): string | undefined {
    const { fault, rest } = this.read()
    if (fault?.code === 'UNREADABLE')
      throw new MnemosError('STORAGE', fault.reason, 'Make it a file that can be read, or move it away.')
    try {
      const kept = fault === undefined ? undefined : this.#keep()
      this.#disk.replace(this.#file, formatRegister({ workspaces, rest }), {
        beforeRename: () => held.check(),
      })
      this.#stamp = undefined
      return kept
    } catch (error) {
      throw storageError('workspaces.json could not be written', error)
    }
  }

  #keep(): string {
    const folder = dirname(this.#file)
    const extension = extname(this.#file)
    const stem = basename(this.#file, extension)
    const name = keptCopyName(this.#disk, folder, { stem, extension, why: 'damaged', at: this.#now() })
    this.#disk.replace(join(folder, name), this.#disk.read(this.#file) ?? '')
    return name
  }
}

const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino
