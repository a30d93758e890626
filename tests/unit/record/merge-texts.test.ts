import { expect, it } from 'vitest'
import { format } from '../../../src/record/format.ts'
import { mergeTexts } from '../../../src/record/merge-texts.ts'
import { parse } from '../../../src/record/parse.ts'

const FACTS = { stem: 'kettle', mtimeMs: Date.UTC(2026, 0, 1) }
const BASE = [
  '---',
  'id: kettle',
  'summary: The kettle whistles',
  'created: 2026-01-01T00:00:00.000Z',
  'updated: 2026-01-01T00:00:00.000Z',
  'rev: 1',
  '---',
  '',
  'first line',
  '',
].join('\n')
const base = parse(BASE, FACTS)
const MINE = format(
  { ...base, tags: ['mine'], rev: 2, updated: '2026-02-01T00:00:00.000Z' },
  { record: base, text: BASE },
)

it('changes of both sides stand in the text, and what nobody changed keeps its spelling', () => {
  const theirs = BASE.replace('first line', 'first line\ntheirs').replace('rev: 1', 'rev: 1 # mine')
  const merged = mergeTexts({ base: BASE, mine: MINE, theirs }, FACTS)
  expect(merged).toMatchObject({
    record: { tags: ['mine'], content: 'first line\ntheirs', rev: 2 },
    both: [],
    text: expect.stringMatching(/# mine\n[\s\S]*first line\ntheirs\n$/),
  })
})

it('a field that both changed is named, and both texts are kept', () => {
  const mine = MINE.replace('first line', 'our line')
  const theirs = BASE.replace('first line', 'their line')
  const merged = mergeTexts({ base: BASE, mine, theirs }, FACTS)
  expect(merged).toMatchObject({ both: ['content'], text: expect.stringContaining('our line') })
  expect(merged).toMatchObject({ text: expect.stringContaining('their line') })
})

it('theirs that was made from mine is taken as it stands', () => {
  const theirs = MINE.replace('The kettle whistles', 'The kettle is silent')
  expect(mergeTexts({ base: BASE, mine: MINE, theirs }, FACTS)).toMatchObject({
    text: theirs,
    record: { summary: 'The kettle is silent', tags: ['mine'] },
    both: [],
  })
})

it('a text that cannot be read is none to merge', () => {
  const theirs = '---\nsummary: [\n---\n'
  expect(mergeTexts({ base: BASE, mine: MINE, theirs }, FACTS)).toEqual({ unreadable: expect.any(String) })
})
