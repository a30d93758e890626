import { expect, it } from 'vitest'
import { isMadeId, newId } from '../../../src/record/ids.ts'

it('a new id has the shape of ours, a digit in it, and is not taken', () => {
  const asked: string[] = []
  const id = newId((one) => asked.push(one) < 3)
  expect(asked).toHaveLength(3)
  expect(id).toBe(asked[2])
  for (const one of asked) {
    expect(one).toMatch(/^[2-9b-df-hjkmnp-tv-z]{10}$/)
    expect(one).toMatch(/\d/)
    expect(isMadeId(one)).toBe(true)
  }
})

it.each([
  '',
  'bcdfghjkmn',
  'bcdfghjkm',
  'bcdfghjkm23',
  'bcdfghjka2',
  'Bcdfghjkm2',
  'bcdfghjkm2\n',
  'my-holiday2',
])('%j is a name that a person chose', (id) => {
  expect(isMadeId(id)).toBe(false)
})
