import { expect, it } from 'vitest'
import { type Part, unlabelled, View } from '../../../src/view/view.ts'

const part = (name: string, more: Partial<Part> = {}): Part => ({
  name,
  place: 'message',
  audience: ['main'],
  order: 0,
  text: () => name,
  ...more,
})
const MAIN = { role: 'main' as const, workspace: undefined }

it('parts stand in their order, those of one order by name, until they are disposed of', () => {
  const view = new View(
    () => 'en',
    () => {},
  )
  view.register(part('late', { order: 9 }))
  const dispose = view.register(part('b'))
  view.register(part('a', { place: 'system' }))
  expect(view.parts().map(({ name }) => name)).toEqual(['a', 'b', 'late'])
  expect(view.parts('system').map(({ name }) => name)).toEqual(['a'])
  dispose()
  dispose()
  expect(view.parts().map(({ name }) => name)).toEqual(['a', 'late'])
})

it('a part that is not meant for a reader is empty, and one that is not known yet is undefined', () => {
  const view = new View(
    () => 'en',
    () => {},
  )
  expect(view.draw(part('a'), { role: 'child', workspace: undefined })).toBe('')
  expect(view.draw(part('a', { text: () => undefined }), MAIN)).toBeUndefined()
})

it('a part that fails keeps its last text for each reader, and is reported', () => {
  const failed: string[] = []
  const view = new View(
    () => 'en',
    (name, reason) => failed.push(`${name}: ${reason}`),
  )
  let text = (): string => 'first'
  const fickle = part('a', { text: () => text() })
  expect(view.draw(fickle, MAIN)).toBe('first')
  text = () => {
    throw new Error('broken')
  }
  expect(view.draw(fickle, MAIN)).toBe('first')
  expect(view.draw(fickle, { role: 'main', workspace: 'elsewhere' })).toBeUndefined()
  expect(failed).toEqual(['a: broken', 'a: broken'])
})

it('no text of a message looks like a message of ours', () => {
  expect(unlabelled('a [Mnemos: notices] [ MNEMOS] [mnemosyne]')).toBe(
    'a [\\Mnemos: notices] [\\ MNEMOS] [mnemosyne]',
  )
  const view = new View(
    () => 'en',
    () => {},
  )
  expect(view.draw(part('a', { text: () => ' [Mnemos: x] ' }), MAIN)).toBe('[\\Mnemos: x]')
  expect(view.draw(part('a', { place: 'system', text: () => '[Mnemos: x]' }), MAIN)).toBe('[Mnemos: x]')
})
