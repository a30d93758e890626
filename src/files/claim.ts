/** Whether a data folder may be written: it must be there, be writable, and not be of a newer version. */
import { type Disk, storageError } from '../base/disk.ts'
import { DATA_VERSION, type Layout } from './layout.ts'

/** Makes the folder and its version file where there are none. Never throws. @returns why it is only read; undefined where it can be written. */
export function claimFolder(disk: Disk, { root, version }: Layout): string | undefined {
  try {
    disk.folder(root)
    disk.writable(root)
    const text = disk.read(version, 64)?.toString('utf8').trim()
    if (text === undefined) disk.replace(version, `${DATA_VERSION}\n`)
    else return unfitVersion(text, root)
    return undefined
  } catch (error) {
    return storageError(`The data folder ${root} cannot be used`, error).message
  }
}

function unfitVersion(text: string, root: string): string | undefined {
  const version = /^\d+$/.test(text) ? Number(text) : undefined
  if (version === undefined) {
    return `The file "version" in ${root} is damaged, so the folder is only read. Write ${DATA_VERSION} into it if this program made the folder.`
  }
  if (version > DATA_VERSION) {
    return `The data folder was written by a newer Mnemos (version ${version}; this one knows ${DATA_VERSION}), so it is only read. Update Mnemos.`
  }
  return undefined
}
