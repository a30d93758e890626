/**
 * Codes and details to sentences, for whoever hands something to a person or a model. Each takes the catalogue of a
 * language; English is the one that there is.
 */
import { defined } from '../base/defined.ts'
import { MnemosError, ReasonedError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Repaired } from '../doctor/repair.ts'
import type { EntryFileFault } from '../entries/fault.ts'
import type { Hint } from '../search/recall/hints.ts'
import type { DeletionReport } from '../store/deletion.ts'
import type { Problem } from '../store/problems.ts'
import { type Advice, type Catalogue, made } from './catalogue.ts'
import { chinese } from './chinese/chinese.ts'
import { english } from './english/english.ts'

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en: english, zh: chinese }

/** Why a file is skipped, as a clause. */
export const faultClause = (fault: EntryFileFault, language: Catalogue = english): string =>
  language.file(fault)

export const problemSentence = (problem: Problem, language: Catalogue = english): string =>
  made(language.problems, problem)

export const problemSentences = (problems: readonly Problem[], language: Catalogue = english): string[] =>
  problems.map((problem) => problemSentence(problem, language))

export function findingAdvice(finding: Finding, language: Catalogue = english): Advice {
  if ('details' in finding) return made(language.findings, finding)
  const { sentence, remedy } = finding
  return { sentence, remedy }
}

/** A finding as an answer for scripts has it: with sentence and remedy. */
export function findingShown(finding: Finding, language: Catalogue = english) {
  const { code, severity, paths, fixable } = finding
  return { code, severity, ...findingAdvice(finding, language), paths, fixable }
}

/** A repair as an answer for scripts has it: with the clause that says why it was not done. */
export function repairShown({ code, path, kept, failed }: Repaired, language: Catalogue = english) {
  return {
    code,
    path,
    ...defined({ kept }),
    ...(failed === undefined ? {} : { failed: made(language.repairs, failed) }),
  }
}

export const hintSentence = (hint: Hint, language: Catalogue = english): string => made(language.hints, hint)

export const deletionSentence = (report: DeletionReport, language: Catalogue = english): string =>
  language.deletion(report)

/** What was thrown, with sentences where it says only by a code what is wrong. */
export function explained(thrown: unknown, language: Catalogue = english): unknown {
  if (!(thrown instanceof ReasonedError)) return thrown
  const { sentence, remedy } = made(language.errors, thrown.reason)
  return new MnemosError(thrown.code, sentence, remedy, { cause: thrown })
}
