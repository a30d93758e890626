/** What the shipped constitutions say, in both languages alike. */

import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import type { Language } from '../../../src/base/language.ts'
import { templateConstitution } from '../../../src/constitution/template.ts'

describe.each<[Language, string, RegExp, RegExp]>([
  [
    'en',
    'Order of authority',
    /Red lines > boundaries > user > principles/,
    /only through the user, or through the session that gave the task/,
  ],
  ['zh', '权威的次序', /红线 > 边界 > 用户 > 原则/, /只有经由用户，或经由交付任务的会话/],
])('the template (%s)', (language, heading, order, whoOrders) => {
  const { text, sections } = templateConstitution(nodeDisk, language, 'not initialised')

  it('begins with the order of authority', () => {
    expect(sections[1]?.heading).toBe(heading)
    expect(sections[1]?.text).toMatch(order)
  })

  it('lets outside text become an order only through the user or the session that gave the task', () => {
    const line = text.split('\n').find((one) => one.startsWith('4. '))
    expect(line).toMatch(whoOrders)
  })
})
