/** Why a file or an entry is skipped, in Chinese: a clause each. */

import { localMinute } from '../../base/clock.ts'
import type { EntryFault, EntryFileFault, EntryFolderFault, InPlaceOfFolder } from '../../entries/fault.ts'
import type { FileFault } from '../../files/file-fault.ts'
import type { Misplaced } from '../../files/misplaced.ts'
import type { FullWidth } from '../../record/fault.ts'
import { made, type Table } from '../catalogue.ts'

const files: Table<FileFault> = {
  EMPTY: () => '文件是空的',
  BLANK: () => '文件里没有文字',
  NOT_UTF8: () => '不是 UTF-8 文本',
  NUL: () => '含有 NUL 字节',
  FRONT_NOT_CLOSED: () => '开头的 front matter（一行“---”加若干“key: value”行）没有用第二行“---”结束',
  FRONT_TOO_LARGE: ({ limit }) => `front matter 超过 ${limit} 字节`,
  FRONT_TOO_MANY_SIGNS: ({ limit }) => `front matter 中的标点和换行超过 ${limit} 个`,
  FRONT_NO_KEYS: () => 'front matter 不是“key: value”行的列表',
  YAML: ({ reason, line }) => `YAML 无法读取（${line === undefined ? '' : `第 ${line} 行：`}${reason}）`,
  FIELD: ({ field, wrong }) => (field === '' ? wrong : `${field}：${wrong}`),
  BAD_ID: ({ id }) => `名称“${id}”不能作为 id：id 由 1 到 64 个字母、数字、“-”或“_”组成`,
  NO_SUMMARY: () => '既没有 summary，也没有一行正文',
  LINK: () => '是符号链接',
  NOT_REGULAR: () => '不是普通文件',
  HARD_LINK: () => '是硬链接：同一个文件还有别的名字',
  NOT_A_FOLDER: () => '不是文件夹，或是指向不存在之处的链接',
  LINKED_TWICE: () => '是链接，指向自身，或指向含有已读文件夹的文件夹',
  TOO_LARGE: ({ limit }) => `超过 ${limit} 字节`,
  RESTORED_COPY: ({ deletedAt }) =>
    `是一条${deletedAt === undefined ? '' : `已于 ${localMinute(deletedAt)} `}删除的记录的恢复副本`,
  UNREADABLE: ({ reason }) => reason,
}

const entries: Table<EntryFault> = {
  NO_FRONT: () => '没有含 name、type 和 summary 的 front matter',
  FRONT_TOO_LONG: ({ bytes, limit }) => `front matter 有 ${bytes} 字节，上限是 ${limit} 字节`,
  MISSING_KEY: ({ key }) => `缺少 ${key}`,
  NOT_TEXT: ({ key }) => `${key} 不是文本`,
  UNKNOWN_KEY: ({ key }) => `含有键“${key}”，而这里只能有 name、type 和 summary`,
  OTHER_NAME: ({ name }) => `name“${name}”与文件名不同`,
  BAD_TYPE: ({ type, types }) => `type“${type}”不在 ${types.join('、')} 之中`,
  BAD_NAME: ({ limit }) => `名称最多 ${limit} 个字符，只能用小写字母、数字和单个连字符`,
  EMPTY_SUMMARY: () => 'summary 是空的',
  SUMMARY_LINES: () => 'summary 不止一行',
  BROKEN_CHARACTERS: () => '含有 NUL 或半个字符',
  UNSEEN_SUMMARY: () => 'summary 里没有看得见的内容',
  SUMMARY_TOO_LONG: ({ bytes, limit }) => `summary 有 ${bytes} 字节，上限是 ${limit} 字节`,
  DETAILS_TOO_LONG: ({ bytes, limit }) => `详情有 ${bytes} 字节，上限是 ${limit} 字节`,
}

const KINDS: Readonly<Record<Misplaced['kind'], string>> = {
  file: '一个文件',
  folder: '一个文件夹',
  link: '一个符号链接',
  other: '一个管道或设备',
}

const EXPECTED: Readonly<Record<Misplaced['expected'], string>> = { file: '文件', folder: '文件夹' }

const entryFolder: Table<InPlaceOfFolder> = {
  IN_PLACE_OF_FOLDER: ({ kind }) => `本应是文件夹的位置上是${KINDS[kind]}`,
}

/** What stands in a place of ours. */
export const misplacedClause = ({ path, expected, kind }: Misplaced): string =>
  `本应是${EXPECTED[expected]} ${path} 的位置上是${KINDS[kind]}`

const fullWidthClauses = ({ key, comma }: FullWidth): string[] => [
  ...(key === undefined ? [] : [`“${key}：”用了全角冒号，应为半角的 :`]),
  ...(comma ? ['列表里用了全角逗号，应为半角的 ,'] : []),
]

/** The clause of a fault, with what full-width signs are likely to be behind it. */
export const fileClause = (fault: EntryFileFault): string =>
  [made({ ...files, ...entries }, fault), ...fullWidthClauses(fault.fullWidth ?? {})].join('；')

export const entryFolderClause = (fault: EntryFolderFault): string =>
  made({ ...files, ...entryFolder }, fault)

const AS_UTF8 = '请用编辑器把它存为 UTF-8；它原来是什么编码无从得知。'
const WRITE_AGAIN = '请重写或移走它；备份里也许还有原文。'
const PLAIN_FILE = '请换成普通文件，或把它移出 memories/。'
const SHORTER = '请拆分它，或把长文放在别处。'
const WITH_WORDS = '请在其中写一行文字，或在 front matter 里写一行“summary:”。'
const IN_FRONT = '请用编辑器改正；若两行“---”之间本是正文，请把第一行改为“***”。'

const REMEDIES: Readonly<Record<FileFault['code'], string>> = {
  NOT_UTF8: AS_UTF8,
  NUL: AS_UTF8,
  EMPTY: WRITE_AGAIN,
  BLANK: WRITE_AGAIN,
  NO_SUMMARY: WITH_WORDS,
  FRONT_NOT_CLOSED:
    '请在最后一个“key: value”行下面加一行“---”（若正文缺失，备份里也许还有）；若第一行本是分隔线，请改为“***”。',
  LINK: PLAIN_FILE,
  HARD_LINK: PLAIN_FILE,
  NOT_REGULAR: PLAIN_FILE,
  NOT_A_FOLDER: '请挂载链接所指的磁盘，或在此处放一个文件夹。',
  LINKED_TWICE: '请移除该链接，或让它指向别处。',
  TOO_LARGE: SHORTER,
  FRONT_TOO_LARGE: SHORTER,
  FRONT_TOO_MANY_SIGNS: SHORTER,
  FRONT_NO_KEYS: IN_FRONT,
  YAML: IN_FRONT,
  FIELD: '请用编辑器改正该字段，或去掉它。',
  BAD_ID: '请给文件换个名字，或改正其中的“id:”一行。',
  RESTORED_COPY: '移除命令：mnemos doctor --fix。若要重新保存，请先把它写成一条新记录。',
  UNREADABLE: '请让当前用户可以读取它。',
}

/** What a person can do about a file that the doctor cannot repair. */
export const fileRemedy = ({ code }: FileFault): string => REMEDIES[code]

/** What can be done about a text that is no record and lies in no file yet. */
export const textRemedy = (fault: FileFault): string =>
  fault.code === 'EMPTY' || fault.code === 'BLANK' ? WITH_WORDS : fileRemedy(fault)

const MERGE = '请缩短它，或并入已有的条目。'

const entryRemedies: Table<EntryFault> = {
  NO_FRONT: () => '请在开头的两行“---”之间写上“name:”、“type:”和“summary:”。',
  FRONT_TOO_LONG: () => '请缩短两行“---”之间的内容；详情写在它们下面。',
  MISSING_KEY: ({ key }) => `请加一行“${key}:”并写上值。`,
  NOT_TEXT: ({ key }) => `请在“${key}:”后面写一段文本。`,
  UNKNOWN_KEY: ({ key }) => `请去掉“${key}:”一行，或把它的内容写到第二行“---”下面。`,
  OTHER_NAME: ({ name }) => `请把文件命名为 ${name}.md，或在“name:”后面写上文件名。`,
  BAD_TYPE: ({ types }) => `请写 ${types.join('、')} 之一。`,
  BAD_NAME: () => '请用“morning-tea”这样的名称，文件名也一样。',
  EMPTY_SUMMARY: () => '请用一行写明它说的是什么。',
  SUMMARY_LINES: () => '请保留第一行，其余写进详情。',
  BROKEN_CHARACTERS: () => '请去掉这些字符重写。',
  UNSEEN_SUMMARY: () => '请用一行写明它说的是什么。',
  SUMMARY_TOO_LONG: () => MERGE,
  DETAILS_TOO_LONG: () => MERGE,
}

/** What can be done about a text that is no entry. */
export const entryRemedy = (fault: EntryFileFault): string =>
  isFileFault(fault) ? textRemedy(fault) : made(entryRemedies, fault)

const isFileFault = (fault: EntryFileFault): fault is FileFault => Object.hasOwn(REMEDIES, fault.code)
