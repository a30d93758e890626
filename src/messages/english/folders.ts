/** Why a data folder is only read. */
import type { FolderFault } from '../../files/claim.ts'
import type { Advice, Table } from '../catalogue.ts'

export const folders: Table<FolderFault, Advice> = {
  VERSION_DAMAGED: ({ version }) => ({
    sentence: `The file "version" in the data folder is damaged, so the folder is only read.`,
    remedy: `Write ${version} into it if this program made the folder.`,
  }),
  VERSION_NEWER: ({ version, known }) => ({
    sentence: `The data folder was written by a newer Mnemos (version ${version}; this one knows ${known}), so it is only read.`,
    remedy: 'Update Mnemos.',
  }),
  NOT_MOUNTED: () => ({
    sentence: `The data folder held a memory, and nothing of it is there now, as when its disk is not mounted: it is only read, and nothing is made in it.`,
    remedy: 'Mount it and start again; to begin anew there: mnemos doctor --forget-absent',
  }),
  UNUSABLE: ({ why, remedy }) => ({ sentence: `The data folder cannot be used: ${why}.`, remedy }),
}
