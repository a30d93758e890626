/** What is wrong with a memory just now, as codes with details. What a person reads of it is made by `messages/`. */
import type { ConfigProblem } from '../base/config.ts'
import type { FolderFault } from '../files/claim.ts'
import type { Misplaced } from '../files/misplaced.ts'
import type { TombstoneDamage } from '../files/tombstones.ts'
import type { RegisterFault } from '../files/workspace-register.ts'
import type { SkippedFile } from './known-files.ts'

/** The codes and their details. A room above the store adds its own to this interface. */
export interface ProblemDetails {
  /** Sentences of a room that makes them itself. */
  TEXT: { text: string }
  CONFIG: { problems: readonly ConfigProblem[] }
  /** The folder is only read. */
  READ_ONLY: { fault: FolderFault }
  OPEN_FAILED: { reason: string }
  /** The index is being filled. */
  FILLING: object
  LOOK_FAILED: { reason: string }
  LEDGER_FAILED: { reason: string }
  RECALL_UNAVAILABLE: { reason: string }
  BAD_FILES: { files: readonly SkippedFile[] }
  /** Something else stands in places of ours. */
  MISPLACED: { places: readonly Misplaced[] }
  /** Files that vanished together. */
  ABSENT_FILES: { count: number }
  /** What tells of deletions is damaged. */
  TOMBSTONES: TombstoneDamage
  /** Several files with one id: of each the first path counts. */
  COPIES: { copies: readonly { id: string; paths: readonly string[] }[] }
  /** `workspaces.json` cannot be read, or only some of it. */
  WORKSPACES_UNREAD: { fault: RegisterFault }
  /** It was damaged, and what lay there is kept under this name. */
  WORKSPACES_KEPT: { name: string }
  WORKSPACES_NOT_WRITTEN: { reason: string }
}

export type Problem = { [C in keyof ProblemDetails]: { code: C } & ProblemDetails[C] }[keyof ProblemDetails]

/** A problem of which a room makes the sentences itself; none where it has nothing to report. */
export const textProblem = (text: string | undefined): Problem | undefined =>
  text === undefined ? undefined : { code: 'TEXT', text }

/** What is to be reported: each problem once, under a key, until it is gone. */
export class Problems {
  readonly #problems = new Map<string, Problem>()

  set(key: string, problem: Problem | undefined): void {
    if (problem === undefined) this.#problems.delete(key)
    else this.#problems.set(key, problem)
  }

  list(): Problem[] {
    return [...this.#problems.values()]
  }
}
