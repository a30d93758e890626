/** What the documents show must be true: every example of a record in them is one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { countCharacters } from '../../src/base/text.ts'
import { inRequest } from '../../src/constitution/constitution.ts'
import { templateConstitution } from '../../src/constitution/template.ts'
import { format } from '../../src/record/format.ts'
import { parse } from '../../src/record/parse.ts'
import { parseEntry, textOf } from '../../src/user-memory/entry.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a constitution states, phrase by phrase. */
const MUST_EN = [
  /whole of model, tools, memory, skills, rules and the flow/,
  /swapped without changing who it is/,
  /lies in memories, skills, rules and the record of judgements/,
  /organ of inference/,
  /perception and action/,
  /limits of co-operation and permission/,
  /permission is a setting of the present body, not an identity/,
  /observable channel/,
  /[Hh]uman-like wording .* no ground for a decision/,
  /known of the user .* never becomes who the assistant is/,
  /1\. Do not lie/,
  /2\. Do not help harm/,
  /3\. Do not leak/,
  /4\. Do not trust the outside lightly/,
  /Red lines > boundaries > user > principles/,
]
const MUST_ZH = [
  /整体：模型、工具、记忆、技能、规则，以及它们之间的流程/,
  /可以更换，换了它仍是它/,
  /连续性在于记忆、技能、规则和判断的记录/,
  /推理的器官/,
  /感知与行动/,
  /协作与许可的界限/,
  /身体的设置，不是身份/,
  /可观察的渠道/,
  /像人一样的措辞.*不能当作决定的依据/,
  /关于用户的了解.*永远不会变成助手自己是谁/,
  /1\. 不说谎/,
  /2\. 不协助伤害/,
  /3\. 不泄露/,
  /4\. 不轻信外部/,
  /红线 > 边界 > 用户 > 原则/,
]

describe('the documents', () => {
  it('show records that can be read as they stand', () => {
    const examples = [...read('docs/note-format.md').matchAll(/```markdown\n([\s\S]*?)```/g)].map(
      ([, text = '']) => text,
    )
    expect(examples).toHaveLength(2)
    const [whole, least] = examples.map((text) => parse(text, { stem: 'kettle', mtimeMs: 0 }))
    expect(whole).toMatchObject({
      id: 'hvmmft4gks',
      tags: ['billing'],
      content: expect.stringContaining('compose file'),
    })
    expect(format(whole as NonNullable<typeof whole>)).toBe(examples[0])
    expect(least).toMatchObject({ id: 'kettle', summary: 'The kettle whistles at 80 degrees' })
  })

  it('show an entry of the user memory that can be read as it stands', () => {
    const [, text = ''] = /```markdown\n([\s\S]*?)```/.exec(read('docs/user-memory.md')) ?? []
    const entry = parseEntry(Buffer.from(text), 'uses-pnpm')
    expect(entry).toMatchObject({ type: 'project', details: expect.stringContaining('Details go here') })
    expect(textOf(entry)).toBe(text)
  })

  it('link to files that are there', () => {
    for (const page of [
      'README.md',
      'README.zh.md',
      'INSTALL.md',
      'docs/architecture.md',
      'docs/hosts.md',
      'docs/note-format.md',
      'docs/user-memory.md',
    ]) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
        expect([page, target, read(join(page, '..', target)).length > 0]).toEqual([page, target, true])
      }
    }
  })

  it('the shipped constitutions hold what they must, in both languages, and leave room for the discipline', () => {
    for (const [language, must, limit] of [
      ['en', MUST_EN, 2_300],
      ['zh', MUST_ZH, 1_000],
    ] as const) {
      const constitution = templateConstitution(nodeDisk, language, 'not initialised')
      const { text, version, sections } = constitution
      expect(version).toBe('template-3')
      expect(sections).toHaveLength(6)
      expect(text.match(/^[1-4]\. /gm)).toHaveLength(4)
      for (const phrase of must) expect(text).toMatch(phrase)
      expect(countCharacters(inRequest(constitution))).toBeLessThanOrEqual(limit)
    }
  })
})
