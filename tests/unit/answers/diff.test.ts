import { expect, it } from 'vitest'
import { diffLines } from '../../../src/answers/diff.ts'

it('a change is shown line by line with three lines around it', () => {
  const before = Array.from({ length: 9 }, (_, n) => `line ${n}`).join('\n')
  expect(diffLines(before, before.replace('line 4', 'changed'))).toEqual([
    '@@ -2,7 +2,7 @@',
    ' line 1',
    ' line 2',
    ' line 3',
    '-line 4',
    '+changed',
    ' line 5',
    ' line 6',
    ' line 7',
  ])
})

it('nothing in it is hidden, and no change is no line', () => {
  expect(diffLines('a', 'a\u200b\u202e')).toContain('+a\\u{200B}\\u{202E}')
  expect(diffLines('a', 'a')).toEqual([])
})
