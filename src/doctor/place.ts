/** Where a data folder lies: on a disk of this machine, in a folder that is synced, on a network, read-only. */
import { type Finding, finding } from './finding.ts'

/** What only the system can tell; tests pass their own. */
export interface PlaceFacts {
  writable(path: string): boolean
  /** Links resolved. */
  real(path: string): string
  /** The kind of file system by its number (`statfs`), where the system names it so. */
  fileSystem(path: string): number | undefined
  exists(path: string): boolean
}

const SYNCED: readonly (readonly [RegExp, string])[] = [
  [/^dropbox( |$|\()/i, 'Dropbox'],
  [/^onedrive( |$|-)/i, 'OneDrive'],
  [/^(mobile documents|com~apple~clouddocs|icloud ?drive)$/i, 'iCloud'],
  [/^google ?drive/i, 'Google Drive'],
  [/^cloudstorage$/i, 'a cloud storage'],
  [/^nextcloud/i, 'Nextcloud'],
  [/^owncloud/i, 'ownCloud'],
  [/^pcloud ?(drive|sync)?$/i, 'pCloud'],
  [/^syncthing$/i, 'Syncthing'],
]
/** What a sync lays into the folder that it keeps. */
const MARKS: readonly (readonly [string, string])[] = [
  ['.stfolder', 'Syncthing'],
  ['.dropbox', 'Dropbox'],
  ['.dropbox.cache', 'Dropbox'],
]
/** Linux, `statfs(2)`. FUSE is left out: what stands behind it may well be local. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  1397113167: 'AFS',
  12805120: 'Ceph',
}

export function placeFindings(root: string, facts: PlaceFacts): Finding[] {
  const findings: Finding[] = []
  if (!facts.writable(root)) {
    findings.push(
      finding(
        'NOT_WRITABLE',
        'The folder cannot be written: nothing new is remembered.',
        'Make it writable for this user, or name another with MNEMOS_DATA.',
      ),
    )
  }
  const real = facts.real(root)
  const sync = syncOf(real, facts)
  if (sync !== undefined) {
    findings.push(
      finding(
        'SYNCED_PLACE',
        `The folder is kept in step by ${sync}: two machines that write at once leave two files with one id, and deleted text stays in its history.`,
        'Let one machine at a time write, and leave index/ out of the sync.',
      ),
    )
  }
  const network = networkOf(real, facts)
  if (network !== undefined) {
    findings.push(
      finding(
        'NETWORK_PLACE',
        `The folder lies on a network file system (${network}): locks and the search index are less safe there.`,
        'Keep it on a disk of this machine and copy it.',
      ),
    )
  }
  return findings
}

function syncOf(real: string, facts: PlaceFacts): string | undefined {
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

function networkOf(real: string, facts: PlaceFacts): string | undefined {
  if (/^[\\/]{2}[^\\/?.]/.test(real)) return 'a network share'
  const type = facts.fileSystem(real)
  return type === undefined ? undefined : NETWORK[type]
}
