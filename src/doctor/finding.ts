/** What the doctor says: one thing that is wrong, or worth knowing, and what to do about it. */

/** error: records are not found or not safe. warning: something is to be put right. notice: nothing is wrong. */
export type Severity = 'error' | 'warning' | 'notice'

export const FINDINGS = {
  NO_FOLDER: 'error',
  NOT_WRITABLE: 'error',
  VERSION_NEWER: 'error',
  VERSION_DAMAGED: 'error',
  VERSION_MISSING: 'warning',
  UNREAD_FOLDER: 'error',
  ABSENT_FILES: 'error',
  BAD_FILE: 'warning',
  RESTORED_COPY: 'warning',
  TWO_FILES: 'warning',
  PERMISSIONS: 'warning',
  TEMPORARY_FILES: 'warning',
  UNFINISHED_ACT: 'warning',
  INDEX_DAMAGED: 'warning',
  INDEX_WRONG: 'warning',
  INDEX_VERSION: 'warning',
  NO_DRIVER: 'error',
  INDEX_IN_USE: 'notice',
  INDEX_MISSING: 'notice',
  INDEX_BEHIND: 'notice',
  PROFILES_DAMAGED: 'warning',
  CONSTITUTION_LOST: 'error',
  CONSTITUTION_CHANGED: 'warning',
  CONSTITUTION_MISSING: 'warning',
  CONSTITUTION_AUDIT: 'warning',
  CONSTITUTION_KEY: 'warning',
  CONSTITUTION_WAITING: 'warning',
  CONSTITUTION_LONG: 'warning',
  CONSTITUTION_UNFINISHED: 'warning',
  CONSTITUTION_WRITABLE: 'notice',
  CONSTITUTION_FOUND: 'notice',
  CONSTITUTION_REPLACED: 'notice',
  BAD_USER_MEMORY: 'warning',
  USER_MEMORY_FULL: 'warning',
  SYNCED_PLACE: 'notice',
  NETWORK_PLACE: 'notice',
  LEDGER_LINES: 'notice',
  TOMBSTONE_LINES: 'notice',
  EMPTY_PROFILE: 'notice',
} as const satisfies Record<string, Severity>
export type FindingCode = keyof typeof FINDINGS

export interface Finding {
  code: FindingCode
  severity: Severity
  sentence: string
  remedy: string
  /** What it is about, relative to the data folder where it lies in it. */
  paths: string[]
  /** Whether `doctor --fix` puts it right. */
  fixable: boolean
}

export const finding = (
  code: FindingCode,
  sentence: string,
  remedy: string,
  more: { paths?: string[]; fixable?: boolean } = {},
): Finding => ({
  code,
  severity: FINDINGS[code],
  sentence,
  remedy,
  paths: more.paths ?? [],
  fixable: more.fixable ?? false,
})

/** Whether something is to be put right; a notice is none. */
export const isIll = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity !== 'notice')

export const FIX = 'Mend it with: mnemos doctor --fix'

const NAMED = 3

/** The first few by name, the rest by number. */
export const named = (names: readonly string[]): string =>
  names.length > NAMED
    ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`
    : names.join(', ')

export const counted = (n: number, one: string, many: string): string =>
  n === 1 ? `One ${one}` : `${n} ${many}`
