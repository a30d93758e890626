/**
 * The export: JSON lines. The first is the header, each further one a record file: its text and place, from which it
 * can be restored to the byte, and its fields with unknown keys, for programs that read nothing but JSON.
 */
import { z } from 'zod'
import { iso } from '../base/clock.ts'
import type { GoodFile } from '../files/record-files.ts'
import { unknownKeys } from '../record/format.ts'

/** Version of the export's own form. */
export const EXPORT_VERSION = 1

export const exportHeaderSchema = z.looseObject({
  mnemos: z.literal(EXPORT_VERSION),
  exported: z.string(),
  /** How many lines follow. */
  records: z.number().int().nonnegative(),
})
export type ExportHeader = z.output<typeof exportHeaderSchema>

export const exportHeader = (now: number, records: number): string =>
  JSON.stringify({ mnemos: EXPORT_VERSION, exported: iso(now), records } satisfies ExportHeader)

/** @param copy another file with this id counts before it. */
export const exportLine = ({ file, record, text }: GoodFile, copy: boolean): string =>
  JSON.stringify({
    path: file.path,
    // A plain note has its file's time as its own.
    modified: iso(file.mtimeMs),
    ...(copy ? { copy } : {}),
    text,
    record: { ...unknownKeys(text), ...record },
  })
