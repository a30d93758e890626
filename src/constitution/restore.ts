/** Putting the approved text back in its place: finishing an approval that was cut off, and mending what was changed. */
import type { Repaired } from '../doctor/repair.ts'
import { locked, putAside, writeText } from './approval-files.ts'
import { changePin, type Pin } from './pin.ts'
import type { Home } from './seen.ts'
import { type Standing, standing } from './standing.ts'
import { render, TEXT_MODE } from './text-file.ts'

/** A start does not wait long: the approval counts as it is, and the next one finishes it. */
const START_LOCK_TIMEOUT_MS = 2_000

const PATH = 'constitution/constitution.md'

/**
 * What a start of the host does: it finishes an approval that was cut off, and lets the pin follow. Nothing that was
 * changed by other hands is touched.
 * @returns what is to be said of it.
 * @throws whatever the disk or a lock says.
 */
export async function settle(home: Home, seen: Standing): Promise<string | undefined> {
  // Whoever takes the lock finishes it.
  if (seen.unfinished) await locked(home, () => undefined, START_LOCK_TIMEOUT_MS)
  if (!seen.nextPin) return undefined
  return changePin(home.disk, home.dshHome, home.layout.root, followed(seen.nextPin, seen.pin))
}

/** The pin moves only from where it was seen: another process may have moved it further. */
const followed =
  (next: Pin, seen: Pin | undefined) =>
  (now: Pin | undefined): Pin | undefined =>
    now?.publicKey === seen?.publicKey && now?.version === seen?.version && now?.successor === seen?.successor
      ? next
      : undefined

/** `doctor --fix`. Call it where there is something to restore. @throws MnemosError where it cannot be done. */
export async function restoreText(home: Home): Promise<Repaired[]> {
  const { approved, unfinished } = standing(home, 'en')
  // A folder without a constitution is not locked for nothing.
  if (!approved) return []
  return locked(home, (held, now) => {
    if (unfinished) return [{ code: 'CONSTITUTION_UNFINISHED', path: PATH }]
    const { file } = now
    if (!now.approved) return []
    if (file.kind === 'text' && file.source === render(now.approved)) {
      if (!file.writable || process.platform === 'win32') return []
      home.disk.chmod(home.layout.constitution, TEXT_MODE)
      return [{ code: 'CONSTITUTION_WRITABLE', path: PATH }]
    }
    const kept = putAside(home, now, undefined, held)
    writeText(home, now.approved, held)
    if (kept === undefined) return [{ code: 'CONSTITUTION_MISSING', path: PATH }]
    return [{ code: 'CONSTITUTION_CHANGED', path: `${PATH} (what lay there: constitution/${kept})` }]
  })
}
