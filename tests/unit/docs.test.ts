/** What the documents show must be true: every example of a record in them is one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { loadConstitution } from '../../src/identity/constitution.ts'
import { format, parse } from '../../src/memory/format.ts'
import { parseEntry, textOf } from '../../src/user-memory/entry.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

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

  it('the shipped constitutions hold what they must, in both languages, and fit', () => {
    for (const language of ['en', 'zh'] as const) {
      const { text, version, sections, problem } = loadConstitution(
        nodeDisk,
        '/nowhere/constitution.md',
        language,
      )
      expect({ version, problem }).toEqual({ version: 'template-1', problem: undefined })
      expect(sections).toHaveLength(6)
      expect(text.match(/^[1-4]\. /gm)).toHaveLength(4)
      expect(text.length).toBeLessThan(6000)
    }
  })
})
