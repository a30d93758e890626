import { describe, expect, it } from 'vitest'
import type { FramedText } from '../../../src/view/frame.ts'
import { due as dueIn, type Shown, shownBy, WHOLE_CHARACTERS } from '../../../src/view/shown.ts'

const due = (part: { place: 'message' | 'system' }, text: string | undefined, shown: Shown | undefined) =>
  dueIn(part, text, shown, 'en')
const MESSAGE = { place: 'message' as const }
const SYSTEM = { place: 'system' as const }
const whole = (text: string) => ({ part: 'p', form: 'whole' as const, text })
const changes = (text: string) => ({ part: 'p', form: 'changes' as const, text })
const shownAfter = (...messages: FramedText[]) => shownBy(messages).get('p')
const list = (count: number, more = '') =>
  `${Array.from({ length: count }, (_, n) => `- entry ${n} ${'x'.repeat(50)}`).join('\n')}${more}`

describe('a part that is a message', () => {
  it('is sent whole where nothing of it is shown, and not again while it is the same', () => {
    expect(due(MESSAGE, '- a', undefined)).toEqual({ form: 'whole', text: '- a' })
    expect(due(MESSAGE, '- a', shownAfter(whole('- a')))).toBeUndefined()
    expect(due(MESSAGE, '- b', shownAfter(whole('- a')))).toEqual({ form: 'whole', text: '- b' })
  })

  it('that is long is sent as what changed, and what was told that way is known', () => {
    const before = list(60)
    expect(before.length).toBeGreaterThan(WHOLE_CHARACTERS)
    const now = `${before}\n- one more`
    const change = due(MESSAGE, now, shownAfter(whole(before)))
    expect(change).toEqual({ form: 'changes', text: 'Added:\n- one more' })
    expect(due(MESSAGE, now, shownAfter(whole(before), changes(change?.text ?? '')))).toBeUndefined()
  })

  it('is sent whole where the changes would be longer', () => {
    const now = list(60).replaceAll('entry', 'item')
    expect(due(MESSAGE, now, shownAfter(whole(list(60))))?.form).toBe('whole')
  })

  it('whose whole text was folded away is sent whole again', () => {
    expect(shownAfter(changes('Added:\n- b'))).toBeUndefined()
  })

  it('that has nothing to show any more says so once', () => {
    const nothing = due(MESSAGE, '', shownAfter(whole('- a')))
    expect(nothing?.text).toMatch(/^Nothing any more/)
    expect(due(MESSAGE, '', shownAfter(whole('- a'), whole(nothing?.text ?? '')))).toBeUndefined()
    expect(due(MESSAGE, '', undefined)).toBeUndefined()
  })

  it('that is not known yet leaves what is shown', () => {
    expect(due(MESSAGE, undefined, shownAfter(whole('- a')))).toBeUndefined()
  })
})

describe('standing instructions', () => {
  it('are sent whole whenever they differ by a byte', () => {
    const before = list(60)
    expect(due(SYSTEM, before, shownAfter(whole(before)))).toBeUndefined()
    expect(due(SYSTEM, `${before}.`, shownAfter(whole(before)))).toEqual({
      form: 'whole',
      text: `${before}.`,
    })
  })
})
