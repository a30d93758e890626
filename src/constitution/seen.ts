/** What lies there of a constitution: its files in the data folder, and the pin in the host's home. */
import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import { type Audit, readAudit, sentencePart } from './audit.ts'
import { REFUSE_BYTES } from './constitution.ts'
import { type Pin, readPin } from './pin.ts'
import { type KeyFile, keyFileSchema } from './seal.ts'

/** Where a constitution lives: the data folder, and the host's home that holds the pin. */
export interface Home {
  disk: Disk
  layout: Layout
  dshHome: string
  /** Milliseconds since the epoch. */
  now: () => number
}

/** A text file has a header besides the text. */
const FILE_LIMIT_BYTES = REFUSE_BYTES + 1024
const KEY_LIMIT_BYTES = 16 * 1024

/**
 * template: nobody made one yet. waiting: an unsigned text lies there. approved: the person's own stands in the
 * request. lost: they had one, and nothing of it can be verified.
 */
export type State = 'template' | 'waiting' | 'approved' | 'lost'

export type TextFile =
  | { kind: 'missing' }
  | { kind: 'bad'; reason: string }
  | { kind: 'text'; source: string; writable: boolean }

export interface Seen {
  layout: Layout
  file: TextFile
  audit: Audit
  key: KeyFile | undefined
  /** Why what lies in the key's place is none. */
  keyFault: string | undefined
  pin: Pin | undefined
  now: number
}

/** Reads and changes nothing. Never throws. */
export function see({ disk, layout, dshHome, now }: Home): Seen {
  return {
    layout,
    file: textFile(disk, layout.constitution),
    audit: readAudit(disk, layout.audit),
    ...keyFile(disk, layout.key),
    pin: readPin(disk, dshHome, layout.root),
    now: now(),
  }
}

function textFile(disk: Disk, path: string): TextFile {
  try {
    const bytes = disk.read(path, FILE_LIMIT_BYTES)
    if (!bytes) return { kind: 'missing' }
    const source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', source, writable: ((disk.stamp(path)?.mode ?? 0) & 0o222) !== 0 }
  } catch (error) {
    return { kind: 'bad', reason: sentencePart(error) }
  }
}

/** A key that cannot be read opens nothing: it is as good as none, and said so. */
function keyFile(disk: Disk, path: string): Pick<Seen, 'key' | 'keyFault'> {
  let text: string | undefined
  try {
    text = disk.read(path, KEY_LIMIT_BYTES)?.toString('utf8')
  } catch (error) {
    return { key: undefined, keyFault: sentencePart(error) }
  }
  if (text === undefined) return { key: undefined, keyFault: undefined }
  try {
    return { key: keyFileSchema.parse(JSON.parse(text)), keyFault: undefined }
  } catch {
    // Zod's and JSON's own words would not help a person here.
    return { key: undefined, keyFault: 'it holds no key' }
  }
}
