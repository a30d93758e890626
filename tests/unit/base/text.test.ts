import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countCharacters,
  cut,
  estimateTokens,
  fence,
  graphemes,
  oneLine,
  windowOf,
} from '../../../src/base/text.ts'

const FAMILY = '👨‍👩‍👧‍👦'
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const charactersOf = (whole: string) => [...graphemes().segment(whole)].map(({ segment }) => segment)

describe('characters', () => {
  it('are counted as a person counts them', () => {
    expect(countCharacters(`${FAMILY}e\u0301长`)).toBe(3)
    expect(countCharacters('')).toBe(0)
  })
})

describe('cutting', () => {
  it('keeps what fits, and ends with the mark where something was left out', () => {
    expect(cut('abc', 3)).toBe('abc')
    expect(cut('abcd', 3)).toBe('ab…')
    expect(cut('abcd', 3, '')).toBe('abc')
    expect(cut(`${FAMILY}${FAMILY}${FAMILY}`, 2)).toBe(`${FAMILY}…`)
    expect([cut('abc', 1), cut('abc', 0), cut('abc', 0, '')]).toEqual(['…', '', ''])
  })

  it('splits no character and is never longer than asked', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (whole, max) => {
        const characters = charactersOf(whole)
        expect(cut(whole, max, '')).toBe(characters.slice(0, max).join(''))
        expect(countCharacters(cut(whole, max))).toBeLessThanOrEqual(max)
      }),
    )
  })
})

describe('a window of a text', () => {
  it('moves its ends outwards to the borders of characters', () => {
    expect(windowOf(`a${FAMILY}b`, 2, 3)).toEqual({ text: FAMILY, start: 1, end: 1 + FAMILY.length })
    expect(windowOf('abc', 1, 1)).toEqual({ text: 'b', start: 1, end: 2 })
    expect(windowOf('abc', -5, 2)).toEqual({ text: 'ab', start: 0, end: 2 })
    expect(windowOf('abc', 7, 2)).toEqual({ text: '', start: 3, end: 3 })
    expect(windowOf('abc', 1, -1)).toMatchObject({ text: '' })
  })

  it('put behind each other, windows are the whole text', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, length) => {
        let joined = ''
        while (joined.length < whole.length) joined += windowOf(whole, joined.length, length).text
        expect(joined).toBe(whole)
      }),
    )
  })
})

it('tokens are estimated as one for four characters, and one for each Chinese, Japanese or Korean one', () => {
  expect([
    estimateTokens(''),
    estimateTokens('abcde'),
    estimateTokens('数据库'),
    estimateTokens('数据 abc'),
  ]).toEqual([0, 2, 3, 3])
})

it('a text on one line holds no break and no run of white space', () => {
  expect(oneLine(' a\r\n\tb\u2028c\u0085 d ')).toBe('a b c d')
})

it('nothing closes the fence that is put around it', () => {
  expect(fence('plain')).toBe('``` plain ```')
  expect(fence('a\nb')).toBe('```\na\nb\n```')
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '``', 'a', ' ', '\n')), (parts) => {
      const inner = parts.join('')
      const ticks = /^`+/.exec(fence(inner))?.[0] ?? ''
      expect(ticks.length).toBeGreaterThanOrEqual(3)
      expect(inner).not.toContain(ticks)
      expect(fence(inner).endsWith(ticks)).toBe(true)
    }),
  )
})
