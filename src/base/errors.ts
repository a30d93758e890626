/** Machine-readable reasons. A tool result, `--json` and the exit code all carry the same one. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'NOT_FOUND'
  | 'DELETED'
  | 'REFUSED'
  | 'NOBODY_TO_ASK'
  | 'CHANGED_MEANWHILE'
  | 'LOCKED'
  | 'READ_ONLY'
  | 'STORAGE'
  | 'UNAVAILABLE'

/**
 * The one error class. `problem` says what is wrong, `remedy` what to do about it; together they are the one
 * sentence or two that a person or a model reads.
 */
export class MnemosError extends Error {
  readonly code: ErrorCode
  readonly problem: string
  readonly remedy: string

  constructor(code: ErrorCode, problem: string, remedy: string, options?: ErrorOptions) {
    super(remedy ? `${problem} ${remedy}` : problem, options)
    this.name = 'MnemosError'
    this.code = code
    this.problem = problem
    this.remedy = remedy
  }
}

/**
 * What a {@link ReasonedError} may say: each room declares its codes with their details here, and `messages/` has a
 * sentence for every one of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms above add to it.
export interface ErrorReasons {}

export type ErrorReason = { [C in keyof ErrorReasons]: { code: C } & ErrorReasons[C] }[keyof ErrorReasons]

/** An error that says by a code and details what is wrong. Its sentence is made at the edge: `messages/errors.ts`. */
export class ReasonedError extends MnemosError {
  readonly reason: ErrorReason

  constructor(code: ErrorCode, reason: ErrorReason, options?: ErrorOptions) {
    super(code, plain(reason), '', options)
    this.reason = reason
  }
}

/** Code and details in a row, for where no sentence is made of them. */
function plain(reason: object): string {
  const parts = Object.entries(reason).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return 'code' in value ? plain(value) : []
    if (value === undefined) return []
    return key === 'code' ? String(value).toLowerCase().replaceAll('_', ' ') : String(value)
  })
  return parts.join(': ')
}

/**
 * The message of anything that was thrown, on one line. What the system says is without the paths that it names: it may
 * reach a model, and whoever reads it is told by the rest of the sentence what it is about.
 */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const line = text.replace(/\s+/g, ' ').trim()
  return systemCode(thrown) === undefined ? line : line.replace(SYSTEM_CALL, '')
}

/** The end of a message of Node: `, open '/a/b'`, `, rename '/a/b' -> '/a/c'`. */
const SYSTEM_CALL = /, [a-z]+(?: '.*')?$/

/** As {@link reasonOf}, to stand in brackets or after a colon: of an error of ours what is wrong, without what to do. */
export const clauseOf = (thrown: unknown): string =>
  thrown instanceof MnemosError ? thrown.problem.replace(/\.$/, '') : reasonOf(thrown)

/** The `code` of a Node system error (`ENOENT`, `EACCES`, …), if the thrown value has one. */
export function systemCode(thrown: unknown): string | undefined {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code
  return undefined
}
