import { expect, it } from 'vitest'
import { nearDuplicates } from '../../../../src/search/recall/near-duplicates.ts'
import { record } from '../index/fixture.ts'

const near = (summary: string, ...others: string[]) =>
  nearDuplicates(
    summary,
    others.map((other, at) => record({ id: `r${at}`, summary: other })),
  ).map((found) => found.summary)

it('a summary is near one that shares half of the words of both', () => {
  expect(
    near('The cat sleeps on the sofa', 'The cat sleeps on the chair', 'A dog barks at the moon'),
  ).toEqual(['The cat sleeps on the chair'])
})

it('a longer summary is near a telling one that it holds, and not near one of a few words', () => {
  const long = 'Our staging database listens on port 5433 since the move to the new cluster in May'
  expect(near(long, 'staging database listens port 5433', 'port 5433', 'database')).toEqual([
    'staging database listens port 5433',
  ])
})

it('Chinese summaries are compared by their words', () => {
  expect(
    near('生产环境的数据库每天凌晨两点备份', '生产环境的数据库每天凌晨三点备份', '今天天气很好'),
  ).toEqual(['生产环境的数据库每天凌晨三点备份'])
})

it('nothing is near a summary without words', () => {
  expect(near('…', '！？', 'word')).toEqual([])
})
