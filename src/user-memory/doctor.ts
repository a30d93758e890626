/** What the doctor finds in the user memory. It only looks. */
import type { Disk } from '../base/disk.ts'
import { type Finding, finding } from '../doctor/finding.ts'
import type { Layout } from '../files/layout.ts'
import { drawIndex } from './drawing.ts'
import { entryFolderFaultOf } from './fault.ts'
import { UserMemoryFolder } from './folder.ts'

export function examineUserMemory(disk: Disk, layout: Layout): Finding[] {
  try {
    const { entries, bad, beyond } = new UserMemoryFolder(disk, layout.userMemory).look()
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
