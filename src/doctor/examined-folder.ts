/** What is examined: a data folder, and where it lies. */
import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import type { PlaceFacts } from './place.ts'

export interface ExaminedFolder {
  disk: Disk
  layout: Layout
  place: PlaceFacts
  /** Milliseconds since the epoch. */
  now: number
}
