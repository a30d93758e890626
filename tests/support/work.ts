/**
 * What a piece of code does, counted: proof that it does no more than it should, however slow the machine is. Times
 * are measured in `tests/bench`.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Disk } from '../../src/base/disk.ts'

export interface Work<T> {
  result: T
  /** Texts that were parsed as JSON. */
  parsed: number
  /** Signatures that were checked. */
  verified: number
}

/** Counts the work of a synchronous function. */
export function workOf<T>(run: () => T): Work<T> {
  const { parse } = JSON
  const { verify } = crypto
  let [parsed, verified] = [0, 0]
  JSON.parse = (...args: Parameters<typeof parse>) => {
    parsed++
    return parse(...args)
  }
  return replacingCrypto(
    'verify',
    ((...args: Parameters<typeof verify>) => {
      verified++
      return verify(...args)
    }) as typeof verify,
    () => {
      try {
        const result = run()
        return { result, parsed, verified }
      } finally {
        JSON.parse = parse
      }
    },
  )
}

/** Runs a synchronous function with one function of `node:crypto` replaced for every module. */
export function replacingCrypto<K extends keyof typeof crypto, T>(
  name: K,
  other: (typeof crypto)[K],
  run: () => T,
): T {
  const own = crypto[name]
  const put = (value: (typeof crypto)[K]) => {
    crypto[name] = value
    syncBuiltinESMExports()
  }
  put(other)
  try {
    return run()
  } finally {
    put(own)
  }
}

/** A disk that counts the questions it is asked, for the files that `counts` names. */
export function countingDisk(
  disk: Disk,
  counts: (path: string) => boolean = () => true,
): { disk: Disk; stamped: () => number; opened: () => number } {
  let [stamped, opened] = [0, 0]
  return {
    disk: {
      ...disk,
      stamp: (path) => {
        if (counts(path)) stamped++
        return disk.stamp(path)
      },
      read: (path, limit) => {
        if (counts(path)) opened++
        return disk.read(path, limit)
      },
    },
    stamped: () => stamped,
    opened: () => opened,
  }
}
