/** The register of workspaces. */
import type { Disk } from '../base/disk.ts'
import type { Layout } from '../files/layout.ts'
import { RegisterFile } from '../files/workspace-register.ts'
import { type Finding, finding } from './finding.ts'

export function examineWorkspaces(disk: Disk, { workspaces }: Layout): Finding[] {
  // Anything else in its place is reported as such.
  if ((disk.stamp(workspaces)?.kind ?? 'file') !== 'file') return []
  const { fault } = new RegisterFile(disk, workspaces, Date.now).read()
  return fault ? [finding('WORKSPACES_UNREAD', { fault }, { paths: ['workspaces.json'] })] : []
}
