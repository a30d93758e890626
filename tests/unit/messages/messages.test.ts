import { describe, expect, it } from 'vitest'
import { MnemosError, ReasonedError } from '../../../src/base/errors.ts'
import { finding, readyFinding } from '../../../src/doctor/finding.ts'
import type { EntryFault } from '../../../src/entries/fault.ts'
import { versionFault } from '../../../src/files/claim.ts'
import type { Catalogue } from '../../../src/messages/catalogue.ts'
import { english } from '../../../src/messages/english/english.ts'
import {
  explained,
  faultClause,
  findingShown,
  hintSentence,
  problemSentence,
  repairShown,
} from '../../../src/messages/messages.ts'

describe('a sentence', () => {
  it('of a fault says which full-width signs are likely to be behind it', () => {
    expect(
      faultClause({ code: 'YAML', reason: 'no colon', line: 3, fullWidth: { key: 'tags', comma: true } }),
    ).toBe(
      'its YAML cannot be read (line 3: no colon); "tags：" has a full-width colon: ： is not :; a list has a full-width comma: ， is not ,',
    )
    expect(faultClause({ code: 'MISSING_KEY', key: 'type', fullWidth: { key: 'type' } })).toBe(
      'it has no type; "type：" has a full-width colon: ： is not :',
    )
  })

  it.each<EntryFault>([
    { code: 'NO_FRONT' },
    { code: 'FRONT_TOO_LONG', bytes: 2, limit: 1 },
    { code: 'MISSING_KEY', key: 'type' },
    { code: 'NOT_TEXT', key: 'type' },
    { code: 'UNKNOWN_KEY', key: 'tags' },
    { code: 'OTHER_NAME', name: 'tea' },
    { code: 'BAD_TYPE', type: 'x', types: ['user'] },
    { code: 'BAD_NAME', limit: 64 },
    { code: 'EMPTY_SUMMARY' },
    { code: 'SUMMARY_LINES' },
    { code: 'BROKEN_CHARACTERS' },
    { code: 'UNSEEN_SUMMARY' },
    { code: 'SUMMARY_TOO_LONG', bytes: 2, limit: 1 },
    { code: 'DETAILS_TOO_LONG', bytes: 2, limit: 1 },
  ])('of an entry with the fault $code says what to do', (fault) => {
    const message = String(
      explained(new ReasonedError('INVALID_INPUT', { code: 'ENTRY_INVALID', name: 'a', fault })),
    )
    expect(message).toMatch(/ cannot be saved: .*\. [A-Z].*\.$/)
  })

  it('of a text that is no record says what to do', () => {
    const fault = { code: 'NO_SUMMARY' } as const
    for (const reason of [
      { code: 'TEXT_UNREADABLE', fault } as const,
      { code: 'ENTRY_UNREADABLE', file: undefined, fault } as const,
    ])
      expect(String(explained(new ReasonedError('INVALID_INPUT', reason)))).toMatch(/ Write a line of text/)
  })

  it('on the version of a folder is the same wherever it is found', () => {
    const fault = versionFault('9', '/data')
    if (fault === undefined) throw new Error('it is newer')
    const { sentence, remedy } = findingShown(finding('VERSION_NEWER', { fault }))
    expect(problemSentence({ code: 'READ_ONLY', fault })).toBe(`${sentence} ${remedy}`)
    expect(explained(new ReasonedError('READ_ONLY', { code: 'READ_ONLY', fault }))).toMatchObject({
      code: 'READ_ONLY',
      message: `${sentence} ${remedy} Nothing was changed.`,
    })
  })

  it('names three files and counts the others', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, fault: { code: 'EMPTY' as const } }))
    expect(problemSentence({ code: 'BAD_FILES', files })).toBe(
      '5 files are skipped and left as they are: memories/a (the file is empty), memories/b (the file is empty), memories/c (the file is empty) and 2 more.',
    )
  })

  it('of a room that makes its own stays as it is', () => {
    expect(problemSentence({ code: 'TEXT', text: 'As it is.' })).toBe('As it is.')
    expect(
      findingShown(readyFinding('CONSTITUTION_LONG', 'It is long.', 'Shorten it.', { paths: ['x'] })),
    ).toEqual({
      code: 'CONSTITUTION_LONG',
      severity: 'warning',
      sentence: 'It is long.',
      remedy: 'Shorten it.',
      paths: ['x'],
      fixable: false,
    })
  })

  it('says why a repair was not done, and nothing of one that was', () => {
    expect(
      repairShown({ code: 'PERMISSIONS', path: 'a.md', failed: { code: 'FAILED', reason: 'EROFS' } }),
    ).toEqual({
      code: 'PERMISSIONS',
      path: 'a.md',
      failed: 'EROFS',
    })
    expect(repairShown({ code: 'BAD_FILE', path: 'a.md' })).toEqual({ code: 'BAD_FILE', path: 'a.md' })
  })

  it('is asked of the catalogue of the language', () => {
    const chinese: Catalogue = {
      ...english,
      hints: { ...english.hints, NO_WORDS: () => '没有可以查找的词。' },
    }
    expect(hintSentence({ code: 'NO_WORDS' }, chinese)).toBe('没有可以查找的词。')
  })

  it('takes nothing from an error that has its own', () => {
    const error = new MnemosError('LOCKED', 'It is locked.', 'Wait.')
    expect(explained(error)).toBe(error)
    expect(explained('thrown')).toBe('thrown')
  })
})
