import { expect, it } from 'vitest'
import { questionOf } from '../../../../src/search/recall/question.ts'

it('phrasings without a word, lists without a tag and filters that are not given count as none', () => {
  expect(questionOf(['kettle', ' ', ''], { tags: [], kind: undefined, task: 't' })).toEqual({
    queries: ['kettle'],
    scope: { task: 't' },
  })
})

it('days are the whole of them', () => {
  expect(questionOf([], { since: '2026-11-30', until: '2026-11-30' }).scope).toEqual({
    since: '2026-11-30T00:00:00.000Z',
    until: '2026-11-30T23:59:59.999Z',
  })
})

it('nothing asked at all is refused', () => {
  expect(() => questionOf([' '], { tags: [] })).toThrow(/needs a query or a filter/)
  expect(() => questionOf([], { since: 'soon' })).toThrow(/since "soon" is no date/)
})
