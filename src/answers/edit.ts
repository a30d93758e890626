/** A person's edit of a record's file. */
import { MnemosError } from '../base/errors.ts'
import { readOnlyError } from '../files/claim.ts'
import { decode, plainBytes } from '../record/encoding.ts'
import type { Conflict } from '../record/merge.ts'
import type { FoundRecord, Store } from '../store/store.ts'
import type { TurnContext } from '../store/turn-context.ts'

export interface EditAnswer {
  id: string
  /** Absolute. */
  file: string
  written: boolean
  /** The record's revision; only where something was to be written. */
  rev?: number
  /** Whether it was merged with what another writer had saved meanwhile. */
  merged: boolean
  conflicts: Conflict[]
  warnings: string[]
}

/**
 * A record that a person is about to edit.
 * @throws MnemosError READ_ONLY where no edit could be stored, NOT_FOUND or DELETED.
 */
export async function editable(store: Store, id: string): Promise<FoundRecord> {
  if (store.readOnly !== undefined) throw readOnlyError(store.readOnly)
  return store.get(id)
}

/**
 * Stores what the person left of a record's text.
 * @param left the bytes that an editor wrote; undefined where it left no file.
 * @throws MnemosError when nothing was changed: INVALID_INPUT where it is empty or cannot be the record.
 */
export async function answerEdit(
  store: Store,
  { record: { id }, text: base, file }: FoundRecord,
  left: Buffer | undefined,
  context: TurnContext,
): Promise<EditAnswer> {
  if (!left || left.toString('utf8').trim() === '')
    throw new MnemosError(
      'INVALID_INPUT',
      'The text is empty; nothing was changed.',
      `To delete the record: mnemos delete ${id}`,
    )
  // Some editors write a byte order mark or Windows line ends where there were none; the person did not mean them.
  const mine = decode(/\r\n|^\ufeff/.test(base) ? left : plainBytes(left))
  if (mine === base) return { id, file, written: false, merged: false, conflicts: [], warnings: [] }
  const { records, existing, merged, warnings } = await store.commit(
    [{ act: 'edit', id, base, mine }],
    context,
  )
  const [record] = records
  return {
    id,
    file,
    written: !existing,
    ...(record ? { rev: record.rev } : {}),
    merged: merged !== undefined,
    conflicts: merged?.conflicts ?? [],
    warnings,
  }
}
