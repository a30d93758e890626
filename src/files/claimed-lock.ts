/** Writing in a data folder: the folder is claimed, then its lock is taken. */
import type { Disk } from '../base/disk.ts'
import { claimFolder, type FolderUse, readOnlyError } from './claim.ts'
import type { Layout } from './layout.ts'
import type { DataLock, HeldLock } from './lock.ts'

/**
 * Claims a data folder (it is made where it is missing), takes its lock, and runs `body` with the lock held. Once `body`
 * is done the folder is noted to be in use.
 * @param lock the lock of that folder.
 * @param timeoutMs how long another process is waited for; default: the timeout of the lock.
 * @throws MnemosError READ_ONLY where the folder cannot be written, LOCKED where another process keeps it locked;
 * nothing was changed then.
 */
export async function withClaimedLock<T>(
  { disk, layout, lock, use }: { disk: Disk; layout: Layout; lock: DataLock; use?: FolderUse },
  body: (held: HeldLock) => Promise<T> | T,
  timeoutMs?: number,
): Promise<T> {
  const fault = claimFolder(disk, layout, use?.was)
  if (fault !== undefined) throw readOnlyError(fault)
  const done = await lock.run(body, timeoutMs)
  await use?.note()
  return done
}
