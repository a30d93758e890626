import { expect, it } from 'vitest'
import { recordSchema } from '../../../src/record/record.ts'
import { textsIn } from '../../../src/store/change.ts'

const record = recordSchema.parse({
  id: 'a',
  summary: 'the summary',
  content: 'the content',
  tags: ['one', 'two'],
  links: [{ to: 'b', relation: 'r', why: 'the reason' }],
  citation: { session: 's', ids: ['m1'], quote: 'the quote' },
  created: '2026-01-01',
  updated: '2026-01-01',
})

it('every text of a record is told with its place', () => {
  const texts = textsIn({ what: 'record', act: 'create', next: record, previous: undefined })
  expect(texts).toEqual(
    expect.arrayContaining([
      { field: 'summary', text: 'the summary' },
      { field: 'content', text: 'the content' },
      { field: 'tags.1', text: 'two' },
      { field: 'links.0.why', text: 'the reason' },
      { field: 'citation.quote', text: 'the quote' },
      { field: 'citation.ids.0', text: 'm1' },
    ]),
  )
  // A gate that judges words sees all of them: no text of the record is in no field.
  const strings = JSON.stringify(record).match(/"(?:[^"\\]|\\.)*"(?=[,}\]])/g) ?? []
  expect(texts).toHaveLength(strings.length)
})

it('an entry brings in its texts, and a deletion none', () => {
  const entry = {
    what: 'entry' as const,
    room: 'user-memory',
    act: 'create' as const,
    name: 'n',
    previous: undefined,
  }
  expect(textsIn({ ...entry, texts: { summary: 's', details: 'd' } })).toEqual([
    { field: 'name', text: 'n' },
    { field: 'summary', text: 's' },
    { field: 'details', text: 'd' },
  ])
  expect(textsIn({ what: 'deletion', record })).toEqual([])
})
