/** A record's rows in all tables: added, dropped and wiped. Every function runs in the caller's transaction. */

import { createHash } from 'node:crypto'
import { countsFirst, type FileStamp } from '../../files/stamps.ts'
import { isKept, plainKind } from '../../record/kinds.ts'
import type { MemoryRecord } from '../../record/record.ts'
import { DERIVED_TABLE, DOCS_INDEXES, DOCS_TABLE } from './schema.ts'
import { keyOf } from './scope.ts'
import type { Statements } from './statements.ts'
import {
  EXTRA_BIT,
  type PackedTerms,
  type RecordTerms,
  termBytes,
  termsByField,
  termsFrom,
  tokenOf,
} from './terms.ts'
import { noteWords, type WordChanges } from './words.ts'

/** Adds a file and its record to every table. @param changes gets the words that it adds. */
export function addRow(
  sql: Statements,
  file: FileStamp,
  record: MemoryRecord,
  terms: RecordTerms,
  salt: number,
  changes: WordChanges,
): void {
  const keyOrNull = (name: string | undefined) => (name === undefined ? null : keyOf(name, salt))
  const { lastInsertRowid } = sql.run(
    `INSERT INTO docs (path, size, mtime, ino, id, rev, kept, kind, status, source, tier, created, valid_until,
       workspace, task, session, same, supersedes, superseded_by, len0, len1, len2, len3)
     VALUES (${Array(23).fill('?').join(', ')})`,
    file.path,
    file.size,
    file.mtimeMs,
    file.ino,
    record.id,
    record.rev,
    isKept(record) ? 1 : 0,
    plainKind(record.kind),
    record.status,
    record.source,
    record.tier,
    Date.parse(record.created),
    record.validUntil === undefined ? null : Date.parse(record.validUntil),
    keyOrNull(record.workspace),
    keyOrNull(record.task),
    keyOrNull(record.session),
    sameKey(record, salt),
    record.supersedes.length ? JSON.stringify(record.supersedes) : null,
    record.supersededBy.length ? JSON.stringify(record.supersededBy) : null,
    ...termsByField(terms.packed).map(lengthOf),
  )
  const doc = Number(lastInsertRowid)
  const words = Uint32Array.from(terms.words.keys())
  sql.run('INSERT INTO terms VALUES (?, ?, ?)', doc, termBytes(terms.packed), termBytes(words))
  sql.run(
    'INSERT INTO fts (rowid, summary, asked_as, tags, content) VALUES (?, ?, ?, ?, ?)',
    doc,
    ...columnsOf(terms.packed),
  )
  for (const tag of new Set(record.tags.map((name) => keyOf(name, salt))))
    sql.run('INSERT INTO tags VALUES (?, ?)', tag, doc)
  for (const source of new Set(record.derivedFrom.map((id) => keyOf(id, salt))))
    sql.run('INSERT INTO derived VALUES (?, ?)', source, doc)
  noteWords(changes, terms.words, 1)
}

/**
 * Drops the rows of a path from every table. @param touched - gets the id that lost a file.
 * @returns whether there was one.
 */
export function dropRow(sql: Statements, path: string, changes: WordChanges, touched: Set<string>): boolean {
  const row = sql.get<{ doc: number; id: string | null }>('SELECT doc, id FROM docs WHERE path = ?', path)
  if (!row) return false
  const stored = sql.get<{ packed: Buffer; words: Buffer }>(
    'SELECT packed, words FROM terms WHERE doc = ?',
    row.doc,
  )
  if (stored) {
    sql.run(
      "INSERT INTO fts (fts, rowid, summary, asked_as, tags, content) VALUES ('delete', ?, ?, ?, ?, ?)",
      row.doc,
      ...columnsOf(termsFrom(stored.packed)),
    )
    const words = Array.from(termsFrom(stored.words), (hash) => [hash, ''] as const)
    noteWords(changes, words, -1)
  }
  sql.run('DELETE FROM terms WHERE doc = ?', row.doc)
  sql.run('DELETE FROM tags WHERE doc = ?', row.doc)
  sql.run('DELETE FROM derived WHERE doc = ?', row.doc)
  sql.run('DELETE FROM docs WHERE doc = ?', row.doc)
  if (row.id !== null) touched.add(row.id)
  return true
}

/** Drops the records and makes the tables of files and sources again, so that no page keeps a copy of their rows. */
export function eraseRows(
  sql: Statements,
  { ids, spared }: { ids: readonly string[]; spared: ReadonlySet<string> },
  changes: WordChanges,
  touched: Set<string>,
): void {
  for (const id of ids)
    for (const { path } of sql.all<{ path: string }>('SELECT path FROM docs WHERE id = ?', id))
      if (!spared.has(path)) dropRow(sql, path, changes, touched)
  sql.exec('ALTER TABLE derived RENAME TO old_derived; DROP INDEX derived_doc')
  sql.exec(`${DERIVED_TABLE}; INSERT INTO derived SELECT * FROM old_derived; DROP TABLE old_derived`)
  sql.exec('ALTER TABLE docs RENAME TO old_docs')
  sql.exec(`${DOCS_TABLE}; INSERT INTO docs SELECT * FROM old_docs; DROP TABLE old_docs; ${DOCS_INDEXES}`)
}

interface Copy extends Pick<FileStamp, 'path' | 'mtimeMs'> {
  doc: number
  rev: number
  shadowed: number
}

/** Of several files with one id only the one that counts is found. */
export function chooseCopy(sql: Statements, id: string): void {
  const copies = sql.all<Copy>(
    'SELECT doc, path, mtime AS mtimeMs, rev, shadowed FROM docs WHERE id = ? AND bad IS NULL',
    id,
  )
  copies.sort(countsFirst).forEach((copy, at) => {
    const shadowed = at === 0 ? 0 : 1
    if (copy.shadowed !== shadowed) sql.run('UPDATE docs SET shadowed = ? WHERE doc = ?', shadowed, copy.doc)
  })
}

/** One key for all spellings that a reader would call the same: width, case and white space do not count. */
export function sameKey(record: { summary: string; content: string }, salt: number): string {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  return createHash('sha256')
    .update(`${salt}\0${plain(record.summary)}\0${plain(record.content)}`)
    .digest('base64url')
    .slice(0, 24)
}

/** The length of a field in terms that are not extra readings. */
function lengthOf(terms: Uint32Array): number {
  let n = 0
  for (const term of terms) if (!(term & EXTRA_BIT)) n++
  return n
}

const columnsOf = (packed: PackedTerms): string[] =>
  termsByField(packed).map((terms) => Array.from(terms, tokenOf).join(' '))
