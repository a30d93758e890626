/** What goes into the index and what it tells: files, records in brief, counts. */

/** How a file looked when it was read: a file that still looks so need not be read again. */
export interface FileStamp {
  /** Relative to `<data>/memories`, with `/` between the parts. */
  path: string
  size: number
  mtimeMs: number
  ino: number
}

/** How a folder looked before it was listed. */
export interface FolderStamp {
  /** Relative to `<data>/memories`; empty for that folder itself. */
  path: string
  /** When it changed last: a time that nobody can set back, as a restored copy sets that of its files. */
  changedMs: number
}

export interface IndexedFile extends FileStamp {
  id: string | null
  /** Why the file is skipped; null for a good one. */
  bad: string | null
  rev: number | null
}

/** What recall needs to know of a record before its file is read. Hashes are made with {@link RecordIndex.key}. */
export interface Doc {
  doc: number
  path: string
  id: string
  size: number
  kind: string
  status: string
  source: string
  tier: string
  created: number
  validUntil: number | null
  dump: number
  workspace: number | null
  supersedes: string[]
  supersededBy: string[]
}

export interface Counts {
  /** Records: good files, copies of one id counted once. */
  total: number
  byStatus: Record<string, number>
  byKind: Record<string, number>
  bad: number
}

export interface IndexStats {
  docs: number
  /** Average number of terms, by field. */
  averages: number[]
}
