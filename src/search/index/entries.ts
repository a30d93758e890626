/** What the index tells: files, records in brief, numbers. */
import { type FileFault, fileFaultSchema } from '../../files/file-fault.ts'
import type { FileStamp } from '../../files/stamps.ts'

/** A file as it was indexed. */
export interface IndexedFile extends FileStamp {
  id: string | null
  /** Why the file is skipped; null for a good one. */
  fault: FileFault | null
  rev: number | null
}

/** As {@link IndexedFile}, with the fault as its JSON. */
export interface FileRow extends Omit<IndexedFile, 'fault'> {
  bad: string | null
}

/** A file as the index has it. A fault that cannot be read back is not known, so the file is to be read again. */
export function indexedFile({ bad, ...file }: FileRow): IndexedFile {
  if (bad === null) return { ...file, fault: null }
  const fault = fileFaultSchema.safeParse(json(bad))
  return fault.success ? { ...file, fault: fault.data } : { ...file, mtimeMs: -1, fault: null }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Written by another version, or damaged.
    return undefined
  }
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
