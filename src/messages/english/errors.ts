/** Errors that say by a code what is wrong. */
import { dataLine } from '../../base/data-line.ts'
import { cut } from '../../base/text.ts'
import { type Catalogue, made } from '../catalogue.ts'
import { entryFolderClause, entryRemedy, fileClause, fileRemedy, textRemedy } from './files.ts'
import { folders } from './folders.ts'

/** Of the name of a workspace. */
const WORKSPACE_CHARACTERS = 120

export const errors: Catalogue['errors'] = {
  TEXT_UNREADABLE: ({ fault }) => ({
    sentence: `The text cannot be a record: ${fileClause(fault)}.`,
    remedy: textRemedy(fault),
  }),
  TOML_NOT_WRITTEN: () => ({
    sentence:
      'The front matter of the file is TOML (+++), which is read by other programs and left alone here; nothing was written.',
    remedy: 'Write it as YAML (---) in an editor first.',
  }),
  FRONT_NOT_CHANGED: () => ({
    sentence:
      'The front matter of the file cannot be changed without touching other fields; nothing was written.',
    remedy: 'Change it in an editor: mnemos edit <id>',
  }),
  RECORD_NOT_KEPT: (reason) => ({
    sentence: `The record cannot be kept in a file (${'fault' in reason ? fileClause(reason.fault) : `${reason.field}: its text would not be read back as it is`}); nothing was written.`,
    remedy: 'Write that field in plain words.',
  }),
  FILE_UNREADABLE: ({ id, path, fault }) => ({
    sentence: `The file of "${id}" (memories/${path}) cannot be read: ${fileClause(fault)}.`,
    remedy: fileRemedy(fault),
  }),
  READ_ONLY({ fault }) {
    const { sentence, remedy } = made(folders, fault)
    return { sentence: `${sentence} Nothing was changed.`, remedy }
  },
  OTHER_WORKSPACE: ({ id, workspace }) => ({
    sentence: `The record "${id}" belongs to the workspace "${dataLine(cut(workspace, WORKSPACE_CHARACTERS))}", and workspaces are kept apart.`,
    remedy:
      'Use it in a session of that workspace; to share them all, the person sets isolate to false in the config.',
  }),
  UNREAD_COPY: ({ id }) => ({
    sentence: `A copy of "${id}" cannot be read, and may belong to another workspace; nothing was deleted.`,
    remedy: `The person can delete both with: mnemos delete ${id}`,
  }),
  ENTRY_UNREADABLE: ({ file, fault }) =>
    file === undefined
      ? { sentence: `The text cannot be an entry: ${fileClause(fault)}.`, remedy: entryRemedy(fault) }
      : {
          sentence: `The file ${file} cannot be read: ${fileClause(fault)}.`,
          remedy: 'The person can correct or remove it.',
        },
  ENTRY_INVALID: ({ name, fault }) => ({
    sentence: `"${name}" cannot be saved: ${fileClause(fault)}.`,
    remedy: entryRemedy(fault),
  }),
  NO_ENTRY_FOLDER: ({ noun, fault, name }) =>
    name === undefined
      ? {
          sentence: `The ${noun} cannot be looked at: ${entryFolderClause(fault)}.`,
          remedy: 'The person can put a folder in its place.',
        }
      : {
          sentence: `"${name}" could not be saved: ${entryFolderClause(fault)}; nothing was written.`,
          remedy: 'The person can put a folder in its place.',
        },
}
