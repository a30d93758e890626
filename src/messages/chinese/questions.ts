/** What the person is asked, in Chinese. */
import type { QuestionWords } from '../catalogue.ts'

export const questions: QuestionWords = {
  allow: '允许一次',
  reject: '拒绝',
  notShown: ({ bytes, lines }) =>
    `另有 ${bytes} 字节（全文共 ${lines} 行）没有显示在这里；你的同意也包括这部分。`,
  save: {
    create: '保存一条新的用户记忆？',
    replace: '替换一条用户记忆？',
    consent: '以后的每个会话和项目都会看到它。你的同意只针对这次的内容。',
    name: '名称',
    folder: '文件夹',
    type: '类型',
    typeBefore: '原类型',
    summary: '摘要',
    summaryBefore: '原摘要',
    summaryNew: '新摘要',
    details: '详情',
    detailsSame: '详情（不变）',
    detailsNew: '详情（取代原有详情）',
    detailsGone: (bytes) => `无；原有的 ${bytes} 字节将被移除`,
  },
  remove: {
    headline: ({ kind, summary, id }) => `永久删除 ${kind} ${summary}（${id}）？`,
    why: '理由',
    file: '文件',
    copy: '还有它的副本',
    cut: '含有取自它的文字、也会被删去这些文字的记录',
    content: '内容',
  },
}
