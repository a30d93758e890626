/** What a language has to have a sentence for: every code of every room. A missing one is a compile error. */
import type { ErrorReason } from '../base/errors.ts'
import type { FindingDetails, TypedFinding } from '../doctor/finding.ts'
import type { RepairFailure } from '../doctor/repair.ts'
import type { EntryFileFault } from '../entries/fault.ts'
import type { Hint } from '../search/recall/hints.ts'
import type { DeletionReport } from '../store/deletion.ts'
import type { Problem } from '../store/problems.ts'

interface Coded {
  code: string
}

/** For each code of a union what is made of its details. */
export type Table<Reason extends Coded, Made = string> = {
  readonly [Code in Reason['code']]: (reason: Extract<Reason, { code: Code }>) => Made
}

/** What is wrong, and what to do about it; the remedy is empty where there is nothing to do. */
export interface Advice {
  sentence: string
  remedy: string
}

type FindingOfCode = { [C in keyof FindingDetails]: TypedFinding<C> }[keyof FindingDetails]

/** What a question to the person says besides its values. */
export interface QuestionWords {
  allow: string
  reject: string
  /** What of a longer text is not shown. */
  notShown(rest: { bytes: number; lines: number }): string
  save: {
    create: string
    replace: string
    consent: string
    name: string
    folder: string
    type: string
    typeBefore: string
    summary: string
    summaryBefore: string
    summaryNew: string
    details: string
    detailsSame: string
    detailsNew: string
    /** The value in place of details that go. */
    detailsGone(bytes: number): string
  }
  remove: {
    /** @param what the record: its kind, its summary between quotes, its id. */
    headline(what: { kind: string; summary: string; id: string }): string
    why: string
    file: string
    copy: string
    /** Before a record that has words from it and will lose them. */
    cut: string
    content: string
  }
}

/** One language. */
export interface Catalogue {
  /** Why a file is skipped, as a clause: "it is not UTF-8 text". */
  file(fault: EntryFileFault): string
  problems: Table<Problem>
  findings: Table<FindingOfCode, Advice>
  /** Why a repair was not done, as a clause. */
  repairs: Table<RepairFailure>
  hints: Table<Hint>
  errors: Table<ErrorReason, Advice>
  questions: QuestionWords
  /** One sentence on a deletion. */
  deletion(report: DeletionReport): string
}

/** What a table makes of a reason. */
export function made<Reason extends Coded, Made>(table: Table<Reason, Made>, reason: Reason): Made {
  // The one cast: that the entry of a code takes the details of that code is what `Table` says, and no more can be told
  // of a union to the compiler.
  const make = table[reason.code as Reason['code']] as (reason: Reason) => Made
  return make(reason)
}
