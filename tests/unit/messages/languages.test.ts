/** What one language says of a code, the other says too: the same details of it, in words of its own. */
import { expect, it } from 'vitest'
import { CATALOGUES } from '../../../src/messages/messages.ts'

const { en, zh } = CATALOGUES

/** The functions and words of a catalogue by their paths. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
}

/** The names that a sentence takes its details by, as its source lists them. */
const detailsOf = (sentence: unknown): string[] => {
  const [, list = ''] = /^\s*\(?\{(.*?)\}\)?\s*=>/s.exec(String(sentence)) ?? []
  return list.match(/\w+/g)?.toSorted() ?? []
}

const theirs = new Map(leaves(zh))

it('both have a word or sentence for the same things', () => {
  expect([...theirs.keys()].toSorted()).toEqual(
    leaves(en)
      .map(([path]) => path)
      .toSorted(),
  )
})

it.each(leaves(en).filter(([, one]) => typeof one === 'function'))(
  '%s takes the same details',
  (path, one) => {
    expect(detailsOf(theirs.get(path))).toEqual(detailsOf(one))
  },
)

it('no sentence of ours in Chinese is the English one', () => {
  const words = leaves(en).filter(([, one]) => typeof one === 'string')
  expect(words.filter(([path, one]) => theirs.get(path) === one)).toEqual([])
  expect(zh.problems.FILLING({ code: 'FILLING' })).toMatch(/[\u4e00-\u9fff]/)
})

it('says a fault of a file in either language, with what it is about', () => {
  const fault = { code: 'FIELD', field: 'kind', wrong: 'x', fullWidth: { key: '标题', comma: true } } as const
  for (const { file } of [en, zh]) {
    expect(file(fault)).toContain('kind')
    expect(file(fault)).toContain('标题')
  }
})
