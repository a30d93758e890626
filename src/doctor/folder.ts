/** The folder itself: its version, who may read it, what interrupted writes left, and where it lies. */
import { basename, dirname, join, relative } from 'node:path'
import type { Disk, Stamp } from '../base/disk.ts'
import { versionFault } from '../files/claim.ts'
import { faultOf } from '../files/file-fault.ts'
import type { Layout } from '../files/layout.ts'
import { type Misplaced, misplacedIn } from '../files/misplaced.ts'
import type { ExaminedFolder } from './examined-folder.ts'
import { type Finding, finding } from './finding.ts'
import { type Existing, listed, ownFiles } from './own-files.ts'
import { placeFindings } from './place.ts'

/** A write takes milliseconds: what is older than this was left by an interrupted one. */
const LEFT_MS = 10_000

export function examineFolder(folder: ExaminedFolder): Finding[] {
  const { disk, layout, place } = folder
  return [
    ...version(disk, layout),
    ...misplaced(disk, layout),
    ...placeFindings(layout.root, place),
    ...openToOthers(disk, layout),
    ...temporary(folder),
    ...unfinished(folder),
  ]
}

/** What the lock needs, and the constitution, are for a person to move. */
function misplaced(disk: Disk, layout: Layout): Finding[] {
  return misplacedIn(disk, layout).map((place) =>
    finding('MISPLACED', { place }, { paths: [place.path], fixable: isRepaired(layout, place) }),
  )
}

export const isRepaired = ({ constitution }: Layout, { path, blocks }: Misplaced): boolean =>
  !blocks && path !== basename(dirname(constitution))

function version(disk: Disk, layout: Layout): Finding[] {
  const { root, version: file } = layout
  // Anything else in its place is reported as such.
  if ((stampOf(disk, file)?.kind ?? 'file') !== 'file') return []
  let text: string | undefined
  try {
    text = disk.read(file, 64)?.toString('utf8').trim()
  } catch (error) {
    return [finding('BAD_FILE', { fault: faultOf(error) }, { paths: ['version'] })]
  }
  if (text === undefined) {
    // An empty folder is one that no host has used yet.
    if (ownFiles(disk, layout).length === 1) return []
    return [finding('VERSION_MISSING', {}, { paths: ['version'], fixable: true })]
  }
  const fault = versionFault(text, root)
  if (fault === undefined) return []
  const code = fault.code === 'VERSION_NEWER' ? 'VERSION_NEWER' : 'VERSION_DAMAGED'
  return [finding(code, { fault }, { paths: ['version'] })]
}

/** Files and folders whose own bits let others in, whether or not they can get so far. Windows has no such bits. */
export function tooWide(disk: Disk, layout: Layout): Existing[] {
  if (process.platform === 'win32') return []
  return ownFiles(disk, layout).filter(({ path }) => {
    const mode = stampOf(disk, path)?.mode ?? 0
    // The approved constitution is 0444, inside a folder that only its owner can enter.
    return (mode & 0o077) !== 0 && !(path === layout.constitution && mode === 0o444)
  })
}

/** Whether the folders that something lies in, up to the data folder, let the same others pass: its group, or all. */
function isReachable(disk: Disk, root: string, path: string): boolean {
  const modeOf = (one: string) => stampOf(disk, one)?.mode ?? 0
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

/** What other users of the machine may get at. It only looks, and never throws. */
export function openToOthers(disk: Disk, layout: Layout): Finding[] {
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
  return ownFiles(disk, layout)
    .filter(({ path }) => /[\\/]\.mnemos-tmp-[^\\/]*$/.test(path) && isOld(disk, path, now))
    .map(({ path }) => path)
}

const isOld = (disk: Disk, path: string, now: number) => now - (stampOf(disk, path)?.mtimeMs ?? now) > LEFT_MS

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

function stampOf(disk: Disk, path: string): Stamp | undefined {
  try {
    return disk.stamp(path)
  } catch {
    // What the disk tells nothing of is named where its files are read.
    return undefined
  }
}
