/** The folder itself: its version, who may read it, what interrupted writes left, and where it lies. */
import { dirname, join, relative } from 'node:path'
import { type Disk, TEMPORARY_PREFIX } from '../base/disk.ts'
import { versionFault } from '../files/claim.ts'
import type { Layout } from '../files/layout.ts'
import type { ExaminedFolder } from './examined-folder.ts'
import { type Finding, finding } from './finding.ts'
import { placeFindings } from './place.ts'

/** A write takes milliseconds: what is older than this was left by an interrupted one. */
const LEFT_MS = 10_000

export function examineFolder(folder: ExaminedFolder): Finding[] {
  const { disk, layout, place } = folder
  return [
    ...version(disk, layout),
    ...placeFindings(layout.root, place),
    ...permissions(disk, layout),
    ...temporary(folder),
    ...unfinished(folder),
  ]
}

function version(disk: Disk, { root, version: file }: Layout): Finding[] {
  const text = disk.read(file, 64)?.toString('utf8').trim()
  if (text === undefined) {
    // An empty folder is one that no host has used yet.
    if (everything(disk, root).length === 0) return []
    return [finding('VERSION_MISSING', {}, { paths: ['version'], fixable: true })]
  }
  const fault = versionFault(text, root)
  if (fault === undefined) return []
  const code = fault.code === 'VERSION_NEWER' ? 'VERSION_NEWER' : 'VERSION_DAMAGED'
  return [finding(code, { fault }, { paths: ['version'] })]
}

interface Existing {
  /** Absolute. */
  path: string
  kind: 'file' | 'folder'
}

/** Everything of ours in the folder. Other programs' dot files are none of our business, nor is the lock. */
function everything(disk: Disk, root: string): Existing[] {
  const all: Existing[] = []
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
export function tooWide(disk: Disk, { root, constitution }: Layout): Existing[] {
  if (process.platform === 'win32') return []
  const self: Existing = { path: root, kind: 'folder' }
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
  return paths.length === 0 ? [] : [finding('PERMISSIONS', {}, { paths, fixable: true })]
}

/** Temporary files of interrupted writes. */
export function leftTemporary({
  disk,
  layout,
  now,
}: Pick<ExaminedFolder, 'disk' | 'layout' | 'now'>): string[] {
  return everything(disk, layout.root)
    .filter(({ path }) => /[\\/]\.mnemos-tmp-[^\\/]*$/.test(path) && isOld(disk, path, now))
    .map(({ path }) => path)
}

const isOld = (disk: Disk, path: string, now: number) => now - (disk.stamp(path)?.mtimeMs ?? now) > LEFT_MS

function temporary(folder: ExaminedFolder): Finding[] {
  const paths = leftTemporary(folder).map((path) => relative(folder.layout.root, path))
  return paths.length === 0 ? [] : [finding('TEMPORARY_FILES', {}, { paths, fixable: true })]
}

function unfinished({ disk, layout, now }: ExaminedFolder): Finding[] {
  const paths = listed(disk, layout.pending)
    .filter(({ name, kind }) => kind === 'file' && !name.startsWith('.'))
    .map(({ name }) => join(layout.pending, name))
    .filter((path) => isOld(disk, path, now))
    .map((path) => relative(layout.root, path))
  return paths.length === 0 ? [] : [finding('UNFINISHED_ACT', {}, { paths, fixable: true })]
}
