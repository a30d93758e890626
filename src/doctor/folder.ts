/** The folder itself: its version, who may read it, what interrupted writes left, and where it lies. */
import { dirname, join, relative } from 'node:path'
import { type Disk, TEMPORARY_PREFIX } from '../base/disk.ts'
import { DATA_VERSION, type Layout } from '../files/layout.ts'
import { counted, FIX, type Finding, finding, named } from './finding.ts'
import type { Patient } from './patient.ts'
import { placeFindings } from './place.ts'

/** A write takes milliseconds: what is older than this was left by one that died. */
const LEFT_MS = 10_000

export function examineFolder(patient: Patient): Finding[] {
  const { disk, layout, place } = patient
  return [
    ...version(disk, layout),
    ...placeFindings(layout.root, place),
    ...permissions(disk, layout),
    ...temporary(patient),
    ...unfinished(patient),
  ]
}

function version(disk: Disk, { root, version: file }: Layout): Finding[] {
  const text = disk.read(file, 64)?.toString('utf8').trim()
  if (text === undefined) {
    // An empty folder is one that no host has used yet.
    if (everything(disk, root).length === 0) return []
    return [
      finding('VERSION_MISSING', 'The file "version" is missing.', FIX, {
        paths: ['version'],
        fixable: true,
      }),
    ]
  }
  if (!/^\d+$/.test(text)) {
    return [
      finding(
        'VERSION_DAMAGED',
        'The file "version" is damaged, so the folder is only read.',
        `Write ${DATA_VERSION} into it if this program made the folder.`,
        { paths: ['version'] },
      ),
    ]
  }
  if (Number(text) <= DATA_VERSION) return []
  return [
    finding(
      'VERSION_NEWER',
      `The folder was written by a newer Mnemos (version ${text}; this one knows ${DATA_VERSION}), so it is only read.`,
      'Update Mnemos.',
      { paths: ['version'] },
    ),
  ]
}

interface Lying {
  /** Absolute. */
  path: string
  kind: 'file' | 'folder'
}

/** Everything of ours in the folder. Other programs' dot files are none of our business, nor is the lock. */
function everything(disk: Disk, root: string): Lying[] {
  const all: Lying[] = []
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, kind } of listed(disk, folder)) {
      if (name.startsWith('.') && !name.startsWith(TEMPORARY_PREFIX)) continue
      if (kind !== 'file' && kind !== 'folder') continue
      const path = join(folder, name)
      all.push({ path, kind })
      if (kind === 'folder') folders.push(path)
    }
  }
  return all
}

function listed(disk: Disk, folder: string): NonNullable<ReturnType<Disk['list']>> {
  try {
    return disk.list(folder) ?? []
  } catch {
    // A folder that cannot be listed is named where the record files are looked at.
    return []
  }
}

/** Files and folders whose own bits let others in, whether or not they can get so far. Windows has no such bits. */
export function tooWide(disk: Disk, { root, constitution }: Layout): Lying[] {
  if (process.platform === 'win32') return []
  const self: Lying = { path: root, kind: 'folder' }
  return [self, ...everything(disk, root)].filter(({ path }) => {
    const mode = disk.stamp(path)?.mode ?? 0
    // The approved constitution is 0444, inside a folder that only its owner can enter.
    return (mode & 0o077) !== 0 && !(path === constitution && mode === 0o444)
  })
}

/** Whether the folders that something lies in, up to the data folder, let the same others pass: its group, or all. */
function isReachable(disk: Disk, root: string, path: string): boolean {
  const modeOf = (one: string) => disk.stamp(one)?.mode ?? 0
  return [0o070, 0o007].some((others) => {
    if ((modeOf(path) & others) === 0) return false
    let folder = path
    while (folder !== root) {
      folder = dirname(folder)
      if ((modeOf(folder) & 0o011 & others) === 0) return false
    }
    return true
  })
}

function permissions(disk: Disk, layout: Layout): Finding[] {
  const { root } = layout
  const paths = tooWide(disk, layout)
    .filter(({ path }) => isReachable(disk, root, path))
    .map(({ path }) => relative(root, path) || '.')
  if (paths.length === 0) return []
  return [
    finding(
      'PERMISSIONS',
      `Other users of this machine may get at ${named(paths)}: folders should be 0700 and files 0600.`,
      FIX,
      { paths, fixable: true },
    ),
  ]
}

/** Temporary files of writes that died. */
export function leftTemporary({ disk, layout, now }: Pick<Patient, 'disk' | 'layout' | 'now'>): string[] {
  return everything(disk, layout.root)
    .filter(({ path }) => /[\\/]\.mnemos-tmp-[^\\/]*$/.test(path) && isOld(disk, path, now))
    .map(({ path }) => path)
}

const isOld = (disk: Disk, path: string, now: number) => now - (disk.stamp(path)?.mtimeMs ?? now) > LEFT_MS

function temporary(patient: Patient): Finding[] {
  const paths = leftTemporary(patient).map((path) => relative(patient.layout.root, path))
  if (paths.length === 0) return []
  return [
    finding(
      'TEMPORARY_FILES',
      `${counted(paths.length, 'temporary file was', 'temporary files were')} left by an interrupted write: ${named(paths)}.`,
      FIX,
      { paths, fixable: true },
    ),
  ]
}

function unfinished({ disk, layout, now }: Patient): Finding[] {
  const paths = listed(disk, layout.pending)
    .filter(({ name, kind }) => kind === 'file' && !name.startsWith('.'))
    .map(({ name }) => join(layout.pending, name))
    .filter((path) => isOld(disk, path, now))
    .map((path) => relative(layout.root, path))
  if (paths.length === 0) return []
  return [
    finding(
      'UNFINISHED_ACT',
      `${counted(paths.length, 'change was', 'changes were')} interrupted and not finished yet.`,
      `The next start of a host finishes it, or: mnemos doctor --fix`,
      { paths, fixable: true },
    ),
  ]
}
