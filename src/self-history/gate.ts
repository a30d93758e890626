/** The gate of the self-history: who may write identity, and how much of it there is room for. */
import { MnemosError } from '../base/errors.ts'
import { plainKind } from '../record/kinds.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { Gate } from '../store/admission.ts'
import type { RecordWrite, Write } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { IDENTITY_CHARACTERS, IDENTITY_ENTRIES } from './budget.ts'
import { fits, type HistoryReader, isShowable, type Room, roomFor, shownIdentity } from './self-history.ts'
import { OVERFLOW, reasonFor } from './waiting.ts'

const isIdentity = (record: MemoryRecord | undefined): boolean =>
  record !== undefined && plainKind(record.kind) === 'identity'

const touchesIdentity = (write: Write): write is RecordWrite =>
  write.what === 'record' && (isIdentity(write.next) || isIdentity(write.previous))

/**
 * Register it wherever records are written. A child's identity write is refused; one that has no room becomes a
 * candidate, or the change is refused where that would leave something superseded without a successor in view.
 */
export function identityGate(store: Pick<Store, 'selfHistory' | 'config' | 'now'>): Gate {
  return {
    name: 'identity',
    check(change, context) {
      if (!change.some(touchesIdentity)) return undefined
      refuseChildren(context)
      const reader = { workspace: context.workspace, isolate: store.config.isolate, now: store.now() }
      return new Budget(change, context, store.selfHistory(), reader).verdict()
    },
  }
}

function refuseChildren({ role }: TurnContext): void {
  if (role !== 'child') return
  throw new MnemosError(
    'REFUSED',
    'A child session does not write or change who the assistant is; nothing was written.',
    'Hand the wording back to the session that started this one.',
  )
}

/** What a change makes of the identity in view. */
class Budget {
  readonly #change: readonly Write[]
  readonly #context: TurnContext
  readonly #selfHistory: readonly MemoryRecord[]
  readonly #reader: HistoryReader
  /** Identity in view as it is, and as the writes so far leave it. */
  readonly #before: readonly MemoryRecord[]
  #after: readonly MemoryRecord[]

  constructor(
    change: readonly Write[],
    context: TurnContext,
    selfHistory: readonly MemoryRecord[],
    reader: HistoryReader,
  ) {
    this.#change = change
    this.#context = context
    this.#selfHistory = selfHistory
    this.#reader = reader
    this.#before = selfHistory.filter((record) => this.#isInView(record))
    this.#after = this.#before
  }

  verdict() {
    const warnings: string[] = []
    // What goes makes room first, in whatever order the writes stand.
    const gone = this.#change.flatMap((write) =>
      touchesIdentity(write) && !this.#isInView(write.next) ? [write.next.id] : [],
    )
    this.#after = this.#before.filter(({ id }) => !gone.includes(id))
    let isChanged = false
    const change = this.#change.map((write) => {
      if (!touchesIdentity(write)) return write
      const kept = this.#take(write, warnings)
      isChanged ||= kept !== write
      return kept
    })
    return { warnings, ...(isChanged ? { change } : {}) }
  }

  #isInView(record: MemoryRecord): boolean {
    return isIdentity(record) && isShowable(record, this.#reader)
  }

  /** One write on top of those before it: as it is, or as a candidate. @throws MnemosError where it is refused. */
  #take(write: RecordWrite, warnings: string[]): RecordWrite {
    const { next, previous } = write
    if (!this.#isInView(next)) return write
    // Said again, it is the same record and takes no more room.
    if (!previous && this.#after.some((one) => isSameText(one, next))) return write
    const after = [...this.#after.filter(({ id }) => id !== next.id), next]
    if (!exceeds(roomFor(after), roomFor(this.#before))) {
      this.#after = after
      return write
    }
    const room = tooMuch(roomFor(after))
    if (this.#context.author === 'person') {
      this.#after = after
      warnings.push(`${room}; ${outOfView(after, next)}.`)
      return write
    }
    if (this.#replaces(write)) {
      throw new MnemosError(
        'REFUSED',
        `${room}, and the entry that it replaces would be lost from it; nothing was written.`,
        'Write it shorter, or supersede more entries with it.',
      )
    }
    this.#refuseWaiting(next)
    warnings.push(
      `${room}, so this is kept as a candidate: in neither recall nor view until curation or the person decides. Supersede entries with a shorter one to make room.`,
    )
    return { ...write, next: { ...next, status: 'candidate', candidateReason: OVERFLOW } }
  }

  /** Whether something that is held now would be held no more once this write is only a candidate. */
  #replaces({ next, previous }: RecordWrite): boolean {
    if (previous !== undefined && this.#isInView(previous)) return true
    return this.#change.some(
      (other) =>
        other.what === 'record' &&
        other.previous?.status === 'active' &&
        other.next.status !== 'active' &&
        (next.supersedes.includes(other.next.id) || other.next.supersededBy.includes(next.id)),
    )
  }

  #refuseWaiting(next: MemoryRecord): void {
    const waits = this.#selfHistory.find(
      (one) => isIdentity(one) && reasonFor(one) === OVERFLOW && isSameText(one, next),
    )
    if (!waits) return
    throw new MnemosError(
      'REFUSED',
      `The same entry waits already, as the candidate "${waits.id}"; nothing was written.`,
      'Where there is room for it, curation or the person takes it in.',
    )
  }
}

const isSameText = (a: MemoryRecord, b: MemoryRecord): boolean =>
  a.summary === b.summary && a.content === b.content

/** What is wrong with so much identity, as half a sentence. */
function tooMuch({ entries, text }: Room): string {
  if (text > IDENTITY_CHARACTERS)
    return `Identity would have ${text} characters and ${IDENTITY_CHARACTERS} stand in view`
  if (entries > IDENTITY_ENTRIES)
    return `Identity would have ${entries} entries and ${IDENTITY_ENTRIES} stand in view`
  return `Identity would have ${entries} entries, more than there are lines for in view`
}

/** Beyond the budget, and not by what was beyond it already. */
const exceeds = (after: Room, before: Room): boolean =>
  !fits(after) && (after.entries > before.entries || after.text > before.text || after.block > before.block)

function outOfView(records: readonly MemoryRecord[], next: MemoryRecord): string {
  const shown = shownIdentity(records)
  const hidden = records.length - shown.length
  if (!shown.includes(next)) return 'this entry is stored and not shown'
  return hidden === 1 ? 'another entry is not shown any more' : `${hidden} other entries are not shown`
}
