import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judged, visible } from '../../../src/base/visible.ts'

describe('text as a person is to judge it', () => {
  it('holds nothing that cannot be seen, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(judged(text)).not.toMatch(/[^\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
        expect(
          judged(text)
            .match(/\p{Zs}/gu)
            ?.every((space) => space === ' ') ?? true,
        ).toBe(true)
      }),
    )
  })

  it.each([
    ['zero width', 'a\u200bb\u200d\ufeff', 'a\\u{200B}b\\u{200D}\\u{FEFF}'],
    ['direction', '\u202eabc\u2069', '\\u{202E}abc\\u{2069}'],
    ['tags', 'x\u{e0041}\u{e0042}', 'x\\u{E0041}\\u{E0042}'],
    ['spaces', 'a\u00a0b\u3000c d', 'a\\u{00A0}b\\u{3000}c d'],
    ['control', 'a\tb\nc\u0007', 'a\\u{0009}b\\u{000A}c\\u{0007}'],
    ['blank letters', 'a\u115f\u3164\u2800', 'a\\u{115F}\\u{3164}\\u{2800}'],
    ['soft hyphen', 'so\u00adft', 'so\\u{00AD}ft'],
    [
      'plain text of any script',
      '中文 日本語 한국어 Ελλάδα Привет שלום é',
      '中文 日本語 한국어 Ελλάδα Привет שלום é',
    ],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it.each([
    ['a Cyrillic letter', 'run p\u0430ypal now', 'run p\u0430ypal[mixed scripts: Latin, Cyrillic] now'],
    ['a Greek letter', '\u03bfpen', '\u03bfpen[mixed scripts: Latin, Greek]'],
    [
      'one behind what cannot be seen',
      'pay\u200bp\u0430l',
      'pay\\u{200B}p\u0430l[mixed scripts: Latin, Cyrillic]',
    ],
    ['one between Chinese', '用pn\u0440m安装', '用pn\u0440m[mixed scripts: Latin, Cyrillic]安装'],
  ])('marks a word with %s', (_, text, shown) => {
    expect(judged(text)).toBe(shown)
  })

  it.each(['用pnpm安装v2依赖', 'Привет world', 'größe naïve', 'テストtestテスト', 'a1_b2', '한국어API'])(
    'leaves %s unmarked',
    (text) => {
      expect(judged(text)).toBe(text)
    },
  )
})
