/**
 * The audit of a constitution: JSON lines, one an approval, with the texts before and after. Each line is signed and
 * names the line before it by its hash, so one that is changed, left out or put in shows. Each text has a signature of
 * its own besides, so that the last approved one can be told even where other lines are damaged.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { LANGUAGES, REFUSE_BYTES } from './constitution.ts'
import { isSigned, type KeyPair, signed } from './signing.ts'

/** Hundreds of approvals of the largest texts, thousands of usual ones; what is larger was not written by us. */
export const AUDIT_LIMIT_BYTES = 16 * 1024 * 1024
/** Two texts of the largest size, should every byte of them need an escape of six. */
export const MOST_LINE_BYTES = 2 * 6 * REFUSE_BYTES + 2 * 1024
/** Years of approvals; a look at more lines than that would hold up a turn. */
export const AUDIT_LIMIT_LINES = 10_000
/**
 * Lines whose signatures are checked, the last ones: each is signed over the hash of the line before it, so a change of
 * an older line shows in the hash that the next one names, at a hundredth of the cost.
 */
const SIGNED_LINES = 100

const entrySchema = z.strictObject({
  version: z.int().min(1),
  at: z.string(),
  /** replace: the passphrase was forgotten, and a new key signs from here on. */
  act: z.enum(['init', 'update', 'replace']),
  language: z.enum(LANGUAGES),
  before: z.string().nullable(),
  after: z.string(),
  /** The public key that signed this line. */
  key: z.string(),
  /** SHA-256 of the line before; empty in the first. */
  prev: z.string(),
  /** The audit before this line was damaged or missing, so it begins anew. */
  restart: z.literal(true).optional(),
  /** Of the approved text, see {@link textStatement}. */
  signature: z.string(),
  /** Of everything above. */
  seal: z.string(),
})
export type AuditEntry = z.output<typeof entrySchema>

/** An approved text as it is signed. */
export interface Approved {
  version: number
  language: AuditEntry['language']
  at: string
  text: string
  key: string
  signature: string
}

const textStatement = ({ version, language, at, text }: Omit<Approved, 'key' | 'signature'>): string =>
  JSON.stringify(['mnemos constitution text 1', version, language, at, text])

const lineStatement = (entry: Omit<AuditEntry, 'seal'>): string => {
  const { version, at, act, language, before, after, key, prev, restart = false, signature } = entry
  return JSON.stringify([
    'mnemos constitution audit 1',
    version,
    at,
    act,
    language,
    before,
    after,
    key,
    prev,
    restart,
    signature,
  ])
}

export const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex')

/** Whether the key that a text names signed it. */
export const isGenuine = (approved: Approved): boolean =>
  isSigned(approved.key, textStatement(approved), approved.signature)

export const approvedIn = ({ version, language, at, after, key, signature }: AuditEntry): Approved => ({
  version,
  language,
  at,
  text: after,
  key,
  signature,
})

/** Whether a line is the one of an approval: a false one may have its version and key. */
export const isLineOf =
  ({ version, key, signature, text }: Approved) =>
  (entry: AuditEntry): boolean =>
    entry.version === version && entry.key === key && entry.signature === signature && entry.after === text

export interface Audit {
  /** The file as it stands; undefined where there is none. */
  raw: string | undefined
  /** The lines that can be read, in order. */
  entries: AuditEntry[]
  /** The hash of each of them. */
  hashes: string[]
  /** How many of them come before the first thing that is wrong. */
  sound: number
  /** The first thing that is wrong with it; undefined where every line is signed and follows from the one before. */
  fault: string | undefined
  /** It is there and cannot be read at all. */
  unreadable: boolean
}

/** A reason as it stands within brackets. */
export const sentencePart = (error: unknown): string => reasonOf(error).replace(/\.$/, '')

/** Never throws: a file that cannot be read is a fault. */
export function readAudit(disk: Disk, path: string): Audit {
  let raw: string | undefined
  try {
    raw = disk.read(path, AUDIT_LIMIT_BYTES)?.toString('utf8')
  } catch (error) {
    const fault = `it cannot be read (${sentencePart(error)})`
    return { raw: '', entries: [], hashes: [], sound: 0, fault, unreadable: true }
  }
  const audit: Audit = { raw, entries: [], hashes: [], sound: 0, fault: undefined, unreadable: false }
  const lines = (raw ?? '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const tooMany = lines.length > AUDIT_LIMIT_LINES
  if (tooMany) lines.length = AUDIT_LIMIT_LINES
  for (const [at, line] of lines.entries()) {
    const entry = parsed(line)
    if (entry === undefined) audit.fault ??= `line ${at + 1} cannot be read`
    else {
      audit.fault ??= faultOf(entry, at, audit, at >= lines.length - SIGNED_LINES)
      audit.entries.push(entry)
      audit.hashes.push(hashOf(line))
      if (audit.fault === undefined) audit.sound++
    }
  }
  if (tooMany) audit.fault ??= `it has more than ${AUDIT_LIMIT_LINES} lines`
  if (raw !== undefined && audit.entries.length === 0) audit.fault ??= 'it is empty'
  return audit
}

function parsed(line: string): AuditEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data
  } catch {
    // Named as a fault by the caller.
    return undefined
  }
}

function faultOf(
  entry: AuditEntry,
  at: number,
  { entries, hashes }: Audit,
  checkSignatures: boolean,
): string | undefined {
  const line = `line ${at + 1}`
  const before = entries.at(-1)
  if (checkSignatures) {
    if (!isSigned(entry.key, lineStatement(entry), entry.seal)) return `${line} is not as it was signed`
    if (!isGenuine(approvedIn(entry))) return `the text in ${line} is not as it was signed`
  }
  if (at === 0)
    return entry.restart || (entry.version === 1 && entry.prev === '')
      ? undefined
      : 'its beginning is missing'
  if (before === undefined || entry.prev !== hashes.at(-1) || entry.version !== before.version + 1)
    return `${line} does not follow from the line before it`
  if (entry.key !== before.key && entry.act !== 'replace') return `${line} changes the key without saying so`
  return undefined
}

/** What is to be approved. */
export interface Draft {
  act: AuditEntry['act']
  version: number
  /** ISO. */
  at: string
  language: AuditEntry['language']
  before: string | null
  text: string
  restart: boolean
}

/** A signed line that follows from the last one of an audit. */
export function newEntry(audit: Audit, draft: Draft, { publicKey, privateKey }: KeyPair): AuditEntry {
  const { act, version, at, language, before, text, restart } = draft
  const unsealed = {
    version,
    at,
    act,
    language,
    before,
    after: text,
    key: publicKey,
    prev: restart ? '' : (audit.hashes.at(-1) ?? ''),
    ...(restart ? { restart: true as const } : {}),
    signature: signed(privateKey, textStatement({ version, language, at, text })),
  }
  return { ...unsealed, seal: signed(privateKey, lineStatement(unsealed)) }
}

export const lineOf = (entry: AuditEntry): string => JSON.stringify(entry)
