/** The derived search index: one SQLite file, shared by processes, that can be deleted without losing anything. */
import type { Disk } from '../../base/disk.ts'
import { MnemosError, reasonOf } from '../../base/errors.ts'
import type { FileFault } from '../../files/file-fault.ts'
import type { FileStamp, FolderStamp } from '../../files/stamps.ts'
import type { MemoryRecord } from '../../record/record.ts'
import { latestKnown } from '../../record/times.ts'
import { type Connection, connect } from './connection.ts'
import { IndexDamaged, meaningOf } from './driver.ts'
import {
  type Counts,
  type Doc,
  type FileRow,
  type IndexedFile,
  type IndexStats,
  indexedFile,
} from './entries.ts'
import { addRow, chooseCopy, dropRow, eraseRows, sameKey } from './rows.ts'
import { keyOf, type RecallScope, whereOf } from './scope.ts'
import { type Statements, statementsOf } from './statements.ts'
import { type PackedTerms, termsFrom, termsOf, tokenOf } from './terms.ts'
import { applyWords, type WordChanges } from './words.ts'

const FILE = 'path, size, mtime AS mtimeMs, ino, id, bad, rev'
const DOC =
  'd.doc, d.path, d.id, d.size, d.kind, d.status, d.source, d.tier, d.created, d.valid_until AS validUntil, d.workspace, d.supersedes, d.superseded_by AS supersededBy'
/** FTS5 only chooses candidates; these weights say that a word of the summary says more than one of the text. */
const CHOICE = 'bm25(fts, 2.5, 2.0, 1.5, 1.0)'

interface DocRow extends Omit<Doc, 'supersedes' | 'supersededBy'> {
  supersedes: string | null
  supersededBy: string | null
}

/** Which part of a listing is wanted. */
interface ListedPart {
  limit: number
  /** How many are passed over; none where it is left out. */
  offset?: number
  /** Milliseconds since the epoch. */
  now: number
}

/** The index while it is open. Several processes may have it open; every method sees what all of them wrote. */
export class RecordIndex {
  readonly fresh: boolean
  readonly #disk: Disk
  readonly #file: string
  readonly #open: Connection
  readonly #sql: Statements
  /** What was computed from the tables, and the state of the tables that it was computed from. */
  #known: { version: number; stats?: IndexStats; frequencies: Map<number, number> } = {
    version: -1,
    frequencies: new Map(),
  }
  #writes = 0

  private constructor(disk: Disk, file: string, open: Connection) {
    this.#disk = disk
    this.#file = file
    this.#open = open
    this.#sql = statementsOf(open.db)
    this.fresh = open.fresh
  }

  /**
   * Opens the index, or makes an empty one (`fresh`) where there is none, it is damaged or of another version.
   * @throws MnemosError UNAVAILABLE when the SQLite driver does not load here, STORAGE, LOCKED.
   */
  static open(disk: Disk, file: string): RecordIndex {
    return new RecordIndex(disk, file, connect(disk, file))
  }

  /** Closes the file; no method may be called after it. */
  close(): void {
    this.#open.db.close()
  }

  /** Key of the hashes in this file. */
  get salt(): number {
    return this.#open.salt
  }

  /** A name (tag, task, session, workspace) as this index stores it. */
  key(name: string): number {
    return keyOf(name, this.salt)
  }

  /** Every file that was put in, skipped ones among them, by path. */
  files(): IndexedFile[] {
    return this.#read(() => this.#sql.all<FileRow>(`SELECT ${FILE} FROM docs ORDER BY path`).map(indexedFile))
  }

  /** All folders that were noted. A time says that all files of the folder are indexed as they were then; -1 says nothing. */
  folders(): FolderStamp[] {
    return this.#read(() => this.#sql.all<FolderStamp>('SELECT path, changed AS changedMs FROM folders'))
  }

  /** Notes these folders in place of all that were noted before. */
  noteFolders(folders: readonly FolderStamp[]): void {
    this.#write(() => {
      this.#sql.run('DELETE FROM folders')
      for (const { path, changedMs } of folders)
        this.#sql.run('INSERT INTO folders VALUES (?, ?)', path, changedMs)
    })
  }

  /**
   * Indexes records in place of what was indexed under their paths, all or none.
   * @param stillSo asked while no other process can write: a file that was changed, removed or deleted since it was
   * read is left out, so that nothing read earlier replaces something newer, and nothing deleted comes back.
   */
  put(
    entries: { file: FileStamp; record: MemoryRecord }[],
    stillSo: (file: FileStamp) => boolean = () => true,
  ): void {
    const ready = entries.map(({ file, record }) => ({ file, record, terms: termsOf(record, this.salt) }))
    this.#write((changes, touched) => {
      for (const { file, record, terms } of ready) {
        if (!stillSo(file)) continue
        dropRow(this.#sql, file.path, changes, touched)
        addRow(this.#sql, file, record, terms, this.salt, changes)
        touched.add(record.id)
      }
    })
  }

  /** Notes that files are skipped, and why, in one transaction. */
  putBad(bad: readonly { file: FileStamp; fault: FileFault }[]): void {
    this.#write((changes, touched) => {
      for (const { file, fault } of bad) {
        dropRow(this.#sql, file.path, changes, touched)
        this.#sql.run(
          'INSERT INTO docs (path, size, mtime, ino, bad) VALUES (?, ?, ?, ?, ?)',
          file.path,
          file.size,
          file.mtimeMs,
          file.ino,
          JSON.stringify(fault),
        )
      }
    })
  }

  /** Removes files. @returns the paths that were in the index: another process may have removed some of them before. */
  remove(paths: readonly string[]): string[] {
    let removed: string[] = []
    this.#write((changes, touched) => {
      removed = paths.filter((path) => dropRow(this.#sql, path, changes, touched))
    })
    return removed
  }

  /**
   * Removes records so that no byte of their text, path or id is left in the database file, its journal or a WAL.
   * Costs a rewrite of the tables of files and sources: deleted rows are zeroed by SQLite, but not the copies of them
   * that it leaves behind when it balances pages.
   * @param paths of their files, which may stand there as skipped ones, without an id.
   */
  erase(
    ids: readonly string[],
    paths: readonly string[] = [],
    spared: ReadonlySet<string> = new Set(),
  ): void {
    this.#write((changes, touched) => {
      for (const path of paths) dropRow(this.#sql, path, changes, touched)
      eraseRows(this.#sql, { ids, spared }, changes, touched)
    })
  }

  /** The files of records that are kept in memory. */
  keptPaths(): string[] {
    return this.#read(() =>
      this.#sql
        .all<{ path: string }>('SELECT path FROM docs WHERE kept = 1 ORDER BY path')
        .map(({ path }) => path),
    )
  }

  /** Ids of active records of that kind and source with the same summary and content (see {@link sameKey}). */
  sameContent(kind: string, source: string, summary: string, content: string): string[] {
    const key = sameKey({ summary, content }, this.salt)
    return this.#read(() =>
      this.#sql
        .all<{ id: string }>(
          `SELECT id FROM docs WHERE same = ? AND kind = ? AND source = ? AND status = 'active' AND bad IS NULL
         AND shadowed = 0 ORDER BY created, id`,
          key,
          kind,
          source,
        )
        .map((row) => row.id),
    )
  }

  /**
   * The files that name a record as one that they were made from, copies among them, by path. Few of them may name
   * another record whose id has the same hash: read the file.
   */
  derivedFrom(id: string): string[] {
    const key = this.key(id)
    return this.#read(() =>
      this.#sql
        .all<{ path: string }>(
          'SELECT d.path FROM derived s JOIN docs d ON d.doc = s.doc WHERE s.source = ? AND d.bad IS NULL ORDER BY d.path',
          key,
        )
        .map(({ path }) => path),
    )
  }

  /** The files that name a record as corrected by theirs, copies among them, by path. */
  supersedersOf(id: string): string[] {
    return this.#read(() =>
      this.#sql
        .all<{ path: string }>(
          `SELECT DISTINCT d.path FROM docs d, json_each(d.supersedes) s
         WHERE d.supersedes IS NOT NULL AND d.bad IS NULL AND s.value = ? ORDER BY d.path`,
          id,
        )
        .map(({ path }) => path),
    )
  }

  /** How many records there are, by status and kind, and how many files are skipped. */
  counts(): Counts {
    return this.#read(() => {
      const by = (column: 'status' | 'kind') =>
        Object.fromEntries(
          this.#sql
            .all<{ name: string; n: number }>(
              `SELECT ${column} AS name, count(*) AS n FROM docs WHERE bad IS NULL AND shadowed = 0 GROUP BY 1 ORDER BY 1`,
            )
            .map(({ name, n }) => [name, n]),
        )
      const byStatus = by('status')
      const total = Object.values(byStatus).reduce((sum, n) => sum + n, 0)
      const [bad] = this.#sql.all<{ n: number }>('SELECT count(*) AS n FROM docs WHERE bad IS NOT NULL')
      return { total, byStatus, byKind: by('kind'), bad: bad?.n ?? 0 }
    })
  }

  /** How many records lie within a scope, whatever their status. */
  countOf(scope: RecallScope): number {
    const where = whereOf(scope, this.salt)
    return this.#read(() => {
      const [row] = this.#sql.all<{ n: number }>(
        `SELECT count(*) AS n FROM docs d WHERE ${where.sql}`,
        ...where.values,
      )
      return row?.n ?? 0
    })
  }

  /** Records within a scope, newest first, whatever their status; those of a time that is still to come are last. */
  list(scope: RecallScope, { limit, offset = 0, now }: ListedPart): Doc[] {
    const where = whereOf(scope, this.salt)
    const latest = latestKnown(now)
    // Hardly ever is there one, and sorting by the column alone can use its index.
    const ahead = this.#read(() => this.#sql.get('SELECT 1 FROM docs WHERE created > ? LIMIT 1', latest))
    const order = ahead === undefined ? 'd.created DESC' : 'CASE WHEN d.created <= ? THEN d.created END DESC'
    return this.#docs(
      `SELECT ${DOC} FROM docs d WHERE ${where.sql} ORDER BY ${order}, d.id LIMIT ? OFFSET ?`,
      ...where.values,
      ...(ahead === undefined ? [] : [latest]),
      limit,
      offset,
    )
  }

  /**
   * Records within the scope that hold at least one of the terms, best first by FTS5's own measure.
   * @param allow - an SQL condition over `docs d`, from code and never from a caller's text.
   */
  candidates(terms: readonly number[], scope: RecallScope, limit: number, allow = ''): Doc[] {
    if (terms.length === 0) return []
    const where = whereOf(scope, this.salt)
    const match = terms.map((hash) => `"${tokenOf(hash)}"`).join(' OR ')
    const filtered = allow !== '' || where.values.length > 0
    return this.#docs(
      filtered
        ? `SELECT ${DOC} FROM fts JOIN docs d ON d.doc = fts.rowid WHERE fts MATCH ? AND ${where.sql}
           ${allow ? `AND ${allow}` : ''} ORDER BY ${CHOICE}, d.doc DESC LIMIT ?`
        : `SELECT ${DOC} FROM (SELECT rowid AS doc, ${CHOICE} AS score FROM fts WHERE fts MATCH ?
           ORDER BY score, doc DESC LIMIT ?) m JOIN docs d USING (doc) WHERE ${where.sql} ORDER BY m.score, d.doc DESC`,
      ...(filtered ? [match, ...where.values, limit] : [match, limit]),
    )
  }

  /** The stored terms of a record; empty where it was removed meanwhile. */
  packedOf(doc: number): PackedTerms {
    return this.#read(() => {
      const row = this.#sql.get<{ packed: Buffer }>('SELECT packed FROM terms WHERE doc = ?', doc)
      return row ? termsFrom(row.packed) : new Uint32Array(4)
    })
  }

  /** In how many records a term stands. */
  frequencyOf(hash: number): number {
    return this.#read(() => {
      const { frequencies } = this.#current()
      const known = frequencies.get(hash)
      if (known !== undefined) return known
      const row = this.#sql.get<{ n: number }>(
        'SELECT doc AS n FROM vocabulary WHERE term = ?',
        tokenOf(hash),
      )
      const n = row?.n ?? 0
      frequencies.set(hash, n)
      return n
    })
  }

  /** Numbers that ranking needs; computed again when the tables changed. */
  stats(): IndexStats {
    return this.#read(() => {
      const known = this.#current()
      if (!known.stats) {
        const [row] = this.#sql.all<{ n: number; a: number; b: number; c: number; d: number }>(
          `SELECT count(*) AS n, total(len0) AS a, total(len1) AS b, total(len2) AS c, total(len3) AS d
           FROM docs WHERE bad IS NULL`,
        )
        const docs = row?.n ?? 0
        known.stats = {
          docs,
          averages: [row?.a ?? 0, row?.b ?? 0, row?.c ?? 0, row?.d ?? 0].map(
            (sum) => sum / Math.max(1, docs),
          ),
        }
      }
      return known.stats
    })
  }

  /** Words of the records whose length lies within the bounds, with the number of files that hold them. */
  words(shortest: number, longest: number): { word: string; n: number }[] {
    return this.#read(() =>
      this.#sql.all<{ word: string; n: number }>(
        'SELECT word, n FROM words WHERE length(word) BETWEEN ? AND ? AND n > 0',
        shortest,
        longest,
      ),
    )
  }

  #write(work: (changes: WordChanges, touched: Set<string>) => void): void {
    this.#read(() => {
      const changes: WordChanges = new Map()
      const touched = new Set<string>()
      this.#open.db
        .transaction(() => {
          work(changes, touched)
          applyWords(this.#open.db, changes)
          for (const id of touched) chooseCopy(this.#sql, id)
        })
        .immediate()
      this.#writes++
    })
  }

  #docs(sql: string, ...values: (string | number)[]): Doc[] {
    return this.#read(() =>
      this.#sql.all<DocRow>(sql, ...values).map((row) => ({
        ...row,
        supersedes: idsOf(row.supersedes),
        supersededBy: idsOf(row.supersededBy),
      })),
    )
  }

  /** Runs `work` as long as the open file is the one at the index's path, and translates its errors. */
  #read<T>(work: () => T): T {
    if (this.#open.ino !== undefined && this.#inode() !== this.#open.ino)
      throw new IndexDamaged('its file was removed or replaced')
    try {
      return work()
    } catch (thrown) {
      throw meaningOf(thrown)
    }
  }

  /** The inode of the file at the index's path; undefined where there is none. */
  #inode(): number | undefined {
    try {
      return this.#disk.stamp(this.#file)?.ino
    } catch (error) {
      throw new MnemosError(
        'STORAGE',
        `The search index cannot be used: ${reasonOf(error)}.`,
        'Check free space and rights.',
        { cause: error },
      )
    }
  }

  #current() {
    const version = Number(this.#open.db.pragma('data_version', { simple: true })) * 2 ** 20 + this.#writes
    if (this.#known.version !== version) this.#known = { version, frequencies: new Map() }
    return this.#known
  }
}

const idsOf = (json: string | null): string[] => (json === null ? [] : (JSON.parse(json) as string[]))
