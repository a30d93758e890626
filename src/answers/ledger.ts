/** Who did what to which record and when. */
import type { BadLine } from '../files/jsonl.ts'
import { type LedgerEntry, ledgerId } from '../files/ledger.ts'
import { instant } from '../search/recall/instant.ts'
import type { Store } from '../store/store.ts'
import type { UserMemory } from '../user-memory/user-memory.ts'

const LEDGER_LIMIT = 50

export interface LedgerRequest {
  /** A record's id, or the hash that stands for it in the ledger. */
  id?: string | undefined
  /** A day or an instant. */
  since?: string | undefined
  until?: string | undefined
  act?: string | undefined
  limit?: number | undefined
}

export interface NamedEntry extends LedgerEntry {
  /** What the hash stands for, where it is still there. */
  name?: string
}

export interface LedgerAnswer {
  /** Newest first. */
  entries: NamedEntry[]
  /** How many older ones there are. */
  more: number
  /** Lines that are none of the ledger's. */
  unreadable: BadLine[]
}

/** @throws MnemosError INVALID_INPUT where a date is none. */
export function answerLedger(
  { store, userMemory }: { store: Store; userMemory: UserMemory },
  { id, since, until, act, limit = LEDGER_LIMIT }: LedgerRequest,
): LedgerAnswer {
  const from = instant('since', since, 'begins').since
  const to = instant('until', until, 'ends').until
  const { entries, bad } = store.ledger(from, to)
  const wanted = id === undefined ? undefined : ledgerId(id)
  const found = entries
    .filter((entry) => wanted === undefined || entry.id === wanted || entry.id === id)
    .filter((entry) => act === undefined || entry.act === act)
    .reverse()
  const names = namesOf(store, userMemory)
  const shown = found.slice(0, limit).map((entry) => {
    const name = names.get(entry.id)
    return name === undefined ? entry : { ...entry, name }
  })
  return { entries: shown, more: found.length - shown.length, unreadable: bad }
}

/**
 * Names that stand in the ledger as hashes, of what is there now. A name that may tell something is kept out of the
 * ledger's file, not from the person who asks.
 */
function namesOf(store: Store, userMemory: UserMemory): ReadonlyMap<string, string> {
  const names = [
    ...store.ids(),
    ...userMemory.folder.files.scan().files.map(({ path }) => `user-memory/${path.replace(/\.md$/, '')}`),
  ]
  return new Map(names.flatMap((name) => (ledgerId(name) === name ? [] : [[ledgerId(name), name]])))
}
