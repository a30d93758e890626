/**
 * Who holds a lock, noted beside it, so that the lock of a killed process is taken over at once instead of after the time
 * in which a living one gives a sign of life. Only where a process id means something here: on the same start of the same
 * machine and in the same process namespace. Everywhere else the time decides.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'

const ownerSchema = z.object({
  pid: z.int().positive(),
  started: z.string(),
  where: z.string(),
  times: z.array(z.number()),
})

/** Bytes of a note: a larger file is none of ours. */
const NOTE_LIMIT = 64 * 1024

interface ProcessIdentity {
  /** The start of the machine and the namespace in which process ids mean what they mean for us. */
  where: string
  started: string
}

let identity: ProcessIdentity | null | undefined

/** Null where it cannot be told which process is which. */
function ownIdentity(): ProcessIdentity | null {
  if (identity !== undefined) return identity
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const started = processStart(process.pid)
    identity =
      started === undefined ? null : { where: `${boot} ${readlinkSync('/proc/self/ns/pid')}`, started }
  } catch {
    // Not Linux, or /proc is hidden.
    identity = null
  }
  return identity
}

const ownerFile = (lock: string) => `${lock}-owner`

/** Hundredths of a millisecond: what every file system keeps that keeps more than seconds, after rounding. */
const PARTS_OF_MS = 100

/**
 * A time for a lock's folder near `ms` (milliseconds) that hardly any other process gives: it identifies the lock. Less
 * than half a millisecond later, so that whoever rounds still reads `ms`.
 */
export const uniqueTime = (ms: number): number => ms + Math.floor(Math.random() * 49) / PARTS_OF_MS

/** A time of a lock's folder, milliseconds, as it is compared. */
export const roundedTime = (ms: number): number => Math.round(ms * PARTS_OF_MS) / PARTS_OF_MS

/** The time of the lock's folder, milliseconds; undefined where there is none. Throws when the disk refuses. */
export function lockTime(disk: Disk, lock: string): number | undefined {
  const stamp = disk.stamp(lock)
  return stamp && roundedTime(stamp.mtimeMs)
}

/**
 * Notes that this process holds the lock as long as its folder has one of these times. The note stays when the lock is
 * released: it then speaks of a lock that is gone, and a process that is killed while it releases is known as well.
 * Never throws.
 */
export function noteOwner(disk: Disk, lock: string, times: Iterable<number>): void {
  const own = ownIdentity()
  if (own === null) return
  try {
    disk.overwrite(ownerFile(lock), JSON.stringify({ pid: process.pid, ...own, times: [...times] }))
  } catch {
    // Without the note the lock of a killed process is waited for; nothing else depends on it.
  }
}

/** Removes the lock if the process that holds it does not run any more. Never throws. */
export function removeIfOwnerEnded(disk: Disk, lock: string): void {
  const owner = readOwner(disk, lock)
  if (!owner || owner.where !== ownIdentity()?.where || processStart(owner.pid) === owner.started) return
  // The time tells whether the note speaks of this lock or of an earlier one.
  removeAbandoned(disk, lock, owner.times)
}

/** Removes an abandoned lock as long as its folder has one of these times: any other is another lock. Never throws. */
export function removeAbandoned(disk: Disk, lock: string, times: readonly number[]): void {
  const isAbandoned = (path: string) => times.includes(timeIfKnown(disk, path) ?? Number.NaN)
  if (!isAbandoned(lock)) return
  const moved = `${lock}-dead-${process.pid}`
  try {
    disk.rename(lock, moved)
    if (isAbandoned(moved)) disk.removeFolder(moved)
    // Another process was faster, and this is its lock. Until it is back, that process's own check stops it.
    else disk.rename(moved, lock)
  } catch {
    // Another process removed it first, or the disk refuses: the lock is waited for.
  }
}

/** As {@link lockTime}, and undefined as well where the disk refuses: for what is only tried. */
export function timeIfKnown(disk: Disk, lock: string): number | undefined {
  try {
    return lockTime(disk, lock)
  } catch {
    // Nothing follows from a lock that cannot be looked at.
    return undefined
  }
}

function readOwner(disk: Disk, lock: string): z.output<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.parse(JSON.parse(disk.read(ownerFile(lock), NOTE_LIMIT)?.toString('utf8') ?? ''))
  } catch {
    // There is none, or it is being written.
    return undefined
  }
}

/**
 * When a process was started, in the kernel's ticks; undefined where there is none that still does anything. The system
 * gives ids again, so the id alone does not tell which process it is.
 */
function processStart(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold spaces and brackets.
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : rest[18]
  } catch {
    // There is no such process.
    return undefined
  }
}
