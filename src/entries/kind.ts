/**
 * Entries: facts that are one file each, in a folder of their own below the data folder. What a kind of them says of
 * itself is here; reading the folder, saving and what a deletion means for it are the same for every kind.
 */

import type { LedgerEntry } from '../files/ledger.ts'
import type { EntryFault } from './fault.ts'
import type { Look } from './look.ts'

export interface Named {
  /** That of the file, without `.md`. */
  name: string
}

export interface EntryKind<E extends Named> {
  /** The folder's name, by which gates, ledger and deletion know it too: `user-memory`. */
  folder: LedgerEntry['act']
  /** As sentences call it: "user memory". */
  noun: string
  /** Bytes that a file may have. */
  fileBytes: number
  isName(name: string): boolean
  /**
   * The entry that a file holds.
   * @param stem the file's name without `.md`.
   * @throws UnreadableEntry, or UnreadableText where its bytes are no text with front matter.
   */
  parse(bytes: Uint8Array, stem: string): E
  /** The text of an entry's file. */
  print(entry: E): string
  same(one: E, other: E): boolean
  /** As it is kept: without white space that belongs to the file. */
  plain(entry: E): E
  /** Undefined where nothing is wrong. */
  wrongIn(entry: E): EntryFault | undefined
  /** Every text of it that a model can bring in, by the name of its field: gates see them and may change them. */
  texts(entry: E): Readonly<Record<string, string>>
  withTexts(entry: E, texts: Readonly<Record<string, string>>): E
  /**
   * @param isThere whether its file is there already.
   * @throws MnemosError where it has no room beside the others.
   */
  assertRoom(look: Look<E>, entry: E, isThere: boolean): void
}
