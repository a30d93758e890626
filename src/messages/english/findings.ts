/** What the doctor finds, and what to do about it. */
import type { BadLine } from '../../files/jsonl.ts'
import { type Catalogue, made } from '../catalogue.ts'
import { entryFolderClause, entryRemedy, fileClause, fileRemedy, misplacedClause } from './files.ts'
import { folders } from './folders.ts'
import { absentFiles, registerFault } from './problems.ts'
import { capital, counted, FIX, named } from './words.ts'

const REBUILD = 'Rebuild it with: mnemos rebuild-index'

const unreadLines = (lines: readonly BadLine[]) =>
  `${counted(lines.length, 'line', 'lines')} cannot be read: ${named(lines.map(({ line, reason }) => `${line} (${reason})`))}`

export const findings: Catalogue['findings'] = {
  NO_FOLDER: ({ details: { folder, dshHome } }) => ({
    sentence:
      folder === undefined
        ? `No profile in ${dshHome} has started Mnemos yet.`
        : `There is no data folder ${folder}.`,
    remedy: 'Start the host once with the plugin, or name a folder with --data.',
  }),
  NOT_WRITABLE: () => ({
    sentence: 'The folder cannot be written: nothing new is remembered.',
    remedy: 'Make it writable for this user, or name another with MNEMOS_DATA.',
  }),
  NOT_MOUNTED: ({ details }) => made(folders, details.fault),
  VERSION_NEWER: ({ details }) => made(folders, details.fault),
  VERSION_DAMAGED: ({ details }) => made(folders, details.fault),
  VERSION_MISSING: () => ({ sentence: 'The file "version" is missing.', remedy: FIX }),
  MISPLACED: ({ fixable, details: { place } }) => ({
    sentence: `${capital(misplacedClause(place))}.`,
    remedy: fixable
      ? 'Look at what it is. To keep it under another name and make room: mnemos doctor --fix'
      : 'Look at what it is, and move it away.',
  }),
  UNREAD_FOLDER: ({ paths, details: { fault } }) => ({
    sentence: `The folder ${paths[0]} cannot be read: ${fileClause(fault)}.`,
    remedy: fileRemedy(fault),
  }),
  ABSENT_FILES: ({ paths }) => absentFiles(paths.length, paths),
  BAD_FILE: ({ paths, fixable, details }) => ({
    sentence: `${paths[0]} is skipped: ${fileClause(details.fault)}.`,
    remedy: fixable ? FIX : fileRemedy(details.fault),
  }),
  RESTORED_COPY: ({ paths, details }) => ({
    sentence: `${paths[0]} is left out: ${fileClause(details.fault)}.`,
    remedy: fileRemedy(details.fault),
  }),
  FOREIGN_VALUES: ({ paths: [path = ''], details: { values } }) => ({
    sentence: `${path} has values in fields of Mnemos that are not used, or not whole: ${values
      .map(({ key, line, wrong }) => `line ${line}, ${key} (${wrong})`)
      .join('; ')}. They are kept as they stand there.`,
    remedy:
      'Nothing has to be done for values of another program; shorten the value, or give the field one of ours, if it is meant for Mnemos.',
  }),
  TWO_FILES: ({ paths: [first, ...others], details }) => ({
    sentence: `The id "${details.id}" stands in ${others.length + 1} files: ${first} counts, ${others.join(', ')} ${others.length === 1 ? 'does' : 'do'} not.`,
    remedy: 'Take over what the others have (mnemos edit <id>), then remove them.',
  }),
  PERMISSIONS: ({ paths }) => ({
    sentence: `Other users of this machine may get at ${named(paths.map((path) => (path === '.' ? 'the data folder itself' : path)))}: folders should be 0700 and files 0600.`,
    remedy: FIX,
  }),
  TEMPORARY_FILES: ({ paths }) => ({
    sentence: `${counted(paths.length, 'temporary file was', 'temporary files were')} left by an interrupted write: ${named(paths)}.`,
    remedy: FIX,
  }),
  UNFINISHED_ACT: ({ paths }) => ({
    sentence: `${counted(paths.length, 'change was', 'changes were')} interrupted and not finished yet.`,
    remedy: 'The next start of a host finishes it, or: mnemos doctor --fix',
  }),
  INDEX_DAMAGED: ({ details }) => ({
    sentence: `The search index is damaged (${details.reason}).`,
    remedy: REBUILD,
  }),
  INDEX_WRONG: ({ paths }) => ({
    sentence: `The search index says something else than the files: ${named(paths)}.`,
    remedy: REBUILD,
  }),
  INDEX_VERSION: ({ details: { version, known } }) => ({
    sentence: `The search index is not one of this program: it has version ${version}, this program writes ${known}.`,
    remedy: REBUILD,
  }),
  NO_DRIVER: ({ details }) => ({ sentence: details.reason, remedy: '' }),
  INDEX_IN_USE: () => ({
    sentence: 'The search index is in use just now and was not looked at.',
    remedy: 'Try again.',
  }),
  INDEX_MISSING: () => ({
    sentence: 'There is no search index.',
    remedy: 'The next start makes it; so does mnemos rebuild-index.',
  }),
  INDEX_BEHIND: ({ details: { count } }) => ({
    sentence: `${counted(count, 'file has', 'files have')} changed since the index was last brought up to date.`,
    remedy: 'The next look at the folder does it: any command, any turn of a running host.',
  }),
  WORKSPACES_UNREAD: ({ details }) => registerFault(details.fault),
  PROFILES_DAMAGED: ({ paths }) => ({
    sentence: `${paths[0]} is damaged, so it is not known where each profile keeps its records.`,
    remedy: 'Each host writes its line anew at its next start; until then name the folder with --data.',
  }),
  EMPTY_PROFILE: ({ details: { others } }) => {
    const each = others.map(({ folder, files, profiles }) => {
      const whose = profiles.length === 0 ? '' : `profile ${profiles.join(', ')}, `
      return `${folder} (${whose}${files} ${files === 1 ? 'file' : 'files'})`
    })
    return {
      sentence: `This profile holds no record, and ${others.length === 1 ? 'another folder does' : 'other folders do'}: ${each.join(', ')}.`,
      remedy: 'To use one of them here, set it as dataDir of this profile, or share it with: mnemos init',
    }
  },
  SYNCED_PLACE: ({ details: { service } }) => ({
    sentence: `The folder is kept in step by ${service === 'CLOUD_STORAGE' ? 'a cloud storage' : service}: two machines that write at once leave two files with one id, and deleted text stays in its history.`,
    remedy: 'Let one machine at a time write, and leave index/ out of the sync.',
  }),
  NETWORK_PLACE: ({ details: { kind } }) => ({
    sentence: `The folder lies on a network file system (${kind === 'NETWORK_SHARE' ? 'a network share' : kind}): locks and the search index are less safe there.`,
    remedy: 'Keep it on a disk of this machine and copy it.',
  }),
  COARSE_PLACE: ({ details: { kind } }) => ({
    sentence: `The folder lies on ${kind === 'exFAT' ? 'an' : 'a'} ${kind} file system: its times are coarse, so that a change by another program may be seen some seconds late, and it keeps no permissions, so that whoever has the disk can read the memory.`,
    remedy: 'Nothing has to be done; a disk of this machine with ext4, APFS or NTFS does both.',
  }),
  FUSE_PLACE: () => ({
    sentence:
      'The folder lies on a file system in user space (FUSE): what stands behind it, as exFAT, a network or a cloud, cannot be told.',
    remedy: 'Where it is a network or a cloud, let one machine at a time write.',
  }),
  LEDGER_LINES: ({ details }) => ({
    sentence: `Ledger: ${unreadLines(details.lines)}.`,
    remedy: 'A torn line is one write that a crash cut off; nothing is to be done.',
  }),
  TOMBSTONE_LINES: ({ details }) => ({
    sentence: `Tombstones: ${unreadLines(details.lines)}.`,
    remedy:
      'A copy of what such a line named may come back. To write the readable lines anew, with the damaged file kept beside them: mnemos doctor --fix',
  }),
  TOMBSTONES_UNREADABLE: ({ paths, details }) => ({
    sentence: `What was deleted cannot be read from ${paths[0]}: ${fileClause(details.fault)}.`,
    remedy:
      'Put the file back from a backup, or make it readable; until then a copy of a deleted record may come back.',
  }),
  TOMBSTONES_MISSING: ({ details: { count } }) => ({
    sentence: `${counted(count, 'deletion stands', 'deletions stand')} in the ledger and not in tombstones.jsonl, which was removed or replaced.`,
    remedy: FIX,
  }),
  BAD_USER_MEMORY: ({ paths, details }) => ({
    sentence: `${paths[0]} is skipped: ${fileClause(details.fault)}.`,
    remedy: entryRemedy(details.fault),
  }),
  USER_MEMORY_UNREADABLE: ({ details }) => ({
    sentence: `The folder user-memory/ cannot be looked at: ${entryFolderClause(details.fault)}.`,
    remedy: 'Make it a folder that this user can read.',
  }),
  USER_MEMORY_FULL: ({ details: { names } }) => ({
    sentence: `The user memory is over its limits, so ${named(names)} ${names.length === 1 ? 'is' : 'are'} not in view.`,
    remedy: 'Merge, shorten or remove some of its files.',
  }),
}

export const repairs: Catalogue['repairs'] = {
  INDEX_KNOWS_ABSENT: () => 'it alone knows which files are absent',
  FAILED: ({ reason }) => reason,
}
