/** What a commit can be asked to do. */
import type { MemoryRecord } from '../record/record.ts'

/** A record that does not exist yet: what is left out gets its default, and the store sets id, times and rev. */
export type NewRecord = Partial<Omit<MemoryRecord, 'created' | 'updated' | 'rev'>> & { summary: string }

export interface CreateAct {
  act: 'create'
  record: NewRecord
  /** Where an active record of the same kind and source says the same, that one is the answer and nothing is written. */
  unlessSame?: (existing: MemoryRecord) => boolean
}

export interface ReviseAct {
  act: 'update' | 'correct' | 'deprecate'
  id: string
  /**
   * The record as it is to be, from the record as it stands at that moment. May throw to refuse.
   * @param at when the act is done, with the lock held; ISO.
   */
  change: (current: MemoryRecord, at: string) => MemoryRecord
}

/** A person's edit of the file itself. */
export interface EditAct {
  act: 'edit'
  id: string
  /** The file's text as the person was shown it, and as they left it. */
  base: string
  mine: string
}

export type Act = CreateAct | ReviseAct | EditAct
