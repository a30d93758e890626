/** The plain words of the records, from which near terms are offered. */
import type Database from 'better-sqlite3'
import { WORDS_TABLE } from './schema.ts'

/** Words whose number of files a transaction changed, by hash. */
export type WordChanges = Map<number, { word: string; by: number }>

/** Adds words to the changes. @param by 1 where a file gains them, -1 where it loses them. */
export function noteWords(
  changes: WordChanges,
  words: Iterable<readonly [number, string]>,
  by: 1 | -1,
): void {
  for (const [hash, word] of words) {
    const change = changes.get(hash)
    if (!change) changes.set(hash, { word, by })
    else {
      change.by += by
      if (word) change.word = word
    }
  }
}

/** Applies the changes inside the caller's transaction. */
export function applyWords(db: Database.Database, changes: WordChanges): void {
  const add = db.prepare(
    'INSERT INTO words VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET n = n + excluded.n',
  )
  const count = db.prepare<[number], number>('SELECT n FROM words WHERE hash = ?').pluck()
  let gone = false
  for (const [hash, { word, by }] of changes) {
    if (by === 0) continue
    add.run(hash, word, by)
    if (by < 0 && (count.get(hash) ?? 0) <= 0) gone = true
  }
  if (gone) rewriteWords(db)
}

/**
 * Makes the table again without the words that no file holds any more. Deleting their rows would not do: SQLite
 * zeroes a deleted cell, but not the copies that it left when it moved cells from page to page. A dropped table's
 * pages are zeroed whole.
 */
function rewriteWords(db: Database.Database): void {
  const kept = db.prepare('SELECT hash, word, n FROM words WHERE n > 0').raw().all() as [
    number,
    string,
    number,
  ][]
  db.exec(`DROP TABLE words; ${WORDS_TABLE}`)
  const add = db.prepare('INSERT INTO words VALUES (?, ?, ?)')
  for (const row of kept) add.run(...row)
}
