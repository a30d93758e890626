/** Keeping workspaces apart, where the config says so (`isolate`): for reading and for writing. */
import { ReasonedError } from '../base/errors.ts'
import type { MemoryRecord } from '../record/record.ts'
import { isElsewhere } from '../search/recall/leave-outs.ts'
import type { Gate } from './admission.ts'
import type { Write } from './change.ts'
import type { Store } from './store.ts'
import type { TurnContext } from './turn-context.ts'

declare module '../base/errors.ts' {
  interface ErrorReasons {
    /** A record that is not of the session's workspace. */
    OTHER_WORKSPACE: { id: string; workspace: string }
    /** A copy of a record that would be removed with it cannot be looked at. */
    UNREAD_COPY: { id: string }
  }
}

type ReadingFrom = Pick<TurnContext, 'workspace'>

/** Whether a record is kept from a session, because it is of another workspace. A person at the command line has none. */
export const isKeptFrom = (
  { config }: Pick<Store, 'config'>,
  record: Pick<MemoryRecord, 'workspace'>,
  { workspace }: ReadingFrom,
): boolean => config.isolate && isElsewhere(record.workspace, workspace)

/** @throws MnemosError REFUSED where a record is kept from the session. */
export function refuseKept(
  store: Pick<Store, 'config'>,
  record: Pick<MemoryRecord, 'id' | 'workspace'>,
  context: ReadingFrom,
): void {
  if (record.workspace === undefined || !isKeptFrom(store, record, context)) return
  throw new ReasonedError('REFUSED', {
    code: 'OTHER_WORKSPACE',
    id: record.id,
    workspace: record.workspace,
  })
}

/** No session changes, deletes or links a record of another workspace. */
export function isolationGate(store: Pick<Store, 'config' | 'find'>): Gate {
  return {
    name: 'isolation',
    async check(change, context) {
      if (!store.config.isolate || context.workspace === undefined) return undefined
      for (const write of change) {
        if (write.what === 'deletion' && write.isUnread)
          throw new ReasonedError('REFUSED', { code: 'UNREAD_COPY', id: write.record.id })
        const standing = standingIn(write)
        if (standing) refuseKept(store, standing, context)
      }
      const within = new Set(change.flatMap((write) => (write.what === 'record' ? [write.next.id] : [])))
      for (const id of new Set(change.flatMap(newLinks))) {
        const linked = within.has(id) ? undefined : await store.find(id)
        if (linked) refuseKept(store, linked, context)
      }
      return undefined
    },
  }
}

/** The record that a write changes or deletes, as it stands. */
function standingIn(write: Write): MemoryRecord | undefined {
  if (write.what === 'deletion') return write.record
  return write.what === 'record' ? write.previous : undefined
}

/** Ids that a write names and that were not named before. */
function newLinks(write: Write): string[] {
  if (write.what !== 'record') return []
  const before = write.previous ? linksOf(write.previous) : []
  return linksOf(write.next).filter((id) => !before.includes(id))
}

const linksOf = ({ links, supersedes, supersededBy, derivedFrom }: MemoryRecord): string[] => [
  ...links.map(({ to }) => to),
  ...supersedes,
  ...supersededBy,
  ...derivedFrom,
]
