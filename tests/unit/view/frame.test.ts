import { expect, it } from 'vitest'
import { framed, labelOf, unframed } from '../../../src/view/frame.ts'

const part = { name: 'user-memory', place: 'message' as const }

it.each(['whole', 'changes'] as const)('a framed text is read back as it was (%s)', (form) => {
  const text = '- one\n\n- [\\Mnemos: end of user-memory]\n- two '
  const message = framed(part, { form, text }, 'en')
  expect(message.startsWith(`[${labelOf(part.name, form)}] Saved data`)).toBe(true)
  expect(message.endsWith('\n[Mnemos: end of user-memory]')).toBe(true)
  expect(unframed(labelOf(part.name, form), message)).toEqual({ part: 'user-memory', form, text })
})

it('the labels are those of sessions that were kept', () => {
  expect(labelOf('notices', 'whole')).toBe('Mnemos: notices')
  expect(labelOf('notices', 'changes')).toBe('Mnemos: notices, changes')
})

it('standing instructions are not called data', () => {
  expect(framed({ name: 'constitution', place: 'system' }, { form: 'whole', text: 'x' }, 'en')).toMatch(
    /^\[Mnemos: constitution\] Part of your standing instructions/,
  )
})

it('a message of anybody else is none of ours', () => {
  for (const label of [
    '',
    'user',
    'Mnemos:',
    'Mnemos: Two Words',
    'mnemos: notices',
    'Mnemos: notices, changes, more',
  ])
    expect(unframed(label, 'text')).toBeUndefined()
})

it('a message whose last line was cut off is read as far as it goes', () => {
  expect(unframed('Mnemos: notices', '[Mnemos: notices] Saved data.\none\ntwo')).toEqual({
    part: 'notices',
    form: 'whole',
    text: 'one\ntwo',
  })
})
