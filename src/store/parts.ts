/** What writing and deleting work with: the pieces of one open store. */
import type { Clock } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import type { Ledger } from '../files/ledger.ts'
import type { Pending } from '../files/pending.ts'
import type { RecordFiles } from '../files/record-files.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { Admission } from './admission.ts'
import type { Catalog } from './catalog.ts'

export interface CommitParts {
  clock: Clock
  disk: Disk
  files: RecordFiles
  catalog: Catalog
  tombstones: Tombstones
  admission: Admission
  ledger: Ledger
  pending: Pending
}
