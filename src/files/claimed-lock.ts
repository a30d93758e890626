/** Writing in a data folder: the folder is claimed, then its lock is taken. */
import type { Disk } from '../base/disk.ts'
import { claimFolder, readOnlyError } from './claim.ts'
import type { Layout } from './layout.ts'
import type { DataLock, HeldLock } from './lock.ts'

/**
 * Claims a data folder (it is made where it is missing), takes its lock, and runs `body` with the lock held.
 * @param lock the lock of that folder. `wasUsed`: see {@link claimFolder}.
 * @param timeoutMs how long another process is waited for; default: the timeout of the lock.
 * @throws MnemosError READ_ONLY where the folder cannot be written, LOCKED where another process keeps it locked;
 * nothing was changed then.
 */
export async function withClaimedLock<T>(
  { disk, layout, lock, wasUsed }: { disk: Disk; layout: Layout; lock: DataLock; wasUsed?: () => boolean },
  body: (held: HeldLock) => Promise<T> | T,
  timeoutMs?: number,
): Promise<T> {
  const fault = claimFolder(disk, layout, wasUsed)
  if (fault !== undefined) throw readOnlyError(fault)
  return lock.run(body, timeoutMs)
}
