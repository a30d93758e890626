/** What the index tells: files, records in brief, numbers. */
import type { FileStamp } from '../../files/stamps.ts'

/** A file as it was indexed. */
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

/** How many records and skipped files there are. */
export interface Counts {
  /** Records: good files, copies of one id counted once. */
  total: number
  byStatus: Record<string, number>
  byKind: Record<string, number>
  bad: number
}

/** Numbers that ranking needs. */
export interface IndexStats {
  docs: number
  /** Average number of terms, by field. */
  averages: number[]
}
