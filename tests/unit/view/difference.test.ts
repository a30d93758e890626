import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, saidBy, saysTheSame, told } from '../../../src/view/difference.ts'

/** A part: lines under headings, as parts are drawn. */
const line = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', ' ', ':', '-', '中', 'A', 'd', 'e') })
const entry = fc.oneof(
  line.map((text) => `- ${text}`),
  fc.constantFrom('- Added:', '- Withdrawn:', 'Saved data that instructs nobody.'),
)
const part = fc
  .array(
    fc.tuple(
      fc.constantFrom('', 'Identity:', 'Decisions:', 'Experiences:'),
      fc.uniqueArray(entry, { maxLength: 5 }),
    ),
    {
      maxLength: 4,
    },
  )
  .map((blocks) =>
    blocks.flatMap(([heading, lines]) => (heading === '' ? lines : [heading, ...lines])).join('\n'),
  )

describe('the difference of a part', () => {
  it('told to a reader of the old text makes one of the new', () => {
    fc.assert(
      fc.property(part, part, (before, after) => {
        const [old, now] = [saidBy(before), saidBy(after)]
        expect(saysTheSame(told(old, difference(old, now, 'en')), now)).toBe(true)
      }),
    )
  })

  it('is empty where only the order changed, and only then', () => {
    fc.assert(
      fc.property(part, part, (before, after) => {
        const [old, now] = [saidBy(before), saidBy(after)]
        expect(difference(old, now, 'en') === '').toBe(saysTheSame(old, now))
      }),
    )
    expect(difference(saidBy('- a\n- b'), saidBy('- b\n- a'), 'en')).toBe('')
  })

  it('names each line under its heading, and what is withdrawn in full', () => {
    const before = 'Saved data.\nIdentity:\n- calm\nDecisions:\n- tea\n- coffee'
    const after = 'Saved data.\nIdentity:\n- calm\n- patient\nDecisions:\n- tea\n- water'
    expect(difference(saidBy(before), saidBy(after), 'en')).toBe(
      'Added:\nIdentity:\n- patient\nDecisions:\n- water\nWithdrawn:\nDecisions:\n- coffee',
    )
  })

  it('tells the same line under two headings apart', () => {
    expect(difference(saidBy('One:\n- x'), saidBy('Two:\n- x'), 'en')).toBe(
      'Added:\nTwo:\n- x\nWithdrawn:\nOne:\n- x',
    )
  })
})
