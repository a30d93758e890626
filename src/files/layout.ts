/** Where everything is inside the data folder. Nothing in it depends on the machine that it was made on. */
import { join } from 'node:path'

/** The version of the folder's layout that this program writes. */
export const DATA_VERSION = 1

/** Absolute paths of the files and folders in a data folder. */
export interface Layout {
  root: string
  version: string
  memories: string
  index: string
  ledger: string
  usage: string
  tombstones: string
  pending: string
  /** The write of one file that is under way. */
  intent: string
  /** The text that is in every request, while it is the approved one. */
  constitution: string
  /** Every approval of a constitution, with the texts before and after. */
  audit: string
  /** The key that signs them. */
  key: string
  userMemory: string
  /** Which workspaces there are, and what was seen of each. */
  workspaces: string
  lock: string
}

/** The layout of a data folder. @param root absolute. */
export const layoutOf = (root: string): Layout => ({
  root,
  version: join(root, 'version'),
  memories: join(root, 'memories'),
  index: join(root, 'index', 'index.sqlite'),
  ledger: join(root, 'ledger'),
  usage: join(root, 'usage'),
  tombstones: join(root, 'tombstones.jsonl'),
  pending: join(root, 'pending'),
  intent: join(root, '.intent'),
  constitution: join(root, 'constitution', 'constitution.md'),
  audit: join(root, 'constitution', 'audit.jsonl'),
  key: join(root, 'constitution', 'key.json'),
  userMemory: join(root, 'user-memory'),
  workspaces: join(root, 'workspaces.json'),
  lock: join(root, '.lock'),
})

/** A path as it is told: from the data folder on. @param path relative to the memories folder; `.` is that folder. */
export const inMemories = (path: string): string => (path === '.' ? 'memories' : `memories/${path}`)

/** The month part of an ISO time, as folders and journals are named: `2026-11`. */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7)
