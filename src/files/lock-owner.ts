/**
 * Who holds a lock, noted beside it, so that a killed process's lock is taken over at once instead of after the time
 * in which a living one gives a sign of life. Only where a process id means something here: on the same start of the
 * same machine and in the same process namespace. Everywhere else the time decides.
 */
import { readFileSync, readlinkSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const ownerSchema = z.object({
  pid: z.int().positive(),
  started: z.string(),
  where: z.string(),
  times: z.array(z.number()),
})

interface Self {
  /** Where process ids are what they are for us. */
  where: string
  started: string
}

let self: Self | null | undefined

/** Null where it cannot be told which process is which. */
function whoAmI(): Self | null {
  if (self !== undefined) return self
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const started = startOf(process.pid)
    self = started === undefined ? null : { where: `${boot} ${readlinkSync('/proc/self/ns/pid')}`, started }
  } catch {
    // Not Linux, or /proc is hidden.
    self = null
  }
  return self
}

const noteOf = (lock: string) => `${lock}-owner`

/** Hundredths of a millisecond: what every file system keeps that keeps more than seconds, after rounding. */
const PARTS = 100

/**
 * A time for a lock's folder near `ms` that hardly any other process gives: it is the lock's name. Below half a
 * millisecond, so that whoever rounds still reads `ms`.
 */
export const uniqueTime = (ms: number): number => ms + Math.floor(Math.random() * 49) / PARTS

/** The time that the lock's folder carries, milliseconds; undefined where there is none. */
export function timeOf(lock: string): number | undefined {
  try {
    const stats = statSync(lock, { throwIfNoEntry: false })
    return stats && rounded(stats.mtimeMs)
  } catch {
    // A lock that cannot be looked at is nobody's.
    return undefined
  }
}

export const rounded = (ms: number): number => Math.round(ms * PARTS) / PARTS

/**
 * Notes that this process holds the lock as long as its folder carries one of these times. The note stays when the
 * lock is released: it then speaks of a lock that is gone, and a process killed while it releases is known as well.
 */
export function noteOwner(lock: string, times: Iterable<number>): void {
  const me = whoAmI()
  if (me === null) return
  try {
    writeFileSync(noteOf(lock), JSON.stringify({ pid: process.pid, ...me, times: [...times] }), {
      mode: 0o600,
    })
  } catch {
    // Without the note a killed process's lock is waited for; nothing else depends on it.
  }
}

/** Removes the lock if the process that holds it is dead. */
export function removeIfDead(lock: string): void {
  const owner = readOwner(lock)
  if (!owner || owner.where !== whoAmI()?.where || startOf(owner.pid) === owner.started) return
  // The time tells whether the note speaks of this lock or of an earlier one.
  removeAt(lock, owner.times)
}

/** Removes the lock as long as its folder carries one of these times: any other is another lock. */
export function removeAt(lock: string, times: readonly number[]): void {
  const isTheirs = (path: string) => times.includes(timeOf(path) ?? Number.NaN)
  if (!isTheirs(lock)) return
  const aside = `${lock}-dead-${process.pid}`
  try {
    renameSync(lock, aside)
    if (isTheirs(aside)) rmdirSync(aside)
    // Another process was faster, and this is its lock. Until it is back, its own check stops it.
    else renameSync(aside, lock)
  } catch {
    // Somebody else removed it first.
  }
}

function readOwner(lock: string): z.output<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(noteOf(lock), 'utf8')))
  } catch {
    // None, or one that is being written.
    return undefined
  }
}

/**
 * When a process was started, in the kernel's ticks; undefined where there is none that still does anything. Ids come
 * round again, so the id alone does not tell which process it is.
 */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold spaces and brackets.
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : rest[18]
  } catch {
    // Gone.
    return undefined
  }
}
