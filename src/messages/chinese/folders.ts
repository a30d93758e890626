/** Why a data folder is only read, in Chinese. */
import type { FolderFault } from '../../files/claim.ts'
import type { Advice, Table } from '../catalogue.ts'

export const folders: Table<FolderFault, Advice> = {
  VERSION_DAMAGED: ({ version }) => ({
    sentence: '数据文件夹中的“version”文件已损坏，因此只读取，不写入。',
    remedy: `如果该文件夹由本程序建立，请在其中写入 ${version}。`,
  }),
  VERSION_NEWER: ({ version, known }) => ({
    sentence: `数据文件夹由更新的 Mnemos 写成（版本 ${version}，本程序认识到 ${known}），因此只读取，不写入。`,
    remedy: '请升级 Mnemos。',
  }),
  NOT_MOUNTED: () => ({
    sentence:
      '数据文件夹里原本有记忆，现在什么都没有，就像磁盘没有挂载一样；因此只读取，不在其中新建任何内容。',
    remedy: '请挂载磁盘后重新启动；若要在此重新开始：mnemos doctor --forget-absent',
  }),
  UNUSABLE: ({ why, remedy }) => ({ sentence: `数据文件夹无法使用：${why}。`, remedy }),
}
