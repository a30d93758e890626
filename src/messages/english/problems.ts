/** What is wrong with a memory just now, for the view's notices, the tools' answers and the command line. */
import { CONFIG_KEYS, type ConfigProblem, rangeOf } from '../../base/config.ts'
import { visible } from '../../base/visible.ts'
import type { EntryFileFault } from '../../entries/fault.ts'
import type { FileFault } from '../../files/file-fault.ts'
import type { RegisterFault } from '../../files/workspace-register.ts'
import { type Advice, type Catalogue, made, type Table } from '../catalogue.ts'
import { entryFolderClause, fileClause, fileRemedy, misplacedClause } from './files.ts'
import { folders } from './folders.ts'
import { capital, counted, inRow, named } from './words.ts'

const config: Table<ConfigProblem> = {
  NO_KEYS: () => 'The config is not made of keys and values; every default is in force.',
  UNKNOWN_KEY: ({ key }) =>
    `The config key "${key}" is unknown and ignored; known are ${CONFIG_KEYS.join(', ')}.`,
  BAD_VALUE: ({ key, inForce }) =>
    `The config key "${key}" is not valid (it takes ${rangeOf(key)}); the default ${JSON.stringify(inForce)} is in force.`,
}

function skippedFiles(files: readonly { path: string; fault: EntryFileFault }[]): string {
  const skipped =
    files.length === 1
      ? 'One file is skipped and left as it is'
      : `${files.length} files are skipped and left as they are`
  const each = files.map(({ path, fault }) => `${visible(path)} (${visible(fileClause(fault))})`)
  return `${skipped}: ${named(each)}.`
}

const unreadFolders = (folders: readonly { path: string; fault: FileFault }[]): string =>
  `${named(folders.map(({ path, fault }) => `${visible(path)} (${fileClause(fault)})`))}: what lies there is neither shown nor forgotten. ${fileRemedy({ code: 'NOT_A_FOLDER' })}`

/** From the data folder, as every path that is told. @param path relative to the memories folder; `.` is that folder. */
const inMemories = (path: string): string => (path === '.' ? 'memories' : `memories/${path}`)

/** @param names of the files, where they are told. */
export const absentFiles = (count: number, names?: readonly string[]): Advice => ({
  sentence: `${count} record files vanished at once, as when a disk is not mounted or a sync is half done: they are not shown and nothing is forgotten${names === undefined ? '' : ` (${named(names)})`}.`,
  remedy: 'Wait for them, or forget them with: mnemos doctor --forget-absent',
})

export const registerFault = (fault: RegisterFault): Advice =>
  fault.code === 'DAMAGED'
    ? {
        sentence:
          'workspaces.json is damaged, so it is known only in part which folders are one workspace: records of a folder may count as those of another.',
        remedy: 'The next record that is written keeps it under another name and writes it anew.',
      }
    : {
        sentence: `workspaces.json cannot be read (${fault.reason}), so it is not known which folders are one workspace.`,
        remedy: 'Make it a file that this user can read, or move it away.',
      }

export const problems: Catalogue['problems'] = {
  TEXT: ({ text }) => text,
  CONFIG: ({ problems: all }) => all.map((one) => made(config, one)).join(' '),
  READ_ONLY: ({ fault }) => inRow(made(folders, fault)),
  OPEN_FAILED: ({ reason }) => `The data folder could not be opened whole (${reason}).`,
  FILLING: () =>
    'The memory is still being read in: until that is done, what is shown of it may be incomplete, and recall waits.',
  LOOK_FAILED: ({ reason }) => `The data folder could not be looked through (${reason}).`,
  LEDGER_FAILED: ({ reason }) => `The ledger cannot be written (${reason}).`,
  RECALL_UNAVAILABLE: ({ reason }) => `Recall does not work just now: ${reason}`,
  BAD_FILES: ({ files }) => {
    const all = files.map((one) => ({ ...one, path: inMemories(one.path) }))
    const folders = all.filter(({ fault }) => fault.code === 'NOT_A_FOLDER')
    const skipped = all.filter(({ fault }) => fault.code !== 'NOT_A_FOLDER')
    return [
      ...(folders.length === 0 ? [] : [unreadFolders(folders)]),
      ...(skipped.length === 0 ? [] : [skippedFiles(skipped)]),
    ].join(' ')
  },
  MISPLACED: ({ places }) =>
    `${capital(named(places.map(misplacedClause), '; '))}: what belongs there cannot be written. Move it away, or see: mnemos doctor`,
  ABSENT_FILES: ({ count }) => inRow(absentFiles(count)),
  TOMBSTONES: ({ lines, unread, onlyInLedger }) => {
    const each = [
      ...(lines.length === 0
        ? []
        : [
            `${counted(lines.length, 'line', 'lines').toLowerCase()} cannot be read (${named(lines.map(({ line }) => line))})`,
          ]),
      ...unread.map(({ name, fault }) => `${name} cannot be read (${fileClause(fault)})`),
      ...(onlyInLedger === 0
        ? []
        : [
            `${counted(onlyInLedger, 'deletion is', 'deletions are').toLowerCase()} known from the ledger alone`,
          ]),
    ]
    return `What tells of deleted records is damaged: ${named(each, '; ')}. A copy of one may come back; see: mnemos doctor`
  },
  COPIES: ({ copies }) => {
    const each = copies.map(
      ({ id, paths: [counts = '', ...others] }) =>
        `"${id}" (${visible(inMemories(counts))} counts, ${visible(others.map(inMemories).join(', '))} not)`,
    )
    const records = copies.length === 1 ? 'One record lies' : `${copies.length} records lie`
    return `${records} in several files: ${named(each, '; ')}. Move what is wanted into the one that counts and remove the other.`
  },
  WORKSPACES_UNREAD: ({ fault }) => inRow(registerFault(fault)),
  WORKSPACES_KEPT: ({ name }) =>
    `workspaces.json was damaged and is written anew; what lay there is kept as ${name}, in case other workspaces were noted in it.`,
  WORKSPACES_NOT_WRITTEN: ({ reason }) =>
    `The folder of this session could not be noted in workspaces.json (${reason}), so what is remembered in it may count as another workspace's later.`,
  BAD_ENTRIES: ({ files }) => skippedFiles(files),
  ENTRIES_LEFT_OUT: ({ names }) =>
    `The user memory is over its limits: ${names.length === 1 ? 'one entry is' : `${names.length} entries are`} not in view (${named(names)}). Merge, shorten or remove some in user-memory/.`,
  ENTRIES_NOT_LOOKED_AT: ({ noun, count }) =>
    `The ${noun} takes long to look at: ${counted(count, 'file was', 'files were').toLowerCase()} not looked at in time and will be at the next turn; what was known of them stands.`,
  ENTRY_FOLDER: ({ noun, fault }) =>
    `The ${noun} cannot be looked at (${entryFolderClause(fault)}); what was known of it stands. See: mnemos doctor`,
}
