/** The files of an approval, written one after the other with the folder's lock held. */
import { basename, dirname, extname, join } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { withClaimedLock } from '../files/claimed-lock.ts'
import { mnemosHome } from '../files/data-folder.ts'
import { keptCopyName } from '../files/kept-copy.ts'
import { Ledger } from '../files/ledger.ts'
import { DataLock, type HeldLock } from '../files/lock.ts'
import { makeOwnFolder } from '../files/own-folder.ts'
import { folderUse } from '../files/profiles.ts'
import type { ApprovedText } from './approved-text.ts'
import { type AuditEntry, approvedIn, isLineOf } from './audit.ts'
import { type Home, readConstitutionFiles } from './constitution-files.ts'
import { unreadableIn } from './faults.ts'
import { type ConstitutionStanding, standing } from './standing.ts'
import { renderTextFile, TEXT_MODE } from './text-file.ts'
import { splitHeader } from './text-header.ts'

const APPROVAL_LOCK_TIMEOUT_MS = 20_000

/**
 * Runs `body` with the lock of the data folder held. An approval that was interrupted is finished first.
 * @param body gets how the constitution stands then.
 * @throws MnemosError READ_ONLY or LOCKED.
 */
export function withConstitutionLock<T>(
  home: Home,
  body: (held: HeldLock, now: ConstitutionStanding) => Promise<T> | T,
  timeoutMs = APPROVAL_LOCK_TIMEOUT_MS,
): Promise<T> {
  const { disk, layout } = home
  const use = folderUse(disk, home.dshHome, layout.root)
  return withClaimedLock({ disk, layout, lock: new DataLock(disk, layout.lock, timeoutMs), use }, (held) => {
    // The language is that of a template, which does not matter here.
    let now = standing(home, 'en')
    if (now.unfinished) {
      finishInterrupted(home, now, held)
      now = standing(home, 'en')
    }
    return body(held, now)
  })
}

/**
 * Checks that all files of an approval can be written where they belong. It is called before anything is written, the
 * folder's version file included, so that "nothing was changed" is true.
 * @throws MnemosError STORAGE
 */
export function checkPlaces(home: Home): void {
  const { disk, layout, dshHome } = home
  checkFolder(disk, mnemosHome(dshHome), 'What is approved cannot be noted in profiles.json')
  checkFolder(disk, dirname(layout.key), 'The constitution cannot be written')
  const unreadable = unreadableIn(readConstitutionFiles(home))
  if (unreadable !== undefined)
    throw new MnemosError(
      'STORAGE',
      `What lies in constitution/ cannot be read (${unreadable}); nothing was changed.`,
      'Make it readable, or move it away.',
    )
}

/** @throws MnemosError where a folder does not exist and cannot be made, since something else has its place. */
function checkFolder(disk: Disk, folder: string, what: string): void {
  let at = folder
  while (disk.stamp(at) === undefined && dirname(at) !== at) at = dirname(at)
  try {
    if (disk.list(at) !== undefined) return
  } catch (error) {
    throw new MnemosError(
      'STORAGE',
      `${what}: ${at} cannot be read (${reasonOf(error)}); nothing was changed.`,
      'Move it away, or make it readable.',
      { cause: error },
    )
  }
  throw new MnemosError('STORAGE', `${what}: ${at} is not a folder; nothing was changed.`, 'Move it away.')
}

function finishInterrupted(home: Home, { audit, approved }: ConstitutionStanding, held: HeldLock): void {
  const entry = approved && audit.entries.find(isLineOf(approved))
  if (entry) finishApproval(home, entry, held)
}

/**
 * Writes what follows from a line of the audit, as far as it is not there yet: the ledger's line and the text file.
 * @throws whatever the disk says.
 */
export function finishApproval({ disk, layout }: Home, entry: AuditEntry, held: HeldLock): void {
  const { version, at } = entry
  const before = entry.before === null ? null : version - 1
  new Ledger(disk, layout.ledger).complete([
    { at, act: 'constitution', id: 'constitution', by: 'person', rev: [before, version] },
  ])
  writeTextFile({ disk, layout }, approvedIn(entry), held)
}

/** Writes the text file, read-only. @throws whatever the disk says. */
export function writeTextFile(
  { disk, layout }: Pick<Home, 'disk' | 'layout'>,
  approved: ApprovedText,
  held: HeldLock,
): void {
  const { constitution } = layout
  // On Windows no file can be renamed over a read-only one.
  if (process.platform === 'win32' && disk.stamp(constitution)) disk.chmod(constitution, 0o600)
  disk.replace(constitution, renderTextFile(approved), {
    mode: TEXT_MODE,
    beforeRename: () => held.check(),
  })
}

/**
 * Keeps a text file that was not approved under another name.
 * @param next the text that is being approved, which need not be kept; undefined where none is.
 * @returns that name; undefined where there is nothing to keep.
 * @throws MnemosError STORAGE where it cannot be read.
 */
export function keepUnapprovedText(
  home: Home,
  { file, approved }: ConstitutionStanding,
  next: string | undefined,
  held: HeldLock,
): string | undefined {
  const { constitution } = home.layout
  if (file.kind === 'missing') return undefined
  if (file.kind === 'bad') {
    throw new MnemosError(
      'STORAGE',
      `What lies at ${constitution} cannot be read (${file.reason}); nothing was changed.`,
      'Move it away.',
    )
  }
  if (approved && file.source === renderTextFile(approved)) return undefined
  if (splitHeader(file.source).text === next) return undefined
  const name = writeKeptCopy(home, constitution, approved ? 'changed' : 'unapproved', file.source, held)
  home.disk.remove(constitution)
  return name
}

/**
 * Writes the content of a constitution's file beside it, under a name of its own.
 * @param why one word of that name.
 * @returns the name.
 */
export function writeKeptCopy(
  { disk, now }: Pick<Home, 'disk' | 'now'>,
  path: string,
  why: string,
  content: string,
  held: HeldLock,
): string {
  const folder = dirname(path)
  const extension = extname(path)
  const copy = { stem: basename(path, extension), extension, why, at: now() }
  const name = keptCopyName(disk, folder, copy)
  disk.replace(join(folder, name), content, { beforeRename: () => held.check() })
  return name
}

/** Replaces a file of the constitution, and makes its folder where that is missing. */
export function writeConstitutionFile({ disk }: Home, path: string, content: string, held: HeldLock): void {
  makeOwnFolder(disk, dirname(path))
  disk.replace(path, content, { beforeRename: () => held.check() })
}
