/**
 * Which key and which version were approved last on this machine, folder by folder, in `profiles.json`: outside the data
 * folder, so that a folder whose files were all changed to fit each other is found out.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { changeProfiles, readProfiles } from '../memory/data-folder.ts'

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
})
export type Pin = z.output<typeof pinSchema>

const NAME = 'constitutions'
const pinsSchema = z.record(z.string(), z.unknown()).catch({})

export function readPin(disk: Disk, dshHome: string, root: string): Pin | undefined {
  return pinIn(readProfiles(disk, dshHome), root)
}

function pinIn(known: Record<string, unknown>, root: string): Pin | undefined {
  return pinSchema.safeParse(pinsSchema.parse(known[NAME] ?? {})[resolve(root)]).data
}

/**
 * @param change the new pin, from the one that is there then; undefined leaves it.
 * @throws whatever the disk or the lock of `profiles.json` says.
 */
export function changePin(
  disk: Disk,
  dshHome: string,
  root: string,
  change: (now: Pin | undefined) => Pin | undefined,
): Promise<void> {
  return changeProfiles(disk, dshHome, (known) => {
    const pin = change(pinIn(known, root))
    if (pin === undefined) return undefined
    return { ...known, [NAME]: { ...pinsSchema.parse(known[NAME] ?? {}), [resolve(root)]: pin } }
  })
}
