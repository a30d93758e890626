/** Writing the approved text again: after an approval that was interrupted, and after a change by another way. */
import type { Repaired } from '../doctor/repair.ts'
import { keepUnapprovedText, withConstitutionLock, writeTextFile } from './approval-files.ts'
import type { Home } from './constitution-files.ts'
import { changePin, type Pin } from './pin.ts'
import { type ConstitutionStanding, standing } from './standing.ts'
import { renderTextFile, TEXT_MODE } from './text-file.ts'

/** A start does not wait long: the approval is in force already, and the next start finishes it. */
const START_LOCK_TIMEOUT_MS = 2_000

/** As it is reported. */
const TEXT_PATH = 'constitution/constitution.md'

/**
 * What a start of the host does: it finishes an approval that was interrupted, and updates the pin. Files that were
 * changed by another way are left as they are.
 * @returns a warning, in one sentence.
 * @throws whatever the disk or a lock says.
 */
export async function settleConstitution(
  home: Home,
  current: ConstitutionStanding,
): Promise<string | undefined> {
  // Taking the lock finishes it.
  if (current.unfinished) await withConstitutionLock(home, () => undefined, START_LOCK_TIMEOUT_MS)
  if (!current.nextPin) return undefined
  return changePin(home.disk, home.dshHome, home.layout.root, ifUnchanged(current.nextPin, current.pin))
}

/** The pin is changed only while it is the one that was read: another process may have changed it since. */
const ifUnchanged =
  (next: Pin, known: Pin | undefined) =>
  (now: Pin | undefined): Pin | undefined =>
    now?.publicKey === known?.publicKey &&
    now?.version === known?.version &&
    now?.successor === known?.successor
      ? next
      : undefined

/**
 * Repairs the text file, for `doctor --fix`.
 * @returns what was repaired; empty where nothing had to be.
 * @throws MnemosError where it cannot be done.
 */
export async function restoreText(home: Home): Promise<Repaired[]> {
  const { approved, unfinished } = standing(home, 'en')
  // A folder without a constitution need not be locked.
  if (!approved) return []
  return withConstitutionLock(home, (held, now) => {
    if (unfinished) return [{ code: 'CONSTITUTION_UNFINISHED', path: TEXT_PATH }]
    const { file } = now
    if (!now.approved) return []
    if (file.kind === 'text' && file.source === renderTextFile(now.approved)) {
      if (!file.writable || process.platform === 'win32') return []
      home.disk.chmod(home.layout.constitution, TEXT_MODE)
      return [{ code: 'CONSTITUTION_WRITABLE', path: TEXT_PATH }]
    }
    const kept = keepUnapprovedText(home, now, undefined, held)
    writeTextFile(home, now.approved, held)
    if (kept === undefined) return [{ code: 'CONSTITUTION_MISSING', path: TEXT_PATH }]
    return [{ code: 'CONSTITUTION_CHANGED', path: `${TEXT_PATH} (what lay there: constitution/${kept})` }]
  })
}
