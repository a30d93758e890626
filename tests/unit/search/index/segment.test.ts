import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segment } from '../../../../src/search/index/segment.ts'
import { termHash, tokenOf } from '../../../../src/search/index/terms.ts'

const textsOf = (text: string) => new Set(segment(text).map((term) => term.text))
/** Whether a query shares a term with a text: what makes a candidate. */
const share = (query: string, text: string) => [...textsOf(query)].filter((term) => textsOf(text).has(term))

describe('segmentation', () => {
  it.each([
    ['nodeModules', 'the node_modules folder'],
    ['node-modules', 'the node_modules folder'],
    ['modules', 'the node_modules folder'],
    ['getUserName', 'call get_user_name()'],
    ['record.ts', 'see src/memory/record.ts.'],
    ['src/memory/record.ts', 'in src/memory/record.ts:12'],
    ['memory', 'see src\\memory\\record.ts'],
    ['1.7', 'upgraded to v1.7.0'],
    ['1.7.0', 'upgraded to v1.7.0'],
    ['v1.7.0', 'upgraded to v1.7.0'],
    ['C++', 'written in C++.'],
    ['C#', 'C# and Java'],
    ['.NET', 'the .NET runtime'],
    ['ERR_MODULE_NOT_FOUND', 'failed: ERR_MODULE_NOT_FOUND'],
    ['e1234', 'error E1234'],
    ['example.com', 'https://example.com/path'],
    ['k8s', 'on K8s'],
    ['deploying', 'it was deployed'],
    ['children', 'a child'],
    ['cafe', 'Ｃａｆé'],
    ['caroline', 'Caroline’s book'],
    ['ガイド', 'ｶﾞｲﾄﾞ'],
    ['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8어'],
    ['部署', '我们的部署方案'],
    ['署', '我们的部署方案'],
    ['語言', '梵語言學'],
    ['🎉', 'done 🎉'],
  ])('%s finds "%s"', (query, text) => {
    expect(share(query, text)).not.toEqual([])
  })

  it.each([
    ['C++', 'c#', 'c++'],
    ['v1.7.0', 'v1.8.0', 'v1.7.0'],
    ['1.7', '17', '1.7'],
  ])('%s has a term that %s has not', (query, other, term) => {
    expect(textsOf(query)).toContain(term)
    expect(textsOf(other)).not.toContain(term)
  })

  it('reads any text, in order, each term within the text and not inside a surrogate pair', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const { start, end } of segment(text)) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(text.slice(start, end)).not.toMatch(/\p{Surrogate}/u)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('loses no letter: each lies in some term', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aB3_-./中文かナ한é ,') }), (text) => {
        const covered = new Set(
          segment(text).flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
        )
        for (let i = 0; i < text.length; i++)
          if (/[\p{L}\p{N}]/u.test(text[i] ?? '')) expect(covered, `${text} at ${i}`).toContain(i)
      }),
      { numRuns: 500 },
    )
  })

  it('gives FTS5 tokens that no tokenizer changes and no query syntax can hide in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, salt) => {
        expect(tokenOf(termHash(text, salt))).toMatch(/^[0-9a-z]+$/)
      }),
    )
  })
})
