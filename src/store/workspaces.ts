/** The workspaces of a data folder: what the folder of a session is called, by its records and everywhere else. */
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { cut, oneLine } from '../base/text.ts'
import { canBeSeen } from '../base/visible.ts'
import type { HeldLock } from '../files/lock.ts'
import { type Evidence, FolderSights, nameOf, type Sight } from '../files/workspace.ts'
import { RegisterFile } from '../files/workspace-register.ts'
import { newSuffix } from '../record/ids.ts'
import type { Problem } from './problems.ts'
import { byRemote, lacksRoots, matching, withEvidence } from './workspace-match.ts'

/** Characters of a name: what a record can keep, with room for a suffix. */
const LABEL_CHARACTERS = 400

/** A write in a folder, under the lock. */
export interface Entering {
  /** The id of the folder's workspace, as the register stands now. */
  id(): string
  /**
   * Puts the folder into the register, with whatever is new of it. Does not throw: where the register cannot be written,
   * that is reported.
   */
  enter(held: HeldLock): void
}

/**
 * Tells which workspace a folder belongs to. Reading writes nothing: a folder that is not in the register yet has the
 * name that it would be given. A write puts it into the register, from when on it keeps its id whatever becomes of the
 * folder's remotes, commits and place.
 */
export class Workspaces {
  readonly #file: RegisterFile
  readonly #sights = new FolderSights()
  /** Ids that were made for folders which are not in the register yet, by folder. */
  readonly #made = new Map<string, string>()
  #kept: string | undefined
  #notWritten: string | undefined

  constructor(disk: Disk, file: string, now: () => number) {
    this.#file = new RegisterFile(disk, file, now)
  }

  /** The id of a folder's workspace; undefined where there is no folder. Never rejects. */
  async of(folder: string | undefined): Promise<string | undefined> {
    if (!folder) return undefined
    const sight = await this.#sights.of(folder)
    const { workspaces } = this.#file.read()
    const known = byRemote(workspaces, sight)
    if (known) return known.id
    return this.#idOf(await whole(sight))
  }

  /** What a write in a folder does under the lock. Git is asked here, so that nobody waits for it under the lock. */
  async entering(folder: string): Promise<Entering> {
    const sight = await this.#sights.of(folder)
    const known = byRemote(this.#file.read().workspaces, sight)
    const evidence = known && !lacksRoots(known) ? { ...sight, roots: [] } : await whole(sight)
    return { id: () => this.#idOf(evidence), enter: (held) => this.#enter(evidence, held) }
  }

  #idOf(evidence: Evidence): string {
    return matching(this.#file.read().workspaces, evidence)?.id ?? this.#nameFor(evidence)
  }

  #enter(evidence: Evidence, held: HeldLock): void {
    const { workspaces, fault } = this.#file.read()
    if (fault?.code === 'UNREADABLE') return
    // A damaged one is written anew although nothing is to be added to it.
    const next = withEvidence(workspaces, this.#idOf(evidence), evidence) ?? (fault ? workspaces : undefined)
    if (next === undefined) return
    try {
      this.#kept = this.#file.write(next, held) ?? this.#kept
      this.#notWritten = undefined
    } catch (error) {
      this.#notWritten = reasonOf(error)
    }
  }

  /** What a workspace that is not in the register yet is called; always the same for one folder. */
  #nameFor(evidence: Evidence): string {
    const { workspaces, fault } = this.#file.read()
    const isTaken = (id: string) => workspaces.some((one) => one.id === id)
    const { text, isCommon } = nameOf(evidence)
    const name = plainName(text)
    // What a damaged register does not tell may be another workspace of that name.
    if (!isTaken(name) && !(isCommon && fault !== undefined)) return name
    const made = this.#made.get(evidence.folder)
    if (made !== undefined && !isTaken(made)) return made
    const id = `${name}-${newSuffix((suffix) => isTaken(`${name}-${suffix}`))}`
    this.#made.set(evidence.folder, id)
    return id
  }

  /** What is to be reported of the register. */
  problems(): Problem[] {
    const { fault } = this.#file.read()
    return [
      ...(fault ? [{ code: 'WORKSPACES_UNREAD' as const, fault }] : []),
      ...(this.#kept === undefined ? [] : [{ code: 'WORKSPACES_KEPT' as const, name: this.#kept }]),
      ...(this.#notWritten === undefined
        ? []
        : [{ code: 'WORKSPACES_NOT_WRITTEN' as const, reason: this.#notWritten }]),
    ]
  }
}

const whole = async (sight: Sight): Promise<Evidence> => ({ ...sight, roots: await sight.roots() })

/** As a record can keep it: one line that can be seen. */
function plainName(text: string): string {
  const name = cut(oneLine(text), LABEL_CHARACTERS, '')
  return canBeSeen(name) ? name : 'workspace'
}
