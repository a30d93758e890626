/**
 * Approving a constitution: the first one, a change of it, and a new beginning. Each happens under the folder's lock, in
 * an order that leaves the old or the new text in force wherever it is cut off: what lies in the text file's place
 * and is not approved is put aside, the pin learns of a new key, the key is written, then the audit (from here on the
 * new text counts), the ledger, the text file, and the pin's version.
 */
import { iso } from '../base/clock.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { HeldLock } from '../files/lock.ts'
import { checkPlaces, finish, keepAside, locked, putAside, writeWhole } from './approval-files.ts'
import {
  AUDIT_LIMIT_BYTES,
  AUDIT_LIMIT_LINES,
  type AuditEntry,
  approvedIn,
  type Draft,
  hashOf,
  lineOf,
  MOST_LINE_BYTES,
  newEntry,
} from './audit.ts'
import type { Language } from './constitution.ts'
import { changePin, pinOf } from './pin.ts'
import { type Cost, openKey, STRONG, sealKey } from './seal.ts'
import type { Home } from './seen.ts'
import { type KeyPair, newKeyPair } from './signing.ts'
import type { Standing } from './standing.ts'

/** What a passphrase must at least have; scrypt slows guessing and cannot make a short one long. */
export const PASSPHRASE_CHARACTERS = 8

export interface NewText {
  text: string
  language: Language
}

/** An approval that counts. */
export interface Approval {
  version: number
  /** What could not be written any more (the next start of a host finishes it), or was damaged and put aside. */
  warning: string | undefined
}

/**
 * Approves the first constitution of a folder, or with `replace` begins anew under a new key.
 * @throws MnemosError REFUSED where there is one already.
 */
export async function initialise(
  home: Home,
  next: NewText,
  passphrase: string,
  { replace = false, cost = STRONG }: { replace?: boolean; cost?: Cost } = {},
): Promise<Approval> {
  checkPassphrase(passphrase)
  checkPlaces(home)
  return locked(home, async (held, now) => {
    if (!replace && (now.state === 'approved' || now.state === 'lost')) throw alreadyThere(now)
    const pair = newKeyPair()
    const { publicKey } = pair
    const key = `${JSON.stringify(sealKey(pair, passphrase, cost), null, 2)}\n`
    putAside(home, now, next.text, held)
    const kept = await changePin(home.disk, home.dshHome, home.layout.root, (pin) => {
      const old = pin?.version ? pin : now.nextPin
      return old ? { ...old, successor: publicKey } : { publicKey, version: 0, head: '', at: isoNow(home) }
    })
    writeWhole(home, home.layout.key, key, held)
    const isFirst = now.state === 'template' || now.state === 'waiting'
    return withWarning(await approve(home, now, next, isFirst ? 'init' : 'replace', pair, held), kept)
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
  return locked(home, async (held, now) => {
    const pair = openKey(usableKey(now), passphrase)
    if (shown !== undefined && now.approved?.version !== shown)
      throw new MnemosError(
        'CHANGED_MEANWHILE',
        `Version ${now.approved?.version} was approved since the change was shown; nothing was changed.`,
        'Look at the change once more.',
      )
    if (isCurrent(now, next)) throw unchanged(now)
    putAside(home, now, next.text, held)
    return approve(home, now, next, 'update', pair, held)
  })
}

/**
 * Makes the key that lies in a folder the pinned one. Who knows its passphrase made it: a foreign key has a foreign
 * passphrase.
 * @throws MnemosError REFUSED when the passphrase is wrong, or when nothing there is signed with that key.
 */
export async function confirm(home: Home, passphrase: string): Promise<Approval> {
  checkPlaces(home)
  return locked(home, async (_, now) => {
    if (!now.key) throw noKey()
    const { publicKey } = openKey(now.key, passphrase)
    const at = now.audit.entries.findLastIndex(({ key }) => key === publicKey)
    const entry = now.audit.entries[at]
    if (!entry)
      throw new MnemosError(
        'REFUSED',
        'No text in the audit was signed with the key that lies in the folder; nothing was changed.',
        'Start anew with: mnemos init --replace',
      )
    const head = now.audit.hashes[at] ?? ''
    const pinned = pinOf(approvedIn(entry), head, isoNow(home))
    const warning = await changePin(home.disk, home.dshHome, home.layout.root, () => pinned)
    return { version: entry.version, warning }
  })
}

/** Whether {@link confirm} has something to confirm: the folder's own key is not the pinned one, or was only found. */
export const isUnconfirmed = ({ key, pin, audit }: Standing): boolean =>
  key !== undefined &&
  audit.entries.some((entry) => entry.key === key.publicKey) &&
  (pin === undefined || pin.found === true || pin.publicKey !== key.publicKey) &&
  pin?.successor !== key.publicKey

/** The key that an update is signed with. @throws MnemosError where there is none that counts. */
export function usableKey(now: Standing): NonNullable<Standing['key']> {
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

/** Whether this text counts already, and nothing about its files asks for a new approval. */
export const isCurrent = (now: Standing, { text, language }: NewText): boolean =>
  now.approved?.text === text &&
  now.approved.language === language &&
  !now.findings.some(({ code }) => code === 'CONSTITUTION_AUDIT')

export const unchanged = ({ approved }: Standing): MnemosError =>
  new MnemosError('INVALID_INPUT', `This text is version ${approved?.version} already; nothing was changed.`)

export const isTooShort = (passphrase: string): boolean => [...passphrase].length < PASSPHRASE_CHARACTERS

/** @throws MnemosError INVALID_INPUT where bytes were lost on the way: other ones, lost as well, would open it too. */
export function checkWellFormed(passphrase: string): void {
  if (passphrase.isWellFormed() && !passphrase.includes('\ufffd')) return
  throw new MnemosError(
    'INVALID_INPUT',
    'The passphrase is not UTF-8; nothing was changed.',
    'Take one that is text in the encoding of this terminal.',
  )
}

export function checkPassphrase(passphrase: string): void {
  checkWellFormed(passphrase)
  if (!isTooShort(passphrase)) return
  throw new MnemosError(
    'INVALID_INPUT',
    `The passphrase has fewer than ${PASSPHRASE_CHARACTERS} characters; nothing was changed.`,
    'Take a longer one.',
  )
}

const withWarning = (approval: Approval, more: string | undefined): Approval => {
  const all = [more, approval.warning].filter((one) => one !== undefined)
  return { ...approval, warning: all.length > 0 ? all.join(' ') : undefined }
}

/** Beyond this a version is no count of approvals but made up. */
const MOST_VERSIONS = 1_000_000

/** The last steps of every approval. */
async function approve(
  home: Home,
  now: Standing,
  { text, language }: NewText,
  act: Draft['act'],
  pair: KeyPair,
  held: HeldLock,
): Promise<Approval> {
  const { disk, layout, dshHome } = home
  const { audit, approved, pin } = now
  const last = audit.entries.at(-1)
  const known = Math.max(pin?.version ?? 0, approved?.version ?? 0)
  // One that is damaged, full, or does not end with what was approved last, is kept aside and begun anew.
  const isFit = last === undefined ? known === 0 : last.version === known && last.key === approved?.key
  const isFull =
    Buffer.byteLength(audit.raw ?? '') > AUDIT_LIMIT_BYTES - MOST_LINE_BYTES ||
    audit.entries.length >= AUDIT_LIMIT_LINES
  const isDamaged = audit.fault !== undefined || !isFit
  const restart = isDamaged || isFull
  const entry = newEntry(
    audit,
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
  if (restart && audit.raw) keepAside(home, layout.audit, isDamaged ? 'damaged' : 'full', audit.raw, held)
  const before = restart ? '' : (audit.raw ?? '').replace(/([^\n])$/, '$1\n')
  writeWhole(home, layout.audit, `${before}${lineOf(entry)}\n`, held)
  // From here on it counts, and nothing that fails makes it undone.
  try {
    finish(home, entry, held)
    const pinned = pinOf(approvedIn(entry), hashOf(lineOf(entry)), isoNow(home))
    return { version: entry.version, warning: await changePin(disk, dshHome, layout.root, () => pinned) }
  } catch (error) {
    const warning = `Version ${entry.version} counts, but not all was written (${reasonOf(error)}); the next start of a host finishes it.`
    return { version: entry.version, warning }
  }
}

const highest = (entries: readonly AuditEntry[], known: number): number =>
  entries.reduce((most, { version }) => (version <= MOST_VERSIONS && version > most ? version : most), known)

const isoNow = ({ now }: Home) => iso(now())

const alreadyThere = ({ state, approved }: Standing) =>
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
