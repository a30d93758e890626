/** Why a file is skipped: a code and its details. What a person reads of it is made by `messages/`. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { clauseOf, systemCode } from '../base/errors.ts'
import { IrregularFile } from '../base/node-files.ts'
import { faultShape, TEXT_FAULTS, UnreadableText } from '../record/fault.ts'

/** Its JSON stands in the index. */
export const fileFaultSchema = z.discriminatedUnion('code', [
  ...TEXT_FAULTS,
  faultShape('LINK', {}),
  faultShape('NOT_REGULAR', {}),
  faultShape('HARD_LINK', {}),
  faultShape('NOT_A_FOLDER', {}),
  /** A link to a folder that holds others which are read already, or the link itself. */
  faultShape('LINKED_TWICE', {}),
  /** `limit` in bytes. */
  faultShape('TOO_LARGE', { limit: z.number() }),
  /** When the record was deleted, ISO. */
  faultShape('RESTORED_COPY', { deletedAt: z.string().optional() }),
  /**
   * The system's code, as EACCES, where it has one, and its words. It says nothing of the file: the next reading may
   * succeed, so it is never stored.
   */
  faultShape('UNREADABLE', { system: z.string().optional(), reason: z.string() }),
])
export type FileFault = z.output<typeof fileFaultSchema>

declare module '../base/errors.ts' {
  interface ErrorReasons {
    /** The file of a record that was asked for by its id. */
    FILE_UNREADABLE: { id: string; path: string; fault: FileFault }
  }
}

/** A file that came back after its record was deleted. @param deletedAt ISO. */
export const restoredCopy = (deletedAt: string | undefined): FileFault => ({
  code: 'RESTORED_COPY',
  ...(deletedAt === undefined ? {} : { deletedAt }),
})

/** The fault behind whatever reading a file has thrown. */
export function faultOf(thrown: unknown): FileFault {
  if (thrown instanceof UnreadableText) return thrown.fault
  if (thrown instanceof IrregularFile) return { code: 'NOT_REGULAR' }
  const system = systemCode(thrown)
  return { code: 'UNREADABLE', ...(system === undefined ? {} : { system }), reason: clauseOf(thrown) }
}

/** Whether the reading failed, and not what was read. */
export const isPassing = ({ code }: FileFault): boolean => code === 'UNREADABLE'

export const sameFault = (one: FileFault | null, other: FileFault | null): boolean =>
  isDeepStrictEqual(one, other)
