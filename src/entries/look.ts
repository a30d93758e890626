/** What lies in a folder of entries, as it was seen. */
import type { EntryFileFault } from './fault.ts'

/** An entry as its file holds it. */
export interface StoredEntry<E> {
  entry: E
  /** The file's text. */
  text: string
}

export interface Look<E> {
  /** In the order of their names. */
  entries: E[]
  /** Files that are no entries, relative to the folder. */
  bad: { file: string; fault: EntryFileFault }[]
  /** Names of files that are not looked at, since there are too many. */
  beyond: string[]
  /** Names of files that there was no time for; what was known of them stands until a later look. */
  later: string[]
  /** Whether there are as many files as are looked at: one more would put one out of sight. */
  full: boolean
}
