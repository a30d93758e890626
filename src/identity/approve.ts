/**
 * Approving a constitution: the first one, a change of it, and a new beginning. Each happens under the folder's lock, in
 * an order that leaves the old or the new text in force wherever it is cut off: what lies in the text file's place
 * and is not approved is put aside, the pin learns of a new key, the key is written, then the audit (from here on the
 * new text counts), the ledger, the text file, and the pin's version.
 */
import { dirname, join } from 'node:path'
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { claimFolder } from '../memory/claim.ts'
import { Ledger } from '../memory/ledger.ts'
import { DataLock, type Held } from '../memory/lock.ts'
import { type Approved, type AuditEntry, approvedIn, type Draft, hashOf, lineOf, newEntry } from './audit.ts'
import { type Language, split } from './constitution.ts'
import { changePin, pinOf } from './pin.ts'
import { type Cost, openKey, STRONG, sealKey } from './seal.ts'
import { type KeyPair, newKeyPair } from './signing.ts'
import { type Home, type Standing, standing } from './standing.ts'
import { render, TEXT_MODE } from './text-file.ts'

/** What a passphrase must at least have; scrypt slows guessing and cannot make a short one long. */
export const PASSPHRASE_CHARACTERS = 8

export interface NewText {
  text: string
  language: Language
}

const LOCK_TIMEOUT_MS = 20_000

/**
 * Runs `body` under the lock of the folder, which must be ours to write. An approval that was cut off is finished first.
 * @throws MnemosError READ_ONLY or LOCKED.
 */
export async function locked<T>(
  home: Home,
  body: (held: Held, now: Standing) => Promise<T> | T,
  timeoutMs = LOCK_TIMEOUT_MS,
): Promise<T> {
  const unfit = claimFolder(home.disk, home.layout)
  if (unfit !== undefined) throw new MnemosError('READ_ONLY', `${unfit} Nothing was changed.`)
  return new DataLock(home.layout.lock, timeoutMs).run((held) => {
    // What language a template would have is of no interest here.
    let now = standing(home, 'en')
    if (now.unfinished) {
      finishApproval(home, now, held)
      now = standing(home, 'en')
    }
    return body(held, now)
  })
}

/**
 * Approves the first constitution of a folder, or with `replace` begins anew under a new key.
 * @returns the version that counts now.
 * @throws MnemosError REFUSED where there is one already.
 */
export function initialise(
  home: Home,
  next: NewText,
  passphrase: string,
  { replace = false, cost = STRONG }: { replace?: boolean; cost?: Cost } = {},
): Promise<number> {
  checkPassphrase(passphrase)
  return locked(home, async (held, now) => {
    if (!replace && (now.state === 'approved' || now.state === 'lost')) throw alreadyThere(now)
    const pair = newKeyPair()
    const { publicKey } = pair
    const key = `${JSON.stringify(sealKey(pair, passphrase, cost), null, 2)}\n`
    putAside(home, now, next.text, held)
    await changePin(home.disk, home.dshHome, home.layout.root, (pin) => {
      const old = pin?.version ? pin : now.nextPin
      return old ? { ...old, successor: publicKey } : { publicKey, version: 0, head: '', at: isoNow(home) }
    })
    writeWhole(home, home.layout.key, key, held)
    const isFirst = now.state === 'template' || now.state === 'waiting'
    return approve(home, now, next, isFirst ? 'init' : 'replace', pair, held)
  })
}

/**
 * Approves a change.
 * @param shown the version that the person saw the change against; undefined where none was shown.
 * @returns the version that counts now.
 * @throws MnemosError REFUSED when the passphrase is wrong; nothing was changed then.
 */
export function update(home: Home, next: NewText, passphrase: string, shown?: number): Promise<number> {
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
export function confirm(home: Home, passphrase: string): Promise<number> {
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
    await changePin(home.disk, home.dshHome, home.layout.root, () => pinned)
    return entry.version
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

export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= PASSPHRASE_CHARACTERS) return
  throw new MnemosError(
    'INVALID_INPUT',
    `The passphrase has fewer than ${PASSPHRASE_CHARACTERS} characters; nothing was changed.`,
    'Take a longer one.',
  )
}

/** The last steps of every approval. */
async function approve(
  home: Home,
  now: Standing,
  { text, language }: NewText,
  act: Draft['act'],
  pair: KeyPair,
  held: Held,
): Promise<number> {
  const { disk, layout, dshHome } = home
  const { audit, approved, pin } = now
  if (audit.unreadable)
    throw new MnemosError(
      'STORAGE',
      `${layout.audit}: ${audit.fault}; nothing was changed.`,
      'Make it readable, or move it away.',
    )
  const last = audit.entries.at(-1)
  const known = Math.max(pin?.version ?? 0, approved?.version ?? 0)
  // One that is damaged, or does not end with what was approved last, is kept aside and begun anew.
  const isFit = last === undefined ? known === 0 : last.version === known && last.key === approved?.key
  const restart = audit.fault !== undefined || !isFit
  const entry = newEntry(
    audit,
    {
      act,
      version: Math.max(known, ...(restart ? audit.entries.map((one) => one.version) : [])) + 1,
      at: isoNow(home),
      language,
      before: approved?.text ?? null,
      text,
      restart,
    },
    pair,
  )
  if (restart && audit.raw) keepAside(home, layout.audit, 'damaged', audit.raw, held)
  const before = restart ? '' : (audit.raw ?? '').replace(/([^\n])$/, '$1\n')
  writeWhole(home, layout.audit, `${before}${lineOf(entry)}\n`, held)
  finish(home, entry, held)
  const pinned = pinOf(approvedIn(entry), hashOf(lineOf(entry)), isoNow(home))
  await changePin(disk, dshHome, layout.root, () => pinned)
  return entry.version
}

/** Finishes an approval that was cut off after its line was in the audit. */
function finishApproval(home: Home, { audit, approved }: Standing, held: Held): void {
  const entry = audit.entries.find(
    ({ version, key }) => version === approved?.version && key === approved.key,
  )
  if (entry) finish(home, entry, held)
}

/** What follows from a line of the audit, as far as it is not there yet: the ledger's line and the text file. */
function finish({ disk, layout }: Home, entry: AuditEntry, held: Held): void {
  const { version, at } = entry
  const before = entry.before === null ? null : version - 1
  new Ledger(disk, layout.ledger).complete([
    { at, act: 'constitution', id: 'constitution', by: 'person', rev: [before, version] },
  ])
  writeText({ disk, layout }, approvedIn(entry), held)
}

export function writeText(
  { disk, layout }: Pick<Home, 'disk' | 'layout'>,
  approved: Approved,
  held: Held,
): void {
  const { constitution } = layout
  // Windows renames nothing over a file that is read-only.
  if (process.platform === 'win32' && disk.stamp(constitution)) disk.chmod(constitution, 0o600)
  disk.replace(constitution, render(approved), { mode: TEXT_MODE, beforeRename: () => held.check() })
}

/** What lies in the text file's place and was not approved is kept under another name. @returns that name. */
export function putAside(
  home: Home,
  now: Standing,
  next: string | undefined,
  held: Held,
): string | undefined {
  const { file, approved } = now
  if (file.kind === 'missing') return undefined
  if (file.kind === 'bad') {
    throw new MnemosError(
      'STORAGE',
      `What lies at ${home.layout.constitution} cannot be read (${file.reason}); nothing was changed.`,
      'Move it away.',
    )
  }
  if (approved && file.source === render(approved)) return undefined
  // It is what is being approved.
  if (split(file.source).text === next) return undefined
  const name = keepAside(
    home,
    home.layout.constitution,
    approved ? 'changed' : 'unapproved',
    file.source,
    held,
  )
  home.disk.remove(home.layout.constitution)
  return name
}

function keepAside(
  { disk, layout, now }: Home,
  path: string,
  why: string,
  content: string,
  held: Held,
): string {
  const stamp = iso(now()).replace(/[-:]|\.\d+/g, '')
  const [, stem = '', extension = ''] = /([^/\\]+)(\.\w+)$/.exec(path) ?? []
  const folder = dirname(layout.constitution)
  const base = `${stem}.${why}-${stamp}`
  const taken = new Set((disk.list(folder) ?? []).map(({ name }) => name))
  let name = `${base}${extension}`
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}${extension}`
  disk.replace(join(folder, name), content, { beforeRename: () => held.check() })
  return name
}

function writeWhole({ disk }: Home, path: string, content: string, held: Held): void {
  disk.folder(dirname(path))
  disk.replace(path, content, { beforeRename: () => held.check() })
}

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
