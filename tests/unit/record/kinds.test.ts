import { expect, it } from 'vitest'
import { isAutobiographical, isKept, isWaiting, plainKind } from '../../../src/record/kinds.ts'
import { recordSchema } from '../../../src/record/record.ts'

const record = (more: object) =>
  recordSchema.parse({ id: 'a', summary: 'x', created: '2026-01-01', updated: '2026-01-01', ...more })

it('a kind is the same in any case, width, and with characters that nobody sees', () => {
  expect(plainKind(' Ｉden\u200btity ')).toBe('identity')
  expect(isAutobiographical({ kind: 'DECISION' })).toBe(true)
  expect(isAutobiographical({ kind: 'note' })).toBe(false)
})

it('a candidate and an unconfirmed active record wait, and no other', () => {
  expect(isWaiting({ status: 'candidate', confirmed: true })).toBe(true)
  expect(isWaiting({ status: 'active', confirmed: false })).toBe(true)
  expect(isWaiting({ status: 'active', confirmed: true })).toBe(false)
  expect(isWaiting({ status: 'deprecated', confirmed: false })).toBe(false)
})

it('what tells who the assistant is and what waits is kept at hand', () => {
  expect(isKept(record({ kind: 'experience', status: 'deprecated' }))).toBe(true)
  expect(isKept(record({ confirmed: false }))).toBe(true)
  expect(isKept(record({}))).toBe(false)
})
