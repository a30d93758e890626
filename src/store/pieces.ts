/** The pieces of one data folder: what reading, writing and deleting work with. */
import type { Clock } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import type { Intents } from '../files/intent.ts'
import type { Ledger } from '../files/ledger.ts'
import type { Pending } from '../files/pending.ts'
import type { RecordFiles } from '../files/record-files.ts'
import type { Tombstones } from '../files/tombstones.ts'
import type { Admission } from './admission.ts'
import type { Catalog } from './catalog.ts'
import type { Places } from './places.ts'
import type { Workspaces } from './workspaces.ts'

export interface Pieces {
  clock: Clock
  disk: Disk
  files: RecordFiles
  catalog: Catalog
  tombstones: Tombstones
  admission: Admission
  ledger: Ledger
  pending: Pending
  intents: Intents
  places: Places
  workspaces: Workspaces
}
