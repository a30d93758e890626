/**
 * What was approved last on this machine, folder by folder, in `profiles.json`: outside the data folder, so that a folder
 * whose files were all changed to fit each other is found out, and the approved text outlasts that.
 */

import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Disk, storageError } from '../base/disk.ts'
import { changeProfiles, readProfiles } from '../files/profiles.ts'
import type { Approved } from './audit.ts'
import { LANGUAGES } from './constitution.ts'

const pinSchema = z.object({
  publicKey: z.string(),
  /** 0 while the first approval is under way. */
  version: z.int().min(0),
  /** The hash of the audit's line of that version. */
  head: z.string(),
  /** When it was pinned; ISO. */
  at: z.string(),
  /** It was found in the folder, not approved on this machine. */
  found: z.literal(true).optional(),
  /** The key that a replacement under way will sign with. */
  successor: z.string().optional(),
  /** The approved text itself, with its signature. */
  approved: z
    .object({ language: z.enum(LANGUAGES), at: z.string(), text: z.string(), signature: z.string() })
    .optional()
    .catch(undefined),
})
export type Pin = z.output<typeof pinSchema>

const NAME = 'constitutions'
const pinsSchema = z.record(z.string(), z.unknown()).catch({})

export function readPin(disk: Disk, dshHome: string, root: string): Pin | undefined {
  return pinIn(disk, readProfiles(disk, dshHome), root)
}

function pinIn(disk: Disk, known: Record<string, unknown>, root: string): Pin | undefined {
  const pins = pinsSchema.parse(known[NAME] ?? {})
  // One that was moved, with a link in its old place, is still known by that.
  return pinSchema.safeParse(pins[realOf(disk, root)] ?? pins[resolve(root)]).data
}

/** A folder is the same one by whatever links it is reached, also while it is not there (yet, or any more). */
function realOf(disk: Disk, path: string): string {
  const whole = resolve(path)
  try {
    return disk.real(whole)
  } catch {
    // What cannot be resolved keeps its name, in the folder that can be.
    return dirname(whole) === whole ? whole : join(realOf(disk, dirname(whole)), basename(whole))
  }
}

/**
 * @param change the new pin, from the one that is there then; undefined leaves it.
 * @returns what else is to be said of it, see {@link changeProfiles}.
 * @throws MnemosError when it cannot be written.
 */
export async function changePin(
  disk: Disk,
  dshHome: string,
  root: string,
  change: (now: Pin | undefined) => Pin | undefined,
): Promise<string | undefined> {
  const changed = changeProfiles(disk, dshHome, (known) => {
    const pin = change(pinIn(disk, known, root))
    if (pin === undefined) return undefined
    return { ...known, [NAME]: { ...pinsSchema.parse(known[NAME] ?? {}), [realOf(disk, root)]: pin } }
  })
  return changed.catch((error) => {
    throw storageError('What is approved cannot be noted in profiles.json', error)
  })
}

/** @param now when it is pinned; ISO. */
export const pinOf = (
  { key, version, language, at, text, signature }: Approved,
  head: string,
  now: string,
): Pin => ({
  publicKey: key,
  version,
  head,
  at: now,
  approved: { language, at, text, signature },
})

/** The approved text that a pin holds; whether the key signed it is for the reader to see. */
export const approvedInPin = ({ publicKey: key, version, approved }: Pin): Approved | undefined =>
  approved && { ...approved, version, key }
