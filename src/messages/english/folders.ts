/** Why a data folder is only read. */
import type { FolderFault } from '../../files/claim.ts'
import type { Advice, Table } from '../catalogue.ts'

export const folders: Table<FolderFault, Advice> = {
  VERSION_DAMAGED: ({ root, version }) => ({
    sentence: `The file "version" in ${root} is damaged, so the folder is only read.`,
    remedy: `Write ${version} into it if this program made the folder.`,
  }),
  VERSION_NEWER: ({ version, known }) => ({
    sentence: `The data folder was written by a newer Mnemos (version ${version}; this one knows ${known}), so it is only read.`,
    remedy: 'Update Mnemos.',
  }),
  UNUSABLE: ({ text }) => ({ sentence: text, remedy: '' }),
}
