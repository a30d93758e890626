/** What to try next when little or nothing was found, in Chinese. */
import type { Catalogue } from '../catalogue.ts'

export const hints: Catalogue['hints'] = {
  LEFT_OUT: ({ reasons }) => {
    const askable = reasons.filter((reason) => reason !== 'isolated')
    return [
      ...(askable.length > 0
        ? [`leftOut 所计的内容可用 include: [${askable.map((one) => `"${one}"`).join(', ')}] 显示。`]
        : []),
      ...(askable.length < reasons.length ? ['其他工作区的内容不显示：本工作区是隔离的。'] : []),
    ].join('')
  },
  WITHOUT_FILTERS: ({ filters, count }) => `去掉 ${filters.join('、')} 后有 ${count} 条记录符合。`,
  NEAR_TERMS: ({ word, near }) => `没有记录含有“${word}”；相近的词：${near.join('、')}。`,
  ARCHIVED_SHOWN: () => '没有有效的记录能很好地回答，因此结果中包括已归档的记录。',
  NO_WORDS: () => '查询里没有可搜索的词：请写出事物、人名或地名。',
  NOTHING_MATCHES: () => '没有符合的记录：请换个说法、减少用词，或换另一种语言。',
}
