import { expect, it } from 'vitest'
import { MnemosError, reasonOf, systemCode } from '../../../src/base/errors.ts'

it('an error is read as what is wrong and what to do about it', () => {
  const cause = new Error('EIO')
  const error = new MnemosError('STORAGE', 'It failed.', 'Try again.', { cause })
  expect(error).toMatchObject({ message: 'It failed. Try again.', code: 'STORAGE', cause })
  expect(new MnemosError('STORAGE', 'It failed.', '').message).toBe('It failed.')
})

it('the reason of anything that was thrown is one line', () => {
  expect(reasonOf(new Error(' two\n  lines '))).toBe('two lines')
  expect([reasonOf('text'), reasonOf(undefined), reasonOf(7)]).toEqual(['text', 'undefined', '7'])
})

it('the code of a system error is told, and of nothing else', () => {
  expect(systemCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT')
  expect(systemCode(Object.assign(new Error('x'), { code: 7 }))).toBeUndefined()
  expect([systemCode(new Error('x')), systemCode({ code: 'ENOENT' }), systemCode(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
