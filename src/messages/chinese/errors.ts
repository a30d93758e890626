/** Errors that say by a code what is wrong, in Chinese. */
import { dataLine } from '../../base/data-line.ts'
import { cut } from '../../base/text.ts'
import { type Catalogue, made } from '../catalogue.ts'
import { entryFolderClause, entryRemedy, fileClause, fileRemedy, textRemedy } from './files.ts'
import { folders } from './folders.ts'
import { nounOf } from './nouns.ts'

/** Of the name of a workspace. */
const WORKSPACE_CHARACTERS = 120

const PUT_FOLDER = '可以由本人在该处放一个文件夹。'

export const errors: Catalogue['errors'] = {
  TEXT_UNREADABLE: ({ fault }) => ({
    sentence: `这段文本不能成为记录：${fileClause(fault)}。`,
    remedy: textRemedy(fault),
  }),
  TOML_NOT_WRITTEN: () => ({
    sentence: '该文件的 front matter 是 TOML（+++），由别的程序读取，这里不改动它；没有写入任何内容。',
    remedy: '请先用编辑器改写为 YAML（---）。',
  }),
  FRONT_NOT_CHANGED: () => ({
    sentence: '无法在不触及其他字段的情况下修改该文件的 front matter；没有写入任何内容。',
    remedy: '请用编辑器修改：mnemos edit <id>',
  }),
  RECORD_NOT_KEPT: (reason) => ({
    sentence: `该记录无法存成文件（${'fault' in reason ? fileClause(reason.fault) : `${reason.field}：这段文本读回来会与写下的不同`}）；没有写入任何内容。`,
    remedy: '请用普通文字写该字段。',
  }),
  FILE_UNREADABLE: ({ id, path, fault }) => ({
    sentence: `“${id}”的文件（memories/${path}）无法读取：${fileClause(fault)}。`,
    remedy: fileRemedy(fault),
  }),
  READ_ONLY({ fault }) {
    const { sentence, remedy } = made(folders, fault)
    return { sentence: `${sentence}没有作任何改动。`, remedy }
  },
  OTHER_WORKSPACE: ({ id, workspace }) => ({
    sentence: `记录“${id}”属于工作区“${dataLine(cut(workspace, WORKSPACE_CHARACTERS))}”，而各工作区彼此隔开。`,
    remedy: '请在那个工作区的会话里使用它；若要全部共用，由本人在配置中把 isolate 设为 false。',
  }),
  UNREAD_COPY: ({ id }) => ({
    sentence: `“${id}”的一份副本无法读取，可能属于另一个工作区；没有删除任何内容。`,
    remedy: `本人可用此命令把两者一并删除：mnemos delete ${id}`,
  }),
  ENTRY_UNREADABLE: ({ file, fault }) =>
    file === undefined
      ? { sentence: `这段文本不能成为条目：${fileClause(fault)}。`, remedy: entryRemedy(fault) }
      : {
          sentence: `文件 ${file} 无法读取：${fileClause(fault)}。`,
          remedy: '可以由本人改正或移除它。',
        },
  ENTRY_INVALID: ({ name, fault }) => ({
    sentence: `“${name}”无法保存：${fileClause(fault)}。`,
    remedy: entryRemedy(fault),
  }),
  NO_ENTRY_FOLDER: ({ noun, fault, name }) =>
    name === undefined
      ? { sentence: `无法检查${nounOf(noun)}：${entryFolderClause(fault)}。`, remedy: PUT_FOLDER }
      : {
          sentence: `“${name}”未能保存：${entryFolderClause(fault)}；没有写入任何内容。`,
          remedy: PUT_FOLDER,
        },
}
