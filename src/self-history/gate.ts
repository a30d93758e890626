/** The gate of the self-history: who may write identity, and how much of it there is room for. */
import { MnemosError } from '../base/errors.ts'
import type { Gate, Verdict, Write } from '../store/admission.ts'
import { plainKind } from '../record/limits.ts'
import type { MemoryRecord } from '../record/record.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'
import { IDENTITY_CHARACTERS } from './budget.ts'
import { fits, isShowable, type Reader, type Room, roomFor, shownIdentity } from './self-history.ts'
import { OVERFLOW, reasonFor } from './waiting.ts'

const isIdentity = (record: MemoryRecord | undefined): boolean =>
  record !== undefined && plainKind(record.kind) === 'identity'

/**
 * Register it wherever records are written. A child's identity write is refused; one that has no room becomes a
 * candidate, or is refused where that would take an entry away that stands in view.
 */
export function identityGate(store: Pick<Store, 'selfHistory' | 'config' | 'now'>): Gate {
  return {
    name: 'identity',
    check(write, context) {
      if (write.act === 'delete' || !(isIdentity(write.next) || isIdentity(write.previous))) return undefined
      refuseChildren(context)
      const reader = { workspace: context.workspace, isolate: store.config.isolate, now: store.now() }
      return inBudget(write, context, store.selfHistory(), reader)
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

function inBudget(
  { next, previous }: Write,
  { author }: TurnContext,
  selfHistory: readonly MemoryRecord[],
  reader: Reader,
): Verdict {
  if (!isIdentity(next) || !isShowable(next, reader)) return undefined
  const current = selfHistory.filter((record) => isIdentity(record) && isShowable(record, reader))
  // Said again, it is the same record and takes no more room.
  if (!previous && current.some((one) => same(one, next))) return undefined
  const replaced = current.filter(({ id }) => id === next.id || next.supersedes.includes(id))
  const after = [...current.filter((record) => !replaced.includes(record)), next]
  if (!exceeds(roomFor(after), roomFor(current))) return undefined
  const room = tooMuch(roomFor(after), after.length)
  if (author === 'person') return { warnings: [`${room}; ${outOfView(after, next)}.`] }
  if (replaced.length > 0) {
    throw new MnemosError(
      'REFUSED',
      `${room}, and the entry that it replaces would be lost from it; nothing was written.`,
      'Write it shorter, or supersede more entries with it.',
    )
  }
  const waits = selfHistory.find((one) => isIdentity(one) && reasonFor(one) === OVERFLOW && same(one, next))
  if (waits) {
    throw new MnemosError(
      'REFUSED',
      `The same entry waits already, as the candidate "${waits.id}"; nothing was written.`,
      'Where there is room for it, curation or the person takes it in.',
    )
  }
  return {
    next: { ...next, status: 'candidate', candidateReason: OVERFLOW },
    warnings: [
      `${room}, so this is kept as a candidate: in neither recall nor view until curation or the person decides. Supersede entries with a shorter one to make room.`,
    ],
  }
}

const same = (a: MemoryRecord, b: MemoryRecord): boolean => a.summary === b.summary && a.content === b.content

/** What is wrong with so much identity, as half a sentence. */
const tooMuch = ({ text }: Room, entries: number): string =>
  text > IDENTITY_CHARACTERS
    ? `Identity would have ${text} characters and ${IDENTITY_CHARACTERS} stand in view`
    : `Identity would have ${entries} entries, more than there are lines for in view`

/** Beyond the budget, and not by what was beyond it already. */
const exceeds = (after: Room, before: Room): boolean =>
  !fits(after) && (after.text > before.text || after.block > before.block)

function outOfView(records: readonly MemoryRecord[], next: MemoryRecord): string {
  const shown = shownIdentity(records)
  const hidden = records.length - shown.length
  if (!shown.includes(next)) return 'this entry is stored and not shown'
  return hidden === 1 ? 'another entry is not shown any more' : `${hidden} other entries are not shown`
}
