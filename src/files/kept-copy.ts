/** The name of a copy that is kept when a file is replaced that cannot be used as it is. */
import { iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'

/** What a kept copy is called after. */
export interface KeptCopy {
  /** The file's name before its extension. */
  stem: string
  /** With its dot; empty for a name that ends with the time. */
  extension: string
  /** One word: why the file was replaced. */
  why: string
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * A name that is free in the folder: `stem.why-20260102T030405Z.ext`, with `-2`, `-3`, ... before the extension where
 * that is taken.
 * @throws whatever the disk says.
 */
export function keptCopyName(disk: Disk, folder: string, { stem, extension, why, at }: KeptCopy): string {
  const base = `${stem}.${why}-${iso(at).replace(/[-:]|\.\d+/g, '')}`
  const taken = new Set((disk.list(folder) ?? []).map(({ name }) => name))
  let name = `${base}${extension}`
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}${extension}`
  return name
}
