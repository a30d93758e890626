/** The profiles of this machine, as far as they explain what is missing here. */

import { join } from 'node:path'
import type { Disk } from '../base/disk.ts'
import { mnemosHome } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'
import { profilesProblem, readProfiles } from '../files/profiles.ts'
import { RecordFiles } from '../files/record-files.ts'
import { type Finding, finding, type RecordFolder } from './finding.ts'

export function profilesDamaged(disk: Disk, dshHome: string): Finding[] {
  if (profilesProblem(disk, dshHome) === undefined) return []
  return [finding('PROFILES_DAMAGED', {}, { paths: [join(mnemosHome(dshHome), 'profiles.json')] })]
}

/** @param folder the data folder that holds no record; undefined where none could be found. */
export function emptyProfile(disk: Disk, dshHome: string, folder: string | undefined): Finding[] {
  const others = recordFolders(disk, dshHome).filter((other) => other.folder !== folder)
  if (others.length === 0) return []
  return [finding('EMPTY_PROFILE', { others }, { paths: others.map(({ folder: at }) => at) })]
}

function recordFolders(disk: Disk, dshHome: string): RecordFolder[] {
  const profiles = new Map<string, string[]>()
  for (const [name, { dataDir }] of Object.entries(readProfiles(disk, dshHome).profiles))
    profiles.set(dataDir, [...(profiles.get(dataDir) ?? []), name])
  const home = mnemosHome(dshHome)
  for (const { name, kind } of disk.list(home) ?? []) {
    const folder = join(home, name)
    if (kind === 'folder' && !name.startsWith('.') && !profiles.has(folder)) profiles.set(folder, [])
  }
  return [...profiles].flatMap(([folder, names]) => {
    const files = new RecordFiles(disk, layoutOf(folder).memories).scan().files.length
    return files === 0 ? [] : [{ folder, files, profiles: names }]
  })
}
