import { expect, it } from 'vitest'
import { defined } from '../../../src/base/defined.ts'

it('members that are undefined are left out, and no other', () => {
  const value = defined({ a: undefined, b: null, c: 0, d: '', e: false, f: [undefined] })
  expect(Object.keys(value)).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect(value).toEqual({ b: null, c: 0, d: '', e: false, f: [undefined] })
})
