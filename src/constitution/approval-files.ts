/** The files of an approval, written one after the other under the folder's lock. */
import { dirname, join } from 'node:path'
import { iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { claimFolder } from '../files/claim.ts'
import { mnemosHome } from '../files/data-folder.ts'
import { Ledger } from '../files/ledger.ts'
import { DataLock, type HeldLock } from '../files/lock.ts'
import { type Approved, type AuditEntry, approvedIn, isLineOf } from './audit.ts'
import { split } from './constitution.ts'
import { unreadableIn } from './faults.ts'
import { type Home, see } from './seen.ts'
import { type Standing, standing } from './standing.ts'
import { render, TEXT_MODE } from './text-file.ts'

const LOCK_TIMEOUT_MS = 20_000

/**
 * Runs `body` under the lock of the folder, which must be ours to write. An approval that was cut off is finished first.
 * @throws MnemosError READ_ONLY or LOCKED.
 */
export async function locked<T>(
  home: Home,
  body: (held: HeldLock, now: Standing) => Promise<T> | T,
  timeoutMs = LOCK_TIMEOUT_MS,
): Promise<T> {
  const unfit = claimFolder(home.disk, home.layout)
  if (unfit !== undefined) throw new MnemosError('READ_ONLY', `${unfit} Nothing was changed.`)
  return new DataLock(home.disk, home.layout.lock, timeoutMs).run((held) => {
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
 * Whether all that an approval writes can lie where it must. Looked at before anything is written, the folder's version
 * file included, so that what is said is so.
 * @throws MnemosError
 */
export function checkPlaces(home: Home): void {
  const { disk, layout, dshHome } = home
  checkFolder(disk, mnemosHome(dshHome), 'What is approved cannot be noted in profiles.json')
  checkFolder(disk, dirname(layout.key), 'The constitution cannot be written')
  const unreadable = unreadableIn(see(home))
  if (unreadable !== undefined)
    throw new MnemosError(
      'STORAGE',
      `What lies in ${dirname(layout.audit)} cannot be read (${unreadable}); nothing was changed.`,
      'Make it readable, or move it away.',
    )
}

/** @throws MnemosError where a folder is not there and cannot be made, since something else lies in its way. */
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
  throw new MnemosError('STORAGE', `${what}: ${at} is no folder; nothing was changed.`, 'Move it away.')
}

/** Finishes an approval that was cut off after its line was in the audit. */
function finishApproval(home: Home, { audit, approved }: Standing, held: HeldLock): void {
  const entry = approved && audit.entries.find(isLineOf(approved))
  if (entry) finish(home, entry, held)
}

/** What follows from a line of the audit, as far as it is not there yet: the ledger's line and the text file. */
export function finish({ disk, layout }: Home, entry: AuditEntry, held: HeldLock): void {
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
  held: HeldLock,
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
  held: HeldLock,
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

export function keepAside(
  { disk, layout, now }: Home,
  path: string,
  why: string,
  content: string,
  held: HeldLock,
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

export function writeWhole({ disk }: Home, path: string, content: string, held: HeldLock): void {
  disk.folder(dirname(path))
  disk.replace(path, content, { beforeRename: () => held.check() })
}
