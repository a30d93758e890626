/** Why a text cannot be a record: a code and its details. What a person reads of it is made by `messages/`. */
import { z } from 'zod'
import { ReasonedError } from '../base/errors.ts'

/** Full-width signs in a front matter that are likely to stand for the ASCII ones. */
const fullWidthSchema = z.object({
  /** The key that has a full-width colon behind it. */
  key: z.string().optional(),
  /** A list in brackets has a full-width comma. */
  comma: z.boolean().optional(),
})
export type FullWidth = z.output<typeof fullWidthSchema>

/** One fault as it is stored: JSON of a code and its details. */
export const faultShape = <C extends string, Details extends z.ZodRawShape>(code: C, details: Details) =>
  z.object({ code: z.literal(code), ...details, fullWidth: fullWidthSchema.optional() })

export const TEXT_FAULTS = [
  faultShape('EMPTY', {}),
  faultShape('BLANK', {}),
  faultShape('NOT_UTF8', {}),
  faultShape('NUL', {}),
  faultShape('FRONT_NOT_CLOSED', {}),
  /** `limit` in bytes. */
  faultShape('FRONT_TOO_LARGE', { limit: z.number() }),
  faultShape('FRONT_TOO_MANY_SIGNS', { limit: z.number() }),
  faultShape('FRONT_NO_KEYS', {}),
  /** The parser's words, and the line of the file where it knows it. */
  faultShape('YAML', { reason: z.string(), line: z.number().optional() }),
  /** A path into the fields, and what is wrong with its value, in the words of the record's schema. */
  faultShape('FIELD', { field: z.string(), wrong: z.string() }),
  faultShape('BAD_ID', { id: z.string() }),
  faultShape('NO_SUMMARY', {}),
] as const
export type TextFault = z.output<(typeof TEXT_FAULTS)[number]>

declare module '../base/errors.ts' {
  interface ErrorReasons {
    /** A text that was to become a record. */
    TEXT_UNREADABLE: { fault: TextFault }
    /** A record whose file would not give back what was to be written. */
    RECORD_NOT_KEPT: { fault: TextFault } | { field: string }
    /** A file whose front matter is TOML: it is read without it, and not rewritten. */
    TOML_NOT_WRITTEN: object
    /** A front matter in which a field cannot be changed without touching another. */
    FRONT_NOT_CHANGED: object
  }
}

/** What reading a text throws. */
export class UnreadableText extends ReasonedError {
  readonly fault: TextFault

  constructor(fault: TextFault) {
    super('INVALID_INPUT', { code: 'TEXT_UNREADABLE', fault })
    this.fault = fault
  }
}
