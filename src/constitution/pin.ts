/**
 * The pin: which text was approved last on this machine, for each data folder, in `profiles.json`. It is outside the data
 * folder, so a change of all the folder's files together is found, and the approved text survives it.
 */

import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Disk, storageError } from '../base/disk.ts'
import { LANGUAGES } from '../base/language.ts'
import { changeProfiles, readProfiles } from '../files/profiles.ts'
import type { ApprovedText } from './approved-text.ts'

/** Unknown keys are ignored: earlier versions also wrote `head`. */
const pinSchema = z.object({
  publicKey: z.string(),
  /** 0 while the first approval is under way. */
  version: z.int().min(0),
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
/** What is known on this machine of the constitution of one data folder. */
export type Pin = z.output<typeof pinSchema>

/** The key in `profiles.json`. */
const PINS_KEY = 'constitutions'
const pinsSchema = z.record(z.string(), z.unknown()).catch({})

/** The pin of a data folder; undefined where there is none that can be read. Never throws. */
export function readPin(disk: Disk, dshHome: string, root: string): Pin | undefined {
  return pinIn(disk, readProfiles(disk, dshHome), root)
}

function pinIn(disk: Disk, known: Record<string, unknown>, root: string): Pin | undefined {
  const pins = pinsSchema.parse(known[PINS_KEY] ?? {})
  // A folder that was moved, with a link in its old place, is still known by that path.
  return pinSchema.safeParse(pins[realOf(disk, root)] ?? pins[resolve(root)]).data
}

/** The path without links, also of a folder that does not exist. */
function realOf(disk: Disk, path: string): string {
  const whole = resolve(path)
  try {
    return disk.real(whole)
  } catch {
    // What cannot be resolved keeps its name, within the folder that can be.
    return dirname(whole) === whole ? whole : join(realOf(disk, dirname(whole)), basename(whole))
  }
}

/**
 * Changes the pin of a data folder.
 * @param change the new pin, from the one that is there then; undefined leaves it.
 * @returns a warning, see {@link changeProfiles}.
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
    return { ...known, [PINS_KEY]: { ...pinsSchema.parse(known[PINS_KEY] ?? {}), [realOf(disk, root)]: pin } }
  })
  return changed.catch((error) => {
    throw storageError('What is approved cannot be noted in profiles.json', error)
  })
}

/** The pin of an approved text. @param now when it is pinned; ISO. */
export const pinOf = ({ key, version, language, at, text, signature }: ApprovedText, now: string): Pin => ({
  publicKey: key,
  version,
  at: now,
  approved: { language, at, text, signature },
})

/** The text that a pin holds; undefined where it holds none. Its signature is not checked here. */
export const approvedInPin = ({ publicKey: key, version, approved }: Pin): ApprovedText | undefined =>
  approved && { ...approved, version, key }
