/** What is said of a deletion, in Chinese: one sentence; what stays and may hold the same words is listed beside it. */
import type { DeletionReport } from '../../store/deletion.ts'
import { named } from './words.ts'

const LOGS = '宿主自己的会话日志里仍有这段对话'
const NOTHING_LEFT = '数据文件夹里没有留下它的任何内容'

export function deletion({ id, left, cut, alike, others }: DeletionReport): string {
  if (left.length > 0) {
    const each = left.map(({ place, reason }) => (reason === undefined ? place : `${place}（${reason}）`))
    return `“${id}”尚未在各处删除：还没完成的是 ${each.join('、')}；下一次写入时会再试。`
  }
  const how = (what: (typeof alike)[number]['what']) => alike.filter((one) => one.what === what).length
  const other = (what: (typeof others)[number]['what']) => others.filter((one) => one.what === what).length
  const lost = count(cut.length, (n) => `${n} 条记录失去了取自它的文字`)
  const stays = [
    ...count(how('made'), (n) => `由它而来的 ${n} 条记录里仍有它的文字，无法剪去`),
    ...count(how('record'), (n) => `另有 ${n} 条保留的记录含有它的文字`),
    ...count(how('entry'), (n) => `${n} 条只能由本人移除的用户记忆含有它的文字`),
    ...count(how('skipped'), (n) => `${n} 个被跳过的文件含有它的文字或 id`),
    ...count(how('naming'), (n) => `另有 ${n} 条记录指向它的名字`),
    ...count(other('namesake'), (n) => `另有 ${n} 篇笔记同名`),
    ...count(other('named'), (n) => `${n} 个不属于 Mnemos 的文件带有它的名字`),
    ...count(other('history'), (n) => `${n} 个代码仓库的历史里可能有它`),
  ]
  const unknown = [...alike, ...others].flatMap(({ file, what, reason }) =>
    what === 'unknown' ? [`${file}（${reason}）`] : [],
  )
  if (unknown.length > 0) stays.push(`${named(unknown)} 中有什么无从得知`)
  const rest = stays.length === 0 ? [NOTHING_LEFT] : stays
  return `“${id}”已删除；${[...lost, ...rest, LOGS].join('；')}。`
}

const count = (n: number, words: (n: number) => string): string[] => (n === 0 ? [] : [words(n)])
