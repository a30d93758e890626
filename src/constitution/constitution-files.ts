/** The files of a constitution, as they are read: those in the data folder, and the pin in the host's home. */
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

/** The text file has a header besides the text. */
const FILE_LIMIT_BYTES = REFUSE_BYTES + 1024
const KEY_LIMIT_BYTES = 16 * 1024

/**
 * template: there is none yet. waiting: there is a text that nobody approved. approved: the person's own text is in the
 * request. lost: the person had one, and no text can be verified.
 */
export type ConstitutionState = 'template' | 'waiting' | 'approved' | 'lost'

/** What is in the place of the text file. */
export type TextFile =
  | { kind: 'missing' }
  | { kind: 'bad'; reason: string }
  | { kind: 'text'; source: string; writable: boolean }

/** What reading the files yields. */
export interface ConstitutionFiles {
  layout: Layout
  file: TextFile
  audit: Audit
  key: KeyFile | undefined
  /** Why the key file cannot be used. */
  keyFault: string | undefined
  pin: Pin | undefined
  /** When they were read; milliseconds since the epoch. */
  now: number
}

/** Reads the files of a constitution and changes nothing. Never throws. */
export function readConstitutionFiles({ disk, layout, dshHome, now }: Home): ConstitutionFiles {
  return {
    layout,
    file: readTextFile(disk, layout.constitution),
    audit: readAudit(disk, layout.audit),
    ...readKeyFile(disk, layout.key),
    pin: readPin(disk, dshHome, layout.root),
    now: now(),
  }
}

function readTextFile(disk: Disk, path: string): TextFile {
  try {
    const bytes = disk.read(path, FILE_LIMIT_BYTES)
    if (!bytes) return { kind: 'missing' }
    const source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', source, writable: ((disk.stamp(path)?.mode ?? 0) & 0o222) !== 0 }
  } catch (error) {
    return { kind: 'bad', reason: sentencePart(error) }
  }
}

/** A key that cannot be read counts as missing, and is reported. */
function readKeyFile(disk: Disk, path: string): Pick<ConstitutionFiles, 'key' | 'keyFault'> {
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
