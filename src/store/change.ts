/** A change as the gates see it: everything that would be written together, before any of it is. */
import type { MemoryRecord } from '../record/record.ts'

/** A record that would be written. */
export interface RecordWrite {
  what: 'record'
  act: 'create' | 'update' | 'correct' | 'deprecate'
  /** As it would stand. `created`, `updated` and `rev` are stamped by the store after the gates. */
  next: MemoryRecord
  /** As it stands now; undefined for a new one. */
  previous: MemoryRecord | undefined
  /** Of a person's edit: the whole text of the file, with comments and keys that are no fields. */
  text?: string
}

/** A record that would be deleted for good. A gate may refuse it and change nothing of it. */
export interface RecordDeletion {
  what: 'deletion'
  record: MemoryRecord
  /** A copy of it that cannot be looked at would be removed too: whose it is, is not known. */
  isUnread?: true
}

/** A named text in a room of its own (an entry of the user memory, later a skill) that would be written. */
export interface EntryWrite {
  what: 'entry'
  /** Whose it is: `user-memory`. */
  room: string
  act: 'create' | 'overwrite'
  name: string
  /** Every text of it by the name of its field. */
  texts: Readonly<Record<string, string>>
  /** As they stand now; undefined for a new one. */
  previous: Readonly<Record<string, string>> | undefined
}

export type Write = RecordWrite | RecordDeletion | EntryWrite

/** A text of a write and where it stands in it: `summary`, `links.0.why`. */
export interface FieldText {
  field: string
  text: string
}

/** Every text that a write would bring in, for gates that judge words: `file` is the whole of an edited one. A deletion brings none. */
export function textsIn(write: Write): FieldText[] {
  if (write.what === 'deletion') return []
  if (write.what === 'entry') return [{ field: 'name', text: write.name }, ...fieldTextsIn(write.texts, [])]
  return [
    ...fieldTextsIn(write.next, []),
    ...(write.text === undefined ? [] : [{ field: 'file', text: write.text }]),
  ]
}

function fieldTextsIn(value: unknown, path: readonly string[]): FieldText[] {
  if (typeof value === 'string') return [{ field: path.join('.'), text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => fieldTextsIn(inner, [...path, key]))
}
