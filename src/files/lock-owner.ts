/**
 * Who holds a lock: the name of the mark in its folder says it, so that the lock of a killed process is taken over at once
 * instead of after the time in which a living one gives a sign of life. Only where a process id means something here: on the
 * same start of the same machine and in the same process namespace. Everywhere else the time decides.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { nanoid } from 'nanoid'

interface ProcessIdentity {
  /** The start of the machine and the namespace in which process ids mean what they mean for us. */
  where: string
  /** The kernel's ticks. */
  started: string
}

let identity: ProcessIdentity | null | undefined

/** Null where it cannot be told which process is which. */
function ownIdentity(): ProcessIdentity | null {
  if (identity !== undefined) return identity
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const started = processStart(process.pid)
    const place = `${boot} ${readlinkSync('/proc/self/ns/pid')}`
    const where = createHash('sha256').update(place).digest('hex').slice(0, 16)
    identity = started === undefined ? null : { where, started }
  } catch {
    // Not Linux, or /proc is hidden.
    identity = null
  }
  return identity
}

/** Process id, its start, where both hold, and what no other lock has. */
const MARK = /^(\d+)-(\d+|x)-([0-9a-f]{16}|x)-[\w-]{21}$/

/** A name that no other lock of any process has, and that says which process has this one. */
export function newMark(): string {
  const { started = 'x', where = 'x' } = ownIdentity() ?? {}
  return `${process.pid}-${started}-${where}-${nanoid()}`
}

export const isMark = (name: string): boolean => MARK.test(name)

/** Whether the process that a mark names does not run any more; false where that cannot be told. */
export function hasOwnerEnded(mark: string): boolean {
  const [, pid = '', started, where] = MARK.exec(mark) ?? []
  if (started === undefined || where === 'x' || where !== ownIdentity()?.where) return false
  return processStart(Number(pid)) !== started
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
