/** What the doctor finds, and what to do about it, in Chinese. */
import type { BadLine } from '../../files/jsonl.ts'
import { type Catalogue, made } from '../catalogue.ts'
import { entryFolderClause, entryRemedy, fileClause, fileRemedy, misplacedClause } from './files.ts'
import { folders } from './folders.ts'
import { absentFiles, registerFault } from './problems.ts'
import { FIX, named } from './words.ts'

const REBUILD = '重建命令：mnemos rebuild-index'

const unreadLines = (lines: readonly BadLine[]) =>
  `有 ${lines.length} 行无法读取：${named(lines.map(({ line, reason }) => `${line}（${reason}）`))}`

export const findings: Catalogue['findings'] = {
  NO_FOLDER: ({ details: { folder, dshHome } }) => ({
    sentence:
      folder === undefined ? `${dshHome} 中还没有任何配置档启动过 Mnemos。` : `没有数据文件夹 ${folder}。`,
    remedy: '请带着插件启动一次宿主，或用 --data 指定文件夹。',
  }),
  NOT_WRITABLE: () => ({
    sentence: '该文件夹无法写入：新的内容不会被记住。',
    remedy: '请让当前用户可以写入，或用 MNEMOS_DATA 指定别的文件夹。',
  }),
  NOT_MOUNTED: ({ details }) => made(folders, details.fault),
  VERSION_NEWER: ({ details }) => made(folders, details.fault),
  VERSION_DAMAGED: ({ details }) => made(folders, details.fault),
  VERSION_MISSING: () => ({ sentence: '缺少“version”文件。', remedy: FIX }),
  MISPLACED: ({ fixable, details: { place } }) => ({
    sentence: `${misplacedClause(place)}。`,
    remedy: fixable
      ? '请看看它是什么。若要以别的名字保留它并腾出位置：mnemos doctor --fix'
      : '请看看它是什么，并把它移走。',
  }),
  UNREAD_FOLDER: ({ paths, details: { fault } }) => ({
    sentence: `文件夹 ${paths[0]} 无法读取：${fileClause(fault)}。`,
    remedy: fileRemedy(fault),
  }),
  ABSENT_FILES: ({ paths }) => absentFiles(paths.length, paths),
  BAD_FILE: ({ paths, fixable, details }) => ({
    sentence: `${paths[0]} 被跳过：${fileClause(details.fault)}。`,
    remedy: fixable ? FIX : fileRemedy(details.fault),
  }),
  RESTORED_COPY: ({ paths, details }) => ({
    sentence: `${paths[0]} 不计入：${fileClause(details.fault)}。`,
    remedy: fileRemedy(details.fault),
  }),
  FOREIGN_VALUES: ({ paths: [path = ''], details: { values } }) => ({
    sentence: `${path} 中属于 Mnemos 的字段有未使用或未全部使用的值：${values
      .map(({ key, line, wrong }) => `第 ${line} 行 ${key}（${wrong}）`)
      .join('；')}。它们按原样保留。`,
    remedy: '别的程序的值不需要处理；若本是给 Mnemos 的，请缩短它，或换成 Mnemos 认识的值。',
  }),
  TWO_FILES: ({ paths: [first, ...others], details }) => ({
    sentence: `id“${details.id}”出现在 ${others.length + 1} 个文件中：以 ${first} 为准，${others.join('、')} 不算。`,
    remedy: '请取用其余文件中需要的内容（mnemos edit <id>），再移除它们。',
  }),
  PERMISSIONS: ({ paths }) => ({
    sentence: `本机的其他用户可能读到${named(paths.map((path) => (path === '.' ? '数据文件夹本身' : ` ${path} `)))}：文件夹权限应为 0700，文件应为 0600。`,
    remedy: FIX,
  }),
  TEMPORARY_FILES: ({ paths }) => ({
    sentence: `中断的写入留下了 ${paths.length} 个临时文件：${named(paths)}。`,
    remedy: FIX,
  }),
  UNFINISHED_ACT: ({ paths }) => ({
    sentence: `有 ${paths.length} 项改动被中断，尚未完成。`,
    remedy: '宿主下次启动时会完成它，也可以用：mnemos doctor --fix',
  }),
  INDEX_DAMAGED: ({ details }) => ({ sentence: `搜索索引已损坏（${details.reason}）。`, remedy: REBUILD }),
  INDEX_WRONG: ({ paths }) => ({ sentence: `搜索索引与文件不符：${named(paths)}。`, remedy: REBUILD }),
  INDEX_VERSION: ({ details: { version, known } }) => ({
    sentence: `搜索索引不是本程序的：它的版本是 ${version}，本程序写的是 ${known}。`,
    remedy: REBUILD,
  }),
  NO_DRIVER: ({ details }) => ({ sentence: details.reason, remedy: '' }),
  INDEX_IN_USE: () => ({ sentence: '搜索索引正在使用中，没有检查。', remedy: '请再试一次。' }),
  INDEX_MISSING: () => ({
    sentence: '没有搜索索引。',
    remedy: '下次启动时会建立；mnemos rebuild-index 也可以。',
  }),
  INDEX_BEHIND: ({ details: { count } }) => ({
    sentence: `索引更新之后有 ${count} 个文件改变了。`,
    remedy: '下次查看该文件夹时会更新：任何命令，或运行中宿主的任何一轮。',
  }),
  WORKSPACES_UNREAD: ({ details }) => registerFault(details.fault),
  PROFILES_DAMAGED: ({ paths }) => ({
    sentence: `${paths[0]} 已损坏，因此不知道各配置档的记录放在哪里。`,
    remedy: '每个宿主下次启动时会重写自己那一行；在此之前请用 --data 指定文件夹。',
  }),
  EMPTY_PROFILE: ({ details: { others } }) => {
    const each = others.map(({ folder, files, profiles }) => {
      const whose = profiles.length === 0 ? '' : `配置档 ${profiles.join('、')}，`
      return `${folder}（${whose}${files} 个文件）`
    })
    return {
      sentence: `该配置档没有记录，而别的文件夹有：${each.join('、')}。`,
      remedy: '若要在此使用其中之一，请把它设为该配置档的 dataDir，或用 mnemos init 共用它。',
    }
  },
  SYNCED_PLACE: ({ details: { service } }) => ({
    sentence: `该文件夹由${service === 'CLOUD_STORAGE' ? '云存储' : ` ${service} `}同步：两台机器同时写入会留下两个 id 相同的文件，删除的文字也会留在它的历史里。`,
    remedy: '请同一时间只让一台机器写入，并把 index/ 排除在同步之外。',
  }),
  NETWORK_PLACE: ({ details: { kind } }) => ({
    sentence: `该文件夹在网络文件系统上（${kind === 'NETWORK_SHARE' ? '网络共享' : kind}）：锁和搜索索引在那里不够可靠。`,
    remedy: '请把它放在本机磁盘上，再另行复制。',
  }),
  COARSE_PLACE: ({ details: { kind } }) => ({
    sentence: `该文件夹在 ${kind} 文件系统上：它的时间精度较粗，别的程序的改动可能晚几秒才看到；它也不保存权限，拿到磁盘的人都能读到这些记忆。`,
    remedy: '不需要处理；本机的 ext4、APFS 或 NTFS 磁盘没有这两个问题。',
  }),
  FUSE_PLACE: () => ({
    sentence: '该文件夹在用户空间文件系统（FUSE）上：背后是 exFAT、网络还是云，无从得知。',
    remedy: '如果是网络或云，请同一时间只让一台机器写入。',
  }),
  LEDGER_LINES: ({ details }) => ({
    sentence: `账本：${unreadLines(details.lines)}。`,
    remedy: '残缺的一行是一次被崩溃打断的写入，不需要处理。',
  }),
  TOMBSTONE_LINES: ({ details }) => ({
    sentence: `删除记载：${unreadLines(details.lines)}。`,
    remedy:
      '这些行所指记录的副本可能会重新出现。若要重写可读的行，并把损坏的文件保留在旁边：mnemos doctor --fix',
  }),
  TOMBSTONES_UNREADABLE: ({ paths, details }) => ({
    sentence: `无法从 ${paths[0]} 读出删除了什么：${fileClause(details.fault)}。`,
    remedy: '请从备份放回该文件，或让它可读；在此之前，已删除记录的副本可能会重新出现。',
  }),
  TOMBSTONES_MISSING: ({ details: { count } }) => ({
    sentence: `有 ${count} 次删除只在账本中，而不在 tombstones.jsonl 中：该文件被移除或替换了。`,
    remedy: FIX,
  }),
  BAD_USER_MEMORY: ({ paths, details }) => ({
    sentence: `${paths[0]} 被跳过：${fileClause(details.fault)}。`,
    remedy: entryRemedy(details.fault),
  }),
  USER_MEMORY_UNREADABLE: ({ details }) => ({
    sentence: `无法检查文件夹 user-memory/：${entryFolderClause(details.fault)}。`,
    remedy: '请把它换成当前用户可读的文件夹。',
  }),
  USER_MEMORY_FULL: ({ details: { names } }) => ({
    sentence: `用户记忆超出上限，因此 ${named(names)} 未展示。`,
    remedy: '请合并、缩短或移除其中一些文件。',
  }),
}

export const repairs: Catalogue['repairs'] = {
  INDEX_KNOWS_ABSENT: () => '只有它知道哪些文件不在',
  FAILED: ({ reason }) => reason,
}
