/** Why a file or an entry is skipped: a clause each, to stand behind "is skipped:" or in brackets. */

import { localMinute } from '../../base/clock.ts'
import type { EntryFault, EntryFileFault, EntryFolderFault, InPlaceOfFolder } from '../../entries/fault.ts'
import type { FileFault } from '../../files/file-fault.ts'
import type { Misplaced } from '../../files/misplaced.ts'
import type { FullWidth } from '../../record/fault.ts'
import { made, type Table } from '../catalogue.ts'

const files: Table<FileFault> = {
  EMPTY: () => 'the file is empty',
  BLANK: () => 'it holds no text',
  NOT_UTF8: () => 'it is not UTF-8 text',
  NUL: () => 'it holds NUL bytes',
  FRONT_NOT_CLOSED: () =>
    'its front matter (a line "---" and "key: value" lines) is not closed by a second line "---"',
  FRONT_TOO_LARGE: ({ limit }) => `its front matter is larger than ${limit} bytes`,
  FRONT_TOO_MANY_SIGNS: ({ limit }) =>
    `its front matter has more than ${limit} signs of punctuation and line ends`,
  FRONT_NO_KEYS: () => 'its front matter is not a list of "key: value" lines',
  YAML: ({ reason, line }) =>
    `its YAML cannot be read (${line === undefined ? '' : `line ${line}: `}${reason})`,
  FIELD: ({ field, wrong }) => (field === '' ? wrong : `${field}: ${wrong}`),
  BAD_ID: ({ id }) => `its name "${id}" is no id: 1 to 64 letters, digits, "-" or "_" are`,
  NO_SUMMARY: () => 'it has neither a summary nor a line of text',
  LINK: () => 'it is a symbolic link',
  NOT_REGULAR: () => 'it is not a regular file',
  HARD_LINK: () => 'it is a hard link: another name stands for the same file',
  NOT_A_FOLDER: () => 'it is no folder, or a link that leads to none',
  LINKED_TWICE: () => 'it is a link to a folder that holds others which are read already, or itself',
  TOO_LARGE: ({ limit }) => `it is larger than ${limit} bytes`,
  RESTORED_COPY: ({ deletedAt }) =>
    `it is a restored copy of a record that was deleted${deletedAt === undefined ? '' : ` on ${localMinute(deletedAt)}`}`,
  UNREADABLE: ({ reason }) => reason,
}

const entries: Table<EntryFault> = {
  NO_FRONT: () => 'it has no front matter with name, type and summary',
  FRONT_TOO_LONG: ({ bytes, limit }) => `its front matter has ${bytes} bytes and may have ${limit}`,
  MISSING_KEY: ({ key }) => `it has no ${key}`,
  NOT_TEXT: ({ key }) => `its ${key} is no text`,
  UNKNOWN_KEY: ({ key }) => `it has the key "${key}", and only name, type and summary may stand there`,
  OTHER_NAME: ({ name }) => `its name "${name}" is not that of the file`,
  BAD_TYPE: ({ type, types }) => `its type "${type}" is none of ${types.join(', ')}`,
  BAD_NAME: ({ limit }) => `its name may have up to ${limit} lower-case letters, digits and single hyphens`,
  EMPTY_SUMMARY: () => 'its summary is empty',
  SUMMARY_LINES: () => 'its summary has more than one line',
  BROKEN_CHARACTERS: () => 'it holds NUL or half a character',
  UNSEEN_SUMMARY: () => 'its summary has nothing that can be seen',
  SUMMARY_TOO_LONG: ({ bytes, limit }) => `its summary has ${bytes} bytes and may have ${limit}`,
  DETAILS_TOO_LONG: ({ bytes, limit }) => `its details have ${bytes} bytes and may have ${limit}`,
}

const entryFolder: Table<InPlaceOfFolder> = {
  IN_PLACE_OF_FOLDER: ({ kind }) =>
    `${{ file: 'a file', link: 'a symbolic link', other: 'a pipe or device' }[kind]} stands where the folder should be`,
}

const KINDS: Readonly<Record<Misplaced['kind'], string>> = {
  file: 'a file',
  folder: 'a folder',
  link: 'a symbolic link',
  other: 'a pipe or device',
}

/** "a symbolic link stands where the folder pending should be" */
export const misplacedClause = ({ path, expected, kind }: Misplaced): string =>
  `${KINDS[kind]} stands where the ${expected} ${path} should be`

const fullWidthClauses = ({ key, comma }: FullWidth): string[] => [
  ...(key === undefined ? [] : [`"${key}：" has a full-width colon: ： is not :`]),
  ...(comma ? ['a list has a full-width comma: ， is not ,'] : []),
]

/** The clause of a fault, with what full-width signs are likely to be behind it. */
export const fileClause = (fault: EntryFileFault): string =>
  [made({ ...files, ...entries }, fault), ...fullWidthClauses(fault.fullWidth ?? {})].join('; ')

export const entryFolderClause = (fault: EntryFolderFault): string =>
  made({ ...files, ...entryFolder }, fault)

const AS_UTF8 = 'Save it as UTF-8 in an editor; what encoding it has cannot be known.'
const WRITE_AGAIN = 'Write it again or remove it; a backup may still have its text.'
const PLAIN_FILE = 'Put a plain file in its place, or move it out of memories/.'
const SHORTER = 'Split it, or keep the long text elsewhere.'
const WITH_WORDS = 'Write a line of text in it, or a line "summary:" in its front matter.'

const IN_FRONT =
  'Correct it in an editor; or, where the text between the two lines "---" is meant as text, write "***" for the first of them.'

const REMEDIES: Readonly<Record<FileFault['code'], string>> = {
  NOT_UTF8: AS_UTF8,
  NUL: AS_UTF8,
  EMPTY: WRITE_AGAIN,
  BLANK: WRITE_AGAIN,
  NO_SUMMARY: WITH_WORDS,
  FRONT_NOT_CLOSED:
    'Put a line "---" below the last "key: value" line (where text is missing, a backup may still have it); or, where the first line is meant as a line across the page, write "***" there.',
  LINK: PLAIN_FILE,
  HARD_LINK: PLAIN_FILE,
  NOT_REGULAR: PLAIN_FILE,
  NOT_A_FOLDER: 'Mount the disk that the link leads to, or put a folder in its place.',
  LINKED_TWICE: 'Remove the link, or let it lead elsewhere.',
  TOO_LARGE: SHORTER,
  FRONT_TOO_LARGE: SHORTER,
  FRONT_TOO_MANY_SIGNS: SHORTER,
  FRONT_NO_KEYS: IN_FRONT,
  YAML: IN_FRONT,
  FIELD: 'Correct that field in an editor, or leave it out.',
  BAD_ID: 'Give the file another name, or correct the line "id:" in it.',
  RESTORED_COPY: 'Remove it with: mnemos doctor --fix. To hold it again, write it as a new record first.',
  UNREADABLE: 'Make it readable for this user.',
}

/** What a person can do about a file that the doctor cannot repair. */
export const fileRemedy = ({ code }: FileFault): string => REMEDIES[code]

/** What can be done about a text that is no record and lies in no file yet. */
export const textRemedy = (fault: FileFault): string =>
  fault.code === 'EMPTY' || fault.code === 'BLANK' ? WITH_WORDS : fileRemedy(fault)

const entryRemedies: Table<EntryFault> = {
  NO_FRONT: () => 'Put the lines "name:", "type:" and "summary:" at its top, between two lines "---".',
  FRONT_TOO_LONG: () => 'Shorten the lines between the two lines "---"; details go below them.',
  MISSING_KEY: ({ key }) => `Give it a line "${key}:" with a value.`,
  NOT_TEXT: ({ key }) => `Write one text behind "${key}:".`,
  UNKNOWN_KEY: ({ key }) => `Take the line "${key}:" out, or put what it says below the second line "---".`,
  OTHER_NAME: ({ name }) => `Name the file ${name}.md, or write the file's name behind "name:".`,
  BAD_TYPE: ({ types }) => `Write one of ${types.join(', ')}.`,
  BAD_NAME: () => 'Choose a name like "morning-tea", and name the file so too.',
  EMPTY_SUMMARY: () => 'Say in one line what it is about.',
  SUMMARY_LINES: () => 'Keep the first line of it, and put the rest into the details.',
  BROKEN_CHARACTERS: () => 'Write it again without them.',
  UNSEEN_SUMMARY: () => 'Say in one line what it is about.',
  SUMMARY_TOO_LONG: () => 'Shorten it, or merge it into an entry that is there.',
  DETAILS_TOO_LONG: () => 'Shorten it, or merge it into an entry that is there.',
}

/** What can be done about a text that is no entry. */
export const entryRemedy = (fault: EntryFileFault): string =>
  isFileFault(fault) ? textRemedy(fault) : made(entryRemedies, fault)

const isFileFault = (fault: EntryFileFault): fault is FileFault => Object.hasOwn(REMEDIES, fault.code)
