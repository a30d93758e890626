/** README and INSTALL promise the same in both languages, and their figures are those of the made pages. */
import { describe, expect, it } from 'vitest'
import { blocksOf, neutral, proseOf, readPage, TWINS } from '../support/documents.ts'

const sorted = (found: Iterable<string>) => [...new Set(found)].sort()

/** Numbers of the prose, without thousands separators; code is compared by itself, link targets are not figures. */
const figuresOf = (page: string) =>
  sorted(
    [
      ...proseOf(page)
        .replaceAll(/`[^`]*`|\]\([^)]*\)/g, ' ')
        .replaceAll(/^#+ /gm, '')
        .replaceAll(/(?<=\d),(?=\d{3})/g, '')
        .matchAll(/\d+(?:\.\d+)*/g),
    ].map(([figure]) => figure),
  )

/** What stands between backticks. */
const codeOf = (page: string) =>
  sorted([...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' ')))

const headingsOf = (page: string) => [...proseOf(page).matchAll(/^(#+) /gm)].map(([, marks]) => marks)

/** As GitHub makes them. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(TWINS)('%s and %s', (english, chinese) => {
  it('have the same blocks, in the same order', () => {
    const [ours, theirs] = [english, chinese].map((page) =>
      blocksOf(page).map((block) => [block.language, neutral(block)]),
    )
    expect(ours?.length).toBeGreaterThan(1)
    expect(theirs).toEqual(ours)
  })

  it('name the same commands, options, files and variables', () => {
    expect(codeOf(chinese)).toEqual(codeOf(english))
  })

  it('state the same figures', () => {
    expect(figuresOf(chinese)).toEqual(figuresOf(english))
  })

  it('have the same chapters', () => {
    expect(headingsOf(chinese)).toEqual(headingsOf(english))
  })

  it.each([english, chinese])('%s links to chapters that are there', (page) => {
    for (const [, target = '', anchor = ''] of readPage(page).matchAll(/\]\(([\w./-]*)#([^)]+)\)/g))
      expect([target, anchorsOf(target || page)]).toEqual([target, expect.arrayContaining([anchor])])
  })
})

describe('what Mnemos costs', () => {
  const inView = readPage('docs/in-view.md')
  const tokens = (part: string, language?: string) => {
    const row = inView.split('\n').find((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      return cells[1]?.startsWith(part) && (language === undefined || cells[2] === language)
    })
    return Number(row?.split('|')[language === undefined ? 3 : 4])
  }

  it.each(TWINS[0])('is stated by %s as it is measured', (page) => {
    const rows = [...readPage(page).matchAll(/^\| (?!---).* \| \**(\d+)\** \| \**(\d+)\** \|$/gm)].map(
      ([, en, zh]) => [Number(en), Number(zh)],
    )
    const [head = [], tools = [], self = [], user = []] = [
      ['en', 'zh'].map((language) => tokens('constitution and discipline together', language)),
      [tokens('all tools together'), tokens('all tools together')],
      ['en', 'zh'].map((language) => tokens('self-history, full', language)),
      ['en', 'zh'].map((language) => tokens('user memory, 200 entries', language)),
    ]
    const sum = (...parts: number[][]) => [0, 1].map((i) => parts.reduce((n, part) => n + (part[i] ?? 0), 0))
    expect(rows).toEqual([head, tools, sum(head, tools), self, user, sum(head, tools, self, user)])
  })
})
