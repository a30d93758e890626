import { RecordFiles } from '../files/record-files.ts'
import { Tombstones } from '../files/tombstones.ts'
import type { ExaminedFolder } from './examined-folder.ts'
import { examineFiles } from './files.ts'
import type { Finding } from './finding.ts'
import { examineFolder } from './folder.ts'
import { examineIndex } from './index-state.ts'
import { examineJournals } from './journals.ts'
import { examineWorkspaces } from './workspaces.ts'

export interface Examination {
  findings: Finding[]
  /** Record files that can be read. */
  records: number
}

/** @param progress files read and files in all. */
export function examine(
  folder: ExaminedFolder,
  progress?: (done: number, total: number) => void,
): Examination {
  const { disk, layout } = folder
  const files = new RecordFiles(disk, layout.memories)
  const tombstones = new Tombstones(disk, layout)
  tombstones.refresh()
  const seen = examineFiles(files, tombstones, progress)
  return {
    records: seen.good.length,
    findings: [
      ...examineFolder(folder),
      ...seen.findings,
      ...examineIndex(disk, layout, seen),
      ...examineJournals(disk, layout, tombstones),
      ...examineWorkspaces(disk, layout),
    ],
  }
}
