/** Three-way merge of a record file: what both sides started from, what is to be written, and what stands there now. */
import { reasonOf } from '../base/errors.ts'
import { format } from './format.ts'
import { mergeRecords } from './merge.ts'
import { type FileFacts, parse } from './parse.ts'
import type { MemoryRecord } from './record.ts'

export type MergedText =
  | {
      text: string
      record: MemoryRecord
      /** Fields that both sides changed: both texts are kept in the file. */
      both: string[]
    }
  | { unreadable: string }

/** @param facts the name and time of the file, which a hand-written text takes its own from. */
export function mergeTexts(
  texts: { base: string; mine: string; theirs: string },
  facts: FileFacts,
): MergedText {
  try {
    const read = (text: string) => parse(text, facts)
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
