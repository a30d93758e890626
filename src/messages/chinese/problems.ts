/** What is wrong with a memory just now, in Chinese. */
import { CONFIG_KEYS, type ConfigProblem, rangeOf } from '../../base/config.ts'
import { visible } from '../../base/visible.ts'
import type { EntryFileFault } from '../../entries/fault.ts'
import type { FileFault } from '../../files/file-fault.ts'
import type { RegisterFault } from '../../files/workspace-register.ts'
import { type Advice, type Catalogue, made, type Table } from '../catalogue.ts'
import { entryFolderClause, fileClause, fileRemedy, misplacedClause } from './files.ts'
import { folders } from './folders.ts'
import { nounOf } from './nouns.ts'
import { inRow, named } from './words.ts'

const config: Table<ConfigProblem> = {
  NO_KEYS: () => '配置不是由键和值组成的；全部按默认值运行。',
  UNKNOWN_KEY: ({ key }) => `配置中的键“${key}”未知，已忽略；可用的键有 ${CONFIG_KEYS.join('、')}。`,
  BAD_VALUE: ({ key, inForce }) =>
    `配置中“${key}”的值无效（可取：${rangeOf(key)}）；按默认值 ${JSON.stringify(inForce)} 运行。`,
}

function skippedFiles(files: readonly { path: string; fault: EntryFileFault }[]): string {
  const each = files.map(({ path, fault }) => `${visible(path)}（${visible(fileClause(fault))}）`)
  return `有 ${files.length} 个文件被跳过，并保持原样：${named(each)}。`
}

const unreadFolders = (folders: readonly { path: string; fault: FileFault }[]): string =>
  `${named(folders.map(({ path, fault }) => `${visible(path)}（${fileClause(fault)}）`))}：其中的内容既不展示，也不会被忘记。${fileRemedy({ code: 'NOT_A_FOLDER' })}`

/** From the data folder, as every path that is told. @param path relative to the memories folder; `.` is that folder. */
const inMemories = (path: string): string => (path === '.' ? 'memories' : `memories/${path}`)

/** @param names of the files, where they are told. */
export const absentFiles = (count: number, names?: readonly string[]): Advice => ({
  sentence: `有 ${count} 个记录文件同时消失，就像磁盘没有挂载或同步未完成：它们不展示，但也没有被忘记${names === undefined ? '' : `（${named(names)}）`}。`,
  remedy: '请等它们回来；若要忘记它们：mnemos doctor --forget-absent',
})

export const registerFault = (fault: RegisterFault): Advice =>
  fault.code === 'DAMAGED'
    ? {
        sentence:
          'workspaces.json 已损坏，哪些文件夹属于同一个工作区只知道一部分：某个文件夹的记录可能被当作另一个工作区的。',
        remedy: '下一次写入记录时，它会以别的名字保留，并重新写成。',
      }
    : {
        sentence: `workspaces.json 无法读取（${fault.reason}），因此不知道哪些文件夹属于同一个工作区。`,
        remedy: '请把它换成当前用户可读的文件，或移走它。',
      }

export const problems: Catalogue['problems'] = {
  TEXT: ({ text }) => text,
  CONFIG: ({ problems: all }) => all.map((one) => made(config, one)).join(''),
  READ_ONLY: ({ fault }) => inRow(made(folders, fault)),
  OPEN_FAILED: ({ reason }) => `数据文件夹未能完整打开（${reason}）。`,
  FILLING: () => '记忆仍在读取中：完成之前，展示的内容可能不全，recall 会等待。',
  LOOK_FAILED: ({ reason }) => `未能检查数据文件夹（${reason}）。`,
  LEDGER_FAILED: ({ reason }) => `账本无法写入（${reason}）。`,
  RECALL_UNAVAILABLE: ({ reason }) => `recall 暂时不能用：${reason}`,
  BAD_FILES: ({ files }) => {
    const all = files.map((one) => ({ ...one, path: inMemories(one.path) }))
    const unread = all.filter(({ fault }) => fault.code === 'NOT_A_FOLDER')
    const skipped = all.filter(({ fault }) => fault.code !== 'NOT_A_FOLDER')
    return [
      ...(unread.length === 0 ? [] : [unreadFolders(unread)]),
      ...(skipped.length === 0 ? [] : [skippedFiles(skipped)]),
    ].join('')
  },
  MISPLACED: ({ places }) =>
    `${named(places.map(misplacedClause), '；')}：应在那里的内容无法写入。请把它移走，或查看：mnemos doctor`,
  ABSENT_FILES: ({ count }) => inRow(absentFiles(count)),
  TOMBSTONES: ({ lines, unread, onlyInLedger }) => {
    const each = [
      ...(lines.length === 0
        ? []
        : [`有 ${lines.length} 行无法读取（${named(lines.map(({ line }) => line))}）`]),
      ...unread.map(({ name, fault }) => `${name} 无法读取（${fileClause(fault)}）`),
      ...(onlyInLedger === 0 ? [] : [`有 ${onlyInLedger} 次删除只在账本中有记载`]),
    ]
    return `关于已删除记录的记载有损坏：${named(each, '；')}。其副本可能会重新出现；请查看：mnemos doctor`
  },
  COPIES: ({ copies }) => {
    const each = copies.map(
      ({ id, paths: [counts = '', ...others] }) =>
        `“${id}”（以 ${visible(inMemories(counts))} 为准，${visible(others.map(inMemories).join('、'))} 不算）`,
    )
    return `有 ${copies.length} 条记录存在于多个文件中：${named(each, '；')}。请把需要的内容移到为准的文件里，再移除其余的。`
  },
  WORKSPACES_UNREAD: ({ fault }) => inRow(registerFault(fault)),
  WORKSPACES_KEPT: ({ name }) =>
    `workspaces.json 已损坏，现已重新写成；原来的内容保留为 ${name}，以备其中记有别的工作区。`,
  WORKSPACES_NOT_WRITTEN: ({ reason }) =>
    `未能把本会话的文件夹记入 workspaces.json（${reason}），因此在此记住的内容以后可能被当作另一个工作区的。`,
  BAD_ENTRIES: ({ files }) => skippedFiles(files),
  ENTRIES_LEFT_OUT: ({ names }) =>
    `用户记忆超出上限：有 ${names.length} 条未展示（${named(names)}）。请合并、缩短或移除 user-memory/ 中的一些条目。`,
  ENTRIES_NOT_LOOKED_AT: ({ noun, count }) =>
    `检查${nounOf(noun)}用时过长：有 ${count} 个文件未能及时检查，下一轮再查；此前所知的内容仍然有效。`,
  ENTRY_FOLDER: ({ noun, fault }) =>
    `无法检查${nounOf(noun)}（${entryFolderClause(fault)}）；此前所知的内容仍然有效。请查看：mnemos doctor`,
}
