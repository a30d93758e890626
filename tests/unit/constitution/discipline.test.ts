/** The bounds of the shipped discipline: every request pays for it, and it must not age with the tools' arguments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { countCharacters } from '../../../src/base/text.ts'
import { inRequest } from '../../../src/constitution/constitution.ts'
import {
  DISCIPLINE_CHARACTERS,
  disciplineLanguage,
  disciplines,
  HEAD_CHARACTERS,
} from '../../../src/constitution/discipline.ts'
import { templateConstitution } from '../../../src/constitution/template.ts'
import { memoryDisk } from '../../support/store.ts'
import { TOOLS } from '../../support/tools.ts'

const discipline = disciplines(nodeDisk)
/** Tools that the specification names and that come with later parts. */
const LATER = ['memory_save', 'validate', 'task_open', 'task_close']
const TERMS_EXAMPLE = '中文(english)'

describe.each(['en', 'zh'] as const)('the discipline in %s', (language) => {
  const { text, problem } = discipline(language)

  it('has 25 rules in 7 sections, numbered through', () => {
    expect(problem).toBeUndefined()
    expect(text.match(/^## .+$/gm)).toHaveLength(7)
    const numbers = [...text.matchAll(/^(\d+)\. \S/gm)].map(([, n]) => Number(n))
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
    for (const section of text.split(/^## /m).slice(1)) expect(section).toMatch(/^\d+\. /m)
  })

  it('keeps within its characters, alone and with the shipped constitution', () => {
    expect(countCharacters(text)).toBeLessThan(DISCIPLINE_CHARACTERS)
    expect(countCharacters(text)).toBeLessThanOrEqual(language === 'en' ? 3_600 : 2_000)
    const template = inRequest(templateConstitution(nodeDisk, language, 'lost'))
    expect(countCharacters(template) + countCharacters(text)).toBeLessThanOrEqual(HEAD_CHARACTERS)
  })

  it('has no asterisk, and names tools but none of their arguments', () => {
    expect(text).not.toMatch(/[*＊{}]/)
    const quoted = [...text.matchAll(/`([^`]*)`/g)].map(([, word]) => word)
    const tools = [...TOOLS.map(({ name }) => name), ...LATER]
    expect(quoted.filter((word) => !tools.includes(word ?? '') && word !== TERMS_EXAMPLE)).toEqual([])
    const parameters = new Set(TOOLS.flatMap(({ input }) => Object.keys(input.shape)))
    // Plain English words among them ("summary", "why") are no names unless they are written like one.
    const telling = [...parameters].filter((name) => /[A-Z]/.test(name) || name === 'supersedes')
    expect(telling.length).toBeGreaterThan(4)
    for (const name of telling.filter((one) => one !== 'supersedes')) expect(text).not.toContain(name)
    for (const name of parameters) expect(text).not.toMatch(new RegExp(`\\b${name}\\b\\s*[:=：＝]`))
  })

  it.each([
    [
      'memory_save',
      'remember',
      'recall',
      'open',
      'deprecate',
      'delete',
      'validate',
      'task_open',
      'task_close',
    ],
  ])('names the tools that its rules are about', (...names) => {
    for (const name of names) expect(text).toContain(`\`${name}\``)
    expect(text).toContain(TERMS_EXAMPLE)
  })
})

it('follows the constitution’s language unless the config names one', () => {
  expect(disciplineLanguage('auto', 'zh')).toBe('zh')
  expect(disciplineLanguage('auto', 'en')).toBe('en')
  expect(disciplineLanguage('en', 'zh')).toBe('en')
})

it('that is missing is reported, and the rest goes on', () => {
  expect(disciplines(memoryDisk())('en')).toEqual({
    text: '',
    problem: expect.stringContaining('install Mnemos again'),
  })
})

it('is shipped with the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  expect(manifest.files).toContain('discipline')
})
