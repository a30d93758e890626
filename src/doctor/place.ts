/** Where a data folder lies: on a disk of this machine, in a folder that is synced, on a network, read-only. */
import { type CoarseKind, type Finding, finding, type NetworkKind, type SyncService } from './finding.ts'

/** What only the system can tell; tests pass their own. */
export interface PlaceFacts {
  writable(path: string): boolean
  /** Links resolved. */
  real(path: string): string
  /** The kind of file system by its number (`statfs`), where the system names it so. */
  fileSystem(path: string): number | undefined
  exists(path: string): boolean
}

const SYNCED: readonly (readonly [RegExp, SyncService])[] = [
  [/^dropbox( |$|\()/i, 'Dropbox'],
  [/^onedrive( |$|-)/i, 'OneDrive'],
  [/^(mobile documents|com~apple~clouddocs|icloud ?drive)$/i, 'iCloud'],
  [/^google ?drive/i, 'Google Drive'],
  [/^cloudstorage$/i, 'CLOUD_STORAGE'],
  [/^nextcloud/i, 'Nextcloud'],
  [/^owncloud/i, 'ownCloud'],
  [/^pcloud ?(drive|sync)?$/i, 'pCloud'],
  [/^syncthing$/i, 'Syncthing'],
]
/** What a sync lays into the folder that it keeps. */
const MARKS: readonly (readonly [string, SyncService])[] = [
  ['.stfolder', 'Syncthing'],
  ['.dropbox', 'Dropbox'],
  ['.dropbox.cache', 'Dropbox'],
]
/** Linux, `statfs(2)`. */
const NETWORK: Readonly<Record<number, NetworkKind>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  1397113167: 'AFS',
  12805120: 'Ceph',
}
const COARSE: Readonly<Record<number, CoarseKind>> = {
  19780: 'FAT',
  538032816: 'exFAT',
}
/** What stands behind it may be a network, an exFAT stick, or a local disk. */
const FUSE = 1702057286

export function placeFindings(root: string, facts: PlaceFacts): Finding[] {
  const real = facts.real(root)
  const service = syncOf(real, facts)
  const kind = networkOf(real, facts)
  const type = facts.fileSystem(real) ?? 0
  const coarse = COARSE[type]
  return [
    ...(facts.writable(root) ? [] : [finding('NOT_WRITABLE', {})]),
    ...(service === undefined ? [] : [finding('SYNCED_PLACE', { service })]),
    ...(kind === undefined ? [] : [finding('NETWORK_PLACE', { kind })]),
    ...(coarse === undefined ? [] : [finding('COARSE_PLACE', { kind: coarse })]),
    ...(type === FUSE ? [finding('FUSE_PLACE', {})] : []),
  ]
}

function syncOf(real: string, facts: PlaceFacts): SyncService | undefined {
  const parts = real.split(/[\\/]/)
  for (const part of parts) {
    const known = SYNCED.find(([pattern]) => pattern.test(part))
    if (known) return known[1]
  }
  for (let length = parts.length; length > 1; length--) {
    const folder = parts.slice(0, length).join('/')
    const mark = MARKS.find(([name]) => facts.exists(`${folder}/${name}`))
    if (mark) return mark[1]
  }
  return undefined
}

function networkOf(real: string, facts: PlaceFacts): NetworkKind | undefined {
  if (/^[\\/]{2}[^\\/?.]/.test(real)) return 'NETWORK_SHARE'
  const type = facts.fileSystem(real)
  return type === undefined ? undefined : NETWORK[type]
}
