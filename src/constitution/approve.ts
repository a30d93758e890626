/**
 * Approving a constitution: the first one, a change of it, and a new beginning under a new key. Each holds the folder's
 * lock, and writes in an order that leaves the old or the new text in force wherever it is interrupted: a text file that
 * was not approved is kept under another name, the pin learns the new key, the key is written, then the audit (from here
 * on the new text is in force), the ledger, the text file, and the pin's version.
 */
import { iso } from '../base/clock.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import {
  checkPlaces,
  finishApproval,
  keepUnapprovedText,
  withConstitutionLock,
  writeConstitutionFile,
  writeKeptCopy,
} from './approval-files.ts'
import { isGenuine } from './approved-text.ts'
import {
  AUDIT_LIMIT_BYTES,
  AUDIT_LIMIT_LINES,
  type AuditEntry,
  approvedIn,
  auditLine,
  isLineOf,
  MOST_LINE_BYTES,
  newAuditEntry,
} from './audit.ts'
import type { Home } from './constitution-files.ts'
import type { NewText } from './draft.ts'
import { checkPassphrase } from './passphrase.ts'
import { changePin, pinOf } from './pin.ts'
import { type Cost, openKey, STRONG, sealKey } from './seal.ts'
import { type KeyPair, newKeyPair } from './signing.ts'
import type { ConstitutionStanding } from './standing.ts'

/** An approval that is in force. */
export interface Approval {
  version: number
  /** What could not be written (the next start of a host finishes it), or was damaged and kept under another name. */
  warning: string | undefined
}

/**
 * Approves the first constitution of a folder, or with `replace` one under a new key.
 * @param cost what guessing the passphrase costs.
 * @throws MnemosError REFUSED where there is one already, INVALID_INPUT for a bad passphrase.
 */
export async function initialise(
  home: Home,
  next: NewText,
  passphrase: string,
  { replace = false, cost = STRONG }: { replace?: boolean; cost?: Cost } = {},
): Promise<Approval> {
  checkPassphrase(passphrase)
  checkPlaces(home)
  return withConstitutionLock(home, async (held, now) => {
    if (!replace && (now.state === 'approved' || now.state === 'lost')) throw alreadyThere(now)
    const pair = newKeyPair()
    const { publicKey } = pair
    const key = `${JSON.stringify(sealKey(pair, passphrase, cost), null, 2)}\n`
    keepUnapprovedText(home, now, next.text, held)
    const kept = await changePin(home.disk, home.dshHome, home.layout.root, (pin) => {
      const old = pin?.version ? pin : now.nextPin
      return old ? { ...old, successor: publicKey } : { publicKey, version: 0, at: isoNow(home) }
    })
    writeConstitutionFile(home, home.layout.key, key, held)
    const isFirst = now.state === 'template' || now.state === 'waiting'
    return withWarning(await writeApproval(home, now, next, isFirst ? 'init' : 'replace', pair, held), kept)
  })
}

/**
 * Approves a change.
 * @param shown the version that the person saw the change against; undefined where none was shown.
 * @throws MnemosError REFUSED when the passphrase is wrong; nothing was changed then.
 */
export async function update(
  home: Home,
  next: NewText,
  passphrase: string,
  shown?: number,
): Promise<Approval> {
  checkPlaces(home)
  return withConstitutionLock(home, async (held, now) => {
    const pair = openKey(usableKey(now), passphrase)
    if (shown !== undefined && now.approved?.version !== shown)
      throw new MnemosError(
        'CHANGED_MEANWHILE',
        `Version ${now.approved?.version} was approved since the change was shown; nothing was changed.`,
        'Look at the change once more.',
      )
    if (isCurrent(now, next)) throw alreadyApproved(now)
    keepUnapprovedText(home, now, next.text, held)
    return writeApproval(home, now, next, 'update', pair, held)
  })
}

/**
 * Pins the key of a folder, with the last text that it signed. Whoever knows its passphrase made the key: a foreign key
 * has a foreign passphrase.
 * @throws MnemosError REFUSED when the passphrase is wrong, or when nothing there is signed with that key.
 */
export async function confirm(home: Home, passphrase: string): Promise<Approval> {
  checkPlaces(home)
  return withConstitutionLock(home, async (_, now) => {
    if (!now.key) throw noKey()
    const { publicKey } = openKey(now.key, passphrase)
    const isOwn = (one: AuditEntry) => one.key === publicKey && isGenuine(approvedIn(one))
    const entry = now.audit.entries.findLast(isOwn)
    if (!entry)
      throw new MnemosError(
        'REFUSED',
        'No text in the audit was signed with the key that lies in the folder; nothing was changed.',
        'Start anew with: mnemos init --replace',
      )
    const pinned = pinOf(approvedIn(entry), isoNow(home))
    const warning = await changePin(home.disk, home.dshHome, home.layout.root, () => pinned)
    return { version: entry.version, warning }
  })
}

/** Whether {@link confirm} has something to confirm: the folder's key is not the pinned one, or was only found. */
export const isUnconfirmed = ({ key, pin, audit }: ConstitutionStanding): boolean =>
  key !== undefined &&
  audit.entries.some((entry) => entry.key === key.publicKey) &&
  (pin === undefined || pin.found === true || pin.publicKey !== key.publicKey) &&
  pin?.successor !== key.publicKey

/**
 * The key that an update is signed with.
 * @throws MnemosError NOT_FOUND where there is none, REFUSED where it is not the key of the approved text.
 */
export function usableKey(now: ConstitutionStanding): NonNullable<ConstitutionStanding['key']> {
  if (now.state === 'template' || now.state === 'waiting')
    throw new MnemosError(
      'NOT_FOUND',
      'There is no constitution of your own yet.',
      'Make one with: mnemos init',
    )
  if (!now.key) throw noKey()
  const { publicKey } = now.key
  const known = now.approved?.key ?? now.pin?.publicKey
  if (publicKey !== known)
    throw new MnemosError(
      'REFUSED',
      'The key in the folder is not the one that the constitution was approved with; nothing was changed.',
      'Run mnemos doctor to see what is wrong.',
    )
  return now.key
}

/** Whether this text is in force already, and nothing about its files needs a new approval. */
export const isCurrent = (now: ConstitutionStanding, { text, language }: NewText): boolean =>
  now.approved?.text === text &&
  now.approved.language === language &&
  !now.findings.some(({ code }) => code === 'CONSTITUTION_AUDIT')

/** The error for a text that {@link isCurrent}. */
export const alreadyApproved = ({ approved }: ConstitutionStanding): MnemosError =>
  new MnemosError(
    'INVALID_INPUT',
    `This text is version ${approved?.version} already; nothing was changed.`,
    'Nothing has to be done; to change it, name another text.',
  )

const withWarning = (approval: Approval, more: string | undefined): Approval => {
  const all = [more, approval.warning].filter((one) => one !== undefined)
  return { ...approval, warning: all.length > 0 ? all.join(' ') : undefined }
}

/** A version above this is not a count of approvals but forged. */
const MOST_VERSIONS = 1_000_000

/** The last steps of every approval: the audit, and what follows from its new line. */
async function writeApproval(
  home: Home,
  now: ConstitutionStanding,
  { text, language }: NewText,
  act: AuditEntry['act'],
  pair: KeyPair,
  held: HeldLock,
): Promise<Approval> {
  const { disk, layout, dshHome } = home
  const { audit, approved, pin } = now
  const last = audit.entries.at(-1)
  const known = Math.max(pin?.version ?? 0, approved?.version ?? 0)
  // One that is damaged, full, or does not end with the text that was approved last, is kept and a new one begins.
  const endsWithApproved = last !== undefined && approved !== undefined && isLineOf(approved)(last)
  const isFit = last === undefined ? known === 0 : last.version === known && endsWithApproved
  const isFull =
    Buffer.byteLength(audit.raw ?? '') > AUDIT_LIMIT_BYTES - MOST_LINE_BYTES ||
    audit.entries.length >= AUDIT_LIMIT_LINES
  const isDamaged = audit.fault !== undefined || !isFit
  const restart = isDamaged || isFull
  const entry = newAuditEntry(
    {
      act,
      version: (restart ? highest(audit.entries, known) : known) + 1,
      at: isoNow(home),
      language,
      before: approved?.text ?? null,
      text,
      restart,
    },
    pair,
  )
  if (restart && audit.raw) writeKeptCopy(home, layout.audit, isDamaged ? 'damaged' : 'full', audit.raw, held)
  const before = restart ? '' : (audit.raw ?? '').replace(/([^\n])$/, '$1\n')
  writeConstitutionFile(home, layout.audit, `${before}${auditLine(entry)}\n`, held)
  // From here on it is in force, and no later failure undoes it.
  try {
    finishApproval(home, entry, held)
    const pinned = pinOf(approvedIn(entry), isoNow(home))
    return { version: entry.version, warning: await changePin(disk, dshHome, layout.root, () => pinned) }
  } catch (error) {
    const warning = `Version ${entry.version} counts, but not all was written (${reasonOf(error)}); the next start of a host finishes it.`
    return { version: entry.version, warning }
  }
}

const highest = (entries: readonly AuditEntry[], known: number): number =>
  entries.reduce((most, { version }) => (version <= MOST_VERSIONS && version > most ? version : most), known)

const isoNow = ({ now }: Home) => iso(now())

const alreadyThere = ({ state, approved }: ConstitutionStanding) =>
  state === 'lost'
    ? new MnemosError(
        'REFUSED',
        'A constitution was approved for this folder and cannot be verified now; nothing was changed.',
        'Restore the folder constitution/ from a backup, or start anew with: mnemos init --replace',
      )
    : new MnemosError(
        'REFUSED',
        `This folder has a constitution already (version ${approved?.version}); nothing was changed.`,
        'Change it with: mnemos constitution update <file>. Where the passphrase is forgotten: mnemos init --replace',
      )

const noKey = () =>
  new MnemosError(
    'NOT_FOUND',
    'The key of the constitution (key.json) is missing or cannot be read; nothing was changed.',
    'Restore it from a backup, or start anew with: mnemos init --replace',
  )
