/**
 * The audit of a constitution: JSON lines, one for each approval, with the texts before and after. Each text is signed,
 * and each line begins with the text that the line before it ends with, so a line that is changed, left out or put in
 * is found.
 */

import { z } from 'zod'
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { LANGUAGES } from '../base/language.ts'
import { type ApprovedText, isGenuine, type SignedContent, signText } from './approved-text.ts'
import { REFUSE_BYTES } from './constitution.ts'
import type { KeyPair } from './signing.ts'

/** Hundreds of approvals of the largest texts, thousands of usual ones; a larger file was not written by Mnemos. */
export const AUDIT_LIMIT_BYTES = 16 * 1024 * 1024
/** Two texts of the largest size, should every byte of them need an escape of six. */
export const MOST_LINE_BYTES = 2 * 6 * REFUSE_BYTES + 2 * 1024
/** Years of approvals; reading more lines than that would delay a turn. */
export const AUDIT_LIMIT_LINES = 10_000
/** The last lines, whose signatures are checked. Lines before them are checked by their versions and texts alone. */
const VERIFIED_LINES = 100

/** Unknown keys are ignored: earlier versions also wrote `prev` and `seal`. */
const auditEntrySchema = z.object({
  version: z.int().min(1),
  at: z.string(),
  /** replace: the passphrase was forgotten, and a new key signs from here on. */
  act: z.enum(['init', 'update', 'replace']),
  language: z.enum(LANGUAGES),
  /** The text that was approved before; null where there was none. */
  before: z.string().nullable(),
  /** The text that is approved. */
  after: z.string(),
  /** The public key that signed it; base64. */
  key: z.string(),
  /** The audit before this line was damaged, full or missing, so a new one begins. */
  restart: z.literal(true).optional(),
  /** Of the approved text; base64. */
  signature: z.string(),
})
/** One line of the audit. */
export type AuditEntry = z.output<typeof auditEntrySchema>

/** The text that a line approves. */
export const approvedIn = ({ version, language, at, after, key, signature }: AuditEntry): ApprovedText => ({
  version,
  language,
  at,
  text: after,
  key,
  signature,
})

/** Whether a line is the one of this approval: a forged line can have its version and key. */
export const isLineOf =
  ({ version, key, signature, text }: ApprovedText) =>
  (entry: AuditEntry): boolean =>
    entry.version === version && entry.key === key && entry.signature === signature && entry.after === text

/** An audit as it was read. */
export interface Audit {
  /** The file as it is on disk; undefined where there is none. */
  raw: string | undefined
  /** The lines that can be read, in order. */
  entries: AuditEntry[]
  /** How many of them come before the first fault. */
  sound: number
  /** The first fault; undefined where every line is sound and follows from the one before. */
  fault: string | undefined
  /** It exists and cannot be read at all. */
  unreadable: boolean
}

/** A reason as it is written within brackets. */
export const sentencePart = (error: unknown): string => reasonOf(error).replace(/\.$/, '')

/** Reads the audit at a path and checks it. Never throws: a file that cannot be read is a fault. */
export function readAudit(disk: Disk, path: string): Audit {
  let raw: string | undefined
  try {
    raw = disk.read(path, AUDIT_LIMIT_BYTES)?.toString('utf8')
  } catch (error) {
    const fault = `it cannot be read (${sentencePart(error)})`
    return { raw: '', entries: [], sound: 0, fault, unreadable: true }
  }
  const audit: Audit = { raw, entries: [], sound: 0, fault: undefined, unreadable: false }
  const lines = (raw ?? '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const tooMany = lines.length > AUDIT_LIMIT_LINES
  if (tooMany) lines.length = AUDIT_LIMIT_LINES
  for (const [at, line] of lines.entries()) {
    const entry = parseAuditLine(line)
    if (entry === undefined) audit.fault ??= `line ${at + 1} cannot be read`
    else {
      const verify = at >= lines.length - VERIFIED_LINES
      audit.fault ??= lineFault(entry, audit.entries.at(-1), verify, `line ${at + 1}`)
      audit.entries.push(entry)
      if (audit.fault === undefined) audit.sound++
    }
  }
  if (tooMany) audit.fault ??= `it has more than ${AUDIT_LIMIT_LINES} lines`
  if (raw !== undefined && audit.entries.length === 0) audit.fault ??= 'it is empty'
  return audit
}

function parseAuditLine(line: string): AuditEntry | undefined {
  try {
    return auditEntrySchema.safeParse(JSON.parse(line)).data
  } catch {
    // The caller reports it as a fault.
    return undefined
  }
}

/** @param previous the line before; undefined for the first one. */
function lineFault(
  entry: AuditEntry,
  previous: AuditEntry | undefined,
  verify: boolean,
  line: string,
): string | undefined {
  if (verify && !isGenuine(approvedIn(entry))) return `${line} is not as it was signed`
  if (previous === undefined) return isBeginning(entry) ? undefined : 'its beginning is missing'
  if (!follows(entry, previous)) return `${line} does not follow from the line before it`
  if (entry.key !== previous.key && entry.act !== 'replace')
    return `${line} changes the key without saying so`
  return undefined
}

/** The first line of all is the `init` of version 1; one after a break says that it restarts. */
const isBeginning = ({ act, version, before, restart }: AuditEntry): boolean =>
  restart ? act !== 'init' : act === 'init' && version === 1 && before === null

const follows = ({ act, version, before, key, restart }: AuditEntry, previous: AuditEntry): boolean =>
  version === previous.version + 1 &&
  before === previous.after &&
  !restart &&
  act !== 'init' &&
  // A replacement always signs with a new key.
  !(act === 'replace' && key === previous.key)

/** What a line of the audit says, before it is signed. */
export interface AuditDraft extends SignedContent {
  act: AuditEntry['act']
  /** The text that was approved before; null where there was none. */
  before: string | null
  /** Whether a new audit begins with it. */
  restart: boolean
}

/** Signs a line of the audit. */
export function newAuditEntry(draft: AuditDraft, pair: KeyPair): AuditEntry {
  const { version, at, act, language, before, text, restart } = draft
  return {
    version,
    at,
    act,
    language,
    before,
    after: text,
    key: pair.publicKey,
    ...(restart ? { restart: true as const } : {}),
    signature: signText(draft, pair),
  }
}

/** A line as it is written, without its line end. */
export const auditLine = (entry: AuditEntry): string => JSON.stringify(entry)
