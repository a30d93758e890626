/** The tables of the index. All of them are derived: every row can be made again from the record files. */

/** Version of the tables and of segmentation: raise it whenever one of them changes, and every index is rebuilt. */
export const SCHEMA_VERSION = 8
/** "Mnem": distinguishes our file from any other database. */
export const APPLICATION_ID = 0x4d6e656d

/**
 * One row for each file; `bad` is the fault of a skipped one, as JSON. Words of a record are here only as hashes; id, path and
 * kind are the exceptions.
 */
export const DOCS_TABLE = `CREATE TABLE docs (
  doc INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, ino REAL NOT NULL,
  id TEXT, bad TEXT, rev INTEGER, shadowed INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0, kind TEXT, status TEXT, source TEXT, tier TEXT, created INTEGER, valid_until INTEGER,
  workspace INTEGER, task INTEGER, session INTEGER, same TEXT, supersedes TEXT, superseded_by TEXT,
  len0 INTEGER, len1 INTEGER, len2 INTEGER, len3 INTEGER)`

/** The indexes of that table. */
export const DOCS_INDEXES = `
  CREATE INDEX docs_id ON docs (id);
  CREATE INDEX docs_kept ON docs (path) WHERE kept = 1;
  CREATE INDEX docs_created ON docs (created);
  CREATE INDEX docs_same ON docs (same);
  CREATE INDEX docs_task ON docs (task);
  CREATE INDEX docs_session ON docs (session)`

/** Which file names a record as one that it was made from; the record is here only as the hash of its id. */
export const DERIVED_TABLE = `
  CREATE TABLE derived (source INTEGER NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (source, doc)) WITHOUT ROWID;
  CREATE INDEX derived_doc ON derived (doc)`

/** Plain words and in how many files they are, for near terms. The only record text in the database. */
export const WORDS_TABLE =
  'CREATE TABLE words (hash INTEGER PRIMARY KEY, word TEXT NOT NULL, n INTEGER NOT NULL)'

/** Everything that an empty index has. */
export const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  ${DOCS_TABLE};
  ${DOCS_INDEXES};
  CREATE TABLE folders (path TEXT PRIMARY KEY, changed REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE terms (doc INTEGER PRIMARY KEY, packed BLOB NOT NULL, words BLOB NOT NULL);
  CREATE TABLE tags (tag INTEGER NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (tag, doc)) WITHOUT ROWID;
  ${DERIVED_TABLE};
  ${WORDS_TABLE};
  CREATE VIRTUAL TABLE fts USING fts5 (summary, asked_as, tags, content, content = '', tokenize = 'ascii');
  INSERT INTO fts (fts, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (fts, 'row');`
