/** Three-way merge of a record file: what both sides started from, what is to be written, and what stands there now. */
import { reasonOf } from '../base/errors.ts'
import { format, parse } from './format.ts'
import { mergeRecords } from './merge.ts'
import type { MemoryRecord } from './record.ts'

export type MergedText =
  | {
      text: string
      record: MemoryRecord
      /** Fields that both sides changed: both texts are kept in the file. */
      both: string[]
    }
  | { unreadable: string }

/** @param stem the file's name without `.md`. */
export function mergeTexts(texts: { base: string; mine: string; theirs: string }, stem: string): MergedText {
  try {
    const read = (text: string) => parse(text, { stem, mtimeMs: 0 })
    const [base, mine, theirs] = [read(texts.base), read(texts.mine), read(texts.theirs)]
    // An editor keeps revision and time as they are: theirs was made from mine.
    if (theirs.rev === mine.rev && theirs.updated === mine.updated && mine.rev !== base.rev)
      return { record: theirs, text: texts.theirs, both: [] }
    const { record, conflicts } = mergeRecords(base, mine, theirs)
    return {
      record,
      text: format(record, { record: theirs, text: texts.theirs }),
      both: [...new Set(conflicts.map(({ field }) => field))],
    }
  } catch (error) {
    return { unreadable: reasonOf(error) }
  }
}
