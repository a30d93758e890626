/** Words are cut wherever they stand in a file, and nothing else of it is changed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsStated } from '../../../src/record/format.ts'
import { parse } from '../../../src/record/parse.ts'
import { verbatimOf } from '../../../src/record/verbatim.ts'
import { cutFile, fileHolds, textsStated } from '../../../src/store/file-texts.ts'

const SECRET = 'the vault code is nine seven three one'
const VERBATIM = verbatimOf([SECRET])
const FACTS = { stem: 'derived', mtimeMs: 0 }
const AT = '2026-11-30T00:00:00.000Z'
const cut = (text: string) => cutFile(text, FACTS, VERBATIM, AT)

/** Lines of a front matter as people and programs write them; `%` is where words may stand. */
const LINES = [
  'summary: It is so, %',
  'tags: [a, "%", b]',
  'tags:\n  - a\n  - %\n  - b # %',
  'askedAs: [one, two, three, %]',
  'why: >\n  because\n  %\n  indeed',
  'mood: "said \\"%\\""',
  "other: 'it''s %'",
  'deep: {a: [{b: "%", c: 0755}], d: +86}',
  'source: https://example.org/ %',
  'status: in progress, %',
  'links: ["[[%]]"]',
  'content: %',
  'count: 007 # %',
  '# %',
  'x: |\n  # no comment: %\n  more',
  'big: 12345678901234567890',
  'when: 2026-11-30',
  '"quoted key": %',
  '',
]

const keyOf = (line: string) => /^"?([^":#]+)"?:/.exec(line)?.[1]

describe('a file', () => {
  it('holds none of the words in text, keeps every other value, and says that it is to be rewritten', () => {
    const lines = fc.uniqueArray(fc.constantFrom(...LINES), { selector: (line) => keyOf(line) ?? line })
    const hasWords = fc.infiniteStream(fc.boolean())
    fc.assert(
      fc.property(lines, hasWords, fc.constantFrom('\n', '\r\n'), (chosen, withWords, eol) => {
        const given = chosen.map((line) =>
          line.replaceAll('%', () => (withWords.next().value ? SECRET : 'nothing')),
        )
        const front = ['derivedFrom: [kettle]', ...given].map((line) => `${line}\n`).join('')
        const text = `---\n${front}---\n\nThe body\n`.replaceAll('\n', eol)
        const next = cut(text)
        expect(fileHolds(next, VERBATIM)).toBe(false)
        if (!text.includes('seven')) expect(next).toBe(text)
        else expect(parse(next, FACTS)).toMatchObject({ rewrite: true, derivedFrom: ['kettle'] })
        const before: Record<string, unknown> = fieldsStated(text)
        const after = fieldsStated(next)
        for (const [key, value] of Object.entries(before))
          if (!JSON.stringify(value).includes('seven') && key !== 'rev')
            expect([key, after[key]]).toEqual([key, value])
        // Lines without the words stand there as they were.
        for (const line of given)
          if (!line.includes('seven')) expect(next).toContain(line.replaceAll('\n', eol))
      }),
      { numRuns: 100 },
    )
  })

  it('keeps its names, and whoever asks is told that it holds the words still', () => {
    for (const front of [
      `author: ${SECRET}`,
      `exposedTo: [${SECRET}]`,
      'derivedFrom: [the-vault-code-is-nine-seven]',
    ]) {
      const text = `---\nsummary: m\n${front}\n---\n`
      expect([front, cut(text), fileHolds(text, VERBATIM)]).toEqual([front, text, true])
    }
  })

  it('holds words that are written with escapes', () => {
    expect(fileHolds('---\nauthor: "the vault\\x20code is nine\\x20seven"\n---\nx\n', VERBATIM)).toBe(true)
  })

  it('in TOML is cut in its body, and told for its head', () => {
    const next = cut(`+++\ntitle = "${SECRET}"\n+++\nThe body\n${SECRET}\n`)
    expect(next).toBe(`+++\ntitle = "${SECRET}"\n+++\nThe body\n[…]\n`)
    expect(fileHolds(next, VERBATIM)).toBe(true)
  })
})

it('the texts that a file states are its own: cut off ones and foreign ones too, no ids, no times, nothing of others', () => {
  const text = `---
id: kettle
created: 2026-10-01T08:00:00.000Z
summary: ${'x'.repeat(200)} tail
askedAs: [a, b, c, fourth]
source: https://example.org
mood: {odd: one}
supersedes: [an-id]
author: somebody
deprecated: {at: 2026-11-30, by: person, why: theirs}
---
`
  expect(new Set(textsStated(text))).toEqual(
    new Set([`${'x'.repeat(200)} tail`, 'a', 'b', 'c', 'fourth', 'https://example.org', 'odd', 'one']),
  )
})
