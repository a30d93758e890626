/** What waits for a decision, and the person's decision on it. */
import { MnemosError } from '../base/errors.ts'
import type { MemoryRecord } from '../record/record.ts'
import { acceptance, dismissal, reasonFor } from '../self-history/waiting.ts'
import type { Act } from '../store/acts.ts'
import type { Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'

export interface Candidate
  extends Pick<
    MemoryRecord,
    'id' | 'kind' | 'source' | 'status' | 'summary' | 'author' | 'exposedTo' | 'created'
  > {
  /** Why it waits. */
  reason: string
}

/** Oldest first. */
export async function answerCandidates(store: Store): Promise<Candidate[]> {
  await store.refresh()
  return store.waiting().map((record) => ({
    id: record.id,
    kind: record.kind,
    source: record.source,
    status: record.status,
    reason: reasonFor(record),
    summary: record.summary,
    author: record.author,
    exposedTo: record.exposedTo,
    created: record.created,
  }))
}

export interface AcceptAnswer extends Pick<MemoryRecord, 'id' | 'status' | 'layer' | 'source'> {
  /** The external record that the new one was made from; only where one was made. */
  derivedFrom?: string[]
  warnings: string[]
}

/**
 * Lets a waiting or external record count.
 * @throws MnemosError NOT_FOUND, or REFUSED where there is nothing to accept.
 */
export async function answerAccept(store: Store, id: string, context: TurnContext): Promise<AcceptAnswer> {
  const { record } = await store.get(id)
  const acts = acceptance(record, store.newId(), { by: context.author })
  const { stored, warnings } = await decided(store, acts, context)
  const { status, layer, source, derivedFrom } = stored
  return {
    id: stored.id,
    status,
    layer,
    source,
    ...(stored.id === record.id ? {} : { derivedFrom }),
    warnings,
  }
}

export interface DismissAnswer extends Pick<MemoryRecord, 'id' | 'status'> {
  why: string | undefined
  warnings: string[]
}

/**
 * Deprecates a waiting record; it stays readable.
 * @throws MnemosError NOT_FOUND, INVALID_INPUT where the reason is empty, or REFUSED where the record does not wait.
 */
export async function answerDismiss(
  store: Store,
  { id, why = 'dismissed by the person' }: { id: string; why?: string | undefined },
  context: TurnContext,
): Promise<DismissAnswer> {
  if (why.trim() === '')
    throw new MnemosError(
      'INVALID_INPUT',
      'The reason is empty.',
      'Say why it is dismissed, or give no reason.',
    )
  const { record } = await store.get(id)
  const acts = dismissal(record, why, { by: context.author })
  const { stored, warnings } = await decided(store, acts, context)
  return { id: stored.id, status: stored.status, why: stored.deprecated?.why, warnings }
}

/** Commits a decision. @returns the first record that it wrote: the one that is decided on, or made by it. */
async function decided(
  store: Store,
  acts: Act[],
  context: TurnContext,
): Promise<{ stored: MemoryRecord; warnings: string[] }> {
  const { records, warnings } = await store.commit(acts, context)
  const [stored] = records
  if (!stored)
    throw new MnemosError('STORAGE', 'Nothing was written.', 'Look at the record: mnemos show <id>')
  return { stored, warnings }
}
