/** What a person is asked is short enough to read and cannot pass for something else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATALOGUES } from '../../../src/messages/messages.ts'
import { markdown, plainText, previewOf } from '../../../src/tools/question.ts'

const words = CATALOGUES.en.questions

describe('the preview of a text', () => {
  it('has up to 20 lines and 2 KiB of it, says how much is left, and splits no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3_000 }), (text) => {
        const preview = previewOf('Details', text, words)
        const shown = preview?.lines.join('\n') ?? ''
        expect(text.startsWith(shown)).toBe(true)
        expect(shown.isWellFormed()).toBe(true)
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(2 * 1024)
        expect(preview?.lines.length).toBeLessThanOrEqual(20)
        expect(preview?.more === '').toBe(shown === text)
      }),
    )
    expect(previewOf('Details', '', words)).toBeUndefined()
    expect(previewOf('Details', '字'.repeat(1_000), words)?.more).toMatch(
      /^954 more bytes \(one line in all\)/,
    )
  })
})

it('no value is taken for a line of ours or for Markdown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (value) => {
      const question = {
        headline: 'Do it?',
        facts: [{ name: 'Name', value }],
        about: [{ name: 'Type', value: 'x' }],
        consent: 'Once.',
        answers: words,
      }
      expect(plainText(question).split('\n')).toHaveLength(3)
      expect(plainText(question)).toMatch(/^Do it\? Once\.\nName: "[\s\S]*"\nType: "x"$/)
      const [fact = '', empty, ...below] = markdown(question).split('\n')
      expect({ empty, below }).toEqual({ empty: '', below: ['``` x ```\\', 'Once.'] })
      const [, ticks = '', inner = ''] = /^\*\*Name:\*\* (`+) ([\s\S]*) \1$/.exec(fact) ?? []
      expect(ticks.length).toBeGreaterThanOrEqual(3)
      expect(inner).not.toContain(ticks)
    }),
  )
})
