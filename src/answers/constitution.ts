/** The constitution that stands in the request, and a change of it. */
import type { Language } from '../base/language.ts'
import { alreadyApproved, isCurrent, update, usableKey } from '../constitution/approve.ts'
import { lengthWarning } from '../constitution/constitution.ts'
import type { ConstitutionState, Home } from '../constitution/constitution-files.ts'
import type { NewText } from '../constitution/draft.ts'
import { fingerprint } from '../constitution/signing.ts'
import { standing } from '../constitution/standing.ts'
import type { ReadyFinding } from '../doctor/finding.ts'
import { diffLines } from './diff.ts'

export interface ConstitutionAnswer {
  state: ConstitutionState
  /** Of the approved text; null where the template stands, whose own version is no approval. */
  version: number | null
  language: Language
  /** SHA-256 of the text, in hex. */
  hash: string
  /** ISO time; null where nothing was approved. */
  approvedAt: string | null
  /** Fingerprint of the key that it was approved with. */
  key: string | null
  /** Where the text file lies, absolute. */
  file: string
  findings: Pick<ReadyFinding, 'code' | 'sentence' | 'remedy'>[]
  text: string
}

/**
 * @param language of the template, where that stands.
 * @returns the answer, what the text calls its version (a template has one as well), and what stands in the request where
 * something is wrong, in a sentence; else empty.
 */
export function answerConstitution(
  home: Home,
  language: Language,
): { value: ConstitutionAnswer; version: string; stands: string } {
  const { state, constitution, approved, findings, layout, stands } = standing(home, language)
  const value = {
    state,
    version: approved?.version ?? null,
    language: constitution.language,
    hash: constitution.hash,
    approvedAt: approved?.at ?? null,
    key: approved ? fingerprint(approved.key) : null,
    file: layout.constitution,
    findings: findings.map(({ code, sentence, remedy }) => ({ code, sentence, remedy })),
    text: constitution.text,
  }
  return { value, version: constitution.version, stands }
}

export interface ConstitutionChange {
  /** The approved version that it changes; null where none can be verified. */
  before: number | null
  language: Language
  /** Unified diff against the approved text, line by line. */
  diff: string[]
  warnings: string[]
}

export interface ConstitutionProposal {
  next: NewText
  /** The text is the approved one, and is approved again. */
  isSameText: boolean
  change: ConstitutionChange
}

/**
 * What approving a text would change. It writes nothing.
 * @throws MnemosError where it could not be approved, or is approved already.
 */
export function proposeConstitution(home: Home, next: NewText): ConstitutionProposal {
  const now = standing(home, next.language)
  usableKey(now)
  if (isCurrent(now, next)) throw alreadyApproved(now)
  const warning = lengthWarning(next.text)
  return {
    next,
    isSameText: now.approved?.text === next.text,
    change: {
      before: now.approved?.version ?? null,
      language: next.language,
      diff: diffLines(now.approved?.text ?? '', next.text),
      warnings: warning === undefined ? [] : [warning],
    },
  }
}

export interface ConstitutionApproval extends ConstitutionChange {
  applied: true
  version: number
}

/**
 * Approves a proposal as it was shown.
 * @throws MnemosError REFUSED where the passphrase is wrong, CHANGED_MEANWHILE where another text was approved since.
 */
export async function approveProposal(
  home: Home,
  { next, change }: ConstitutionProposal,
  passphrase: string,
): Promise<ConstitutionApproval> {
  const { version, warning } = await update(home, next, passphrase, change.before ?? undefined)
  const warnings = warning === undefined ? change.warnings : [...change.warnings, warning]
  return { applied: true, version, ...change, warnings }
}
