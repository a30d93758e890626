/** What the doctor finds in the user memory. It only looks. */
import type { Disk } from '../base/disk.ts'
import { type Finding, finding } from '../doctor/finding.ts'
import { type EntryFileFault, type EntryFolderFault, entryFolderFaultOf } from '../entries/fault.ts'
import { EntryFolder } from '../entries/folder.ts'
import type { Layout } from '../files/layout.ts'
import { drawIndex } from './drawing.ts'
import { USER_MEMORY } from './user-memory.ts'

declare module '../doctor/finding.ts' {
  interface FindingDetails {
    BAD_USER_MEMORY: { fault: EntryFileFault }
    /** The folder as a whole. */
    USER_MEMORY_UNREADABLE: { fault: EntryFolderFault }
    /** Names of entries that are not in view. */
    USER_MEMORY_FULL: { names: readonly string[] }
  }
}

export function examineUserMemory(disk: Disk, { userMemory }: Layout): Finding[] {
  try {
    const { entries, bad, beyond } = new EntryFolder(disk, USER_MEMORY, userMemory).look()
    const names = [...drawIndex(entries).left, ...beyond]
    const paths = names.map((name) => `user-memory/${name}.md`)
    return [
      ...bad.map(({ file, fault }) =>
        finding('BAD_USER_MEMORY', { fault }, { paths: [`user-memory/${file}`] }),
      ),
      ...(names.length === 0 ? [] : [finding('USER_MEMORY_FULL', { names }, { paths })]),
    ]
  } catch (error) {
    return [
      finding('USER_MEMORY_UNREADABLE', { fault: entryFolderFaultOf(error) }, { paths: ['user-memory'] }),
    ]
  }
}
