/** The floor plan of `docs/architecture.md`, read from the imports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FLOORS, type Source, sources, violations } from '../support/architecture.ts'

const real = sources()

/** The real sources with one more line in one file. */
function planted(path: string, line: string): Source[] {
  expect(real.map((source) => source.path)).toContain(path)
  return real.map((source) => (source.path === path ? { path, text: `${line}\n${source.text}` } : source))
}

describe('the floor plan', () => {
  it('holds: imports run downwards, rooms on one floor do not know each other, and there are no circles', () => {
    expect(real.length).toBeGreaterThan(100)
    expect(violations(real)).toEqual([])
  })

  it('names only rooms that are there, and the document names the same', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'architecture.md'), 'utf8')
    for (const room of Object.keys(FLOORS)) {
      expect(
        real.some(({ path }) => path === room || path.startsWith(`${room}/`)),
        room,
      ).toBe(true)
      expect(page, room).toContain(`\`src/${room}${room.endsWith('.ts') ? '' : '/'}\``)
    }
  })

  it.each([
    [
      'an upward import',
      'record/merge.ts',
      "import { Ledger } from '../files/ledger.ts'",
      /from a floor above/,
    ],
    [
      'an upward import of a type',
      'store/plan.ts',
      "import type { Tool } from '../tools/tool.ts'",
      /from a floor above/,
    ],
    [
      'an import between two rooms on one floor',
      'user-memory/entry.ts',
      "import { budget } from '../self-history/budget.ts'",
      /beside it/,
    ],
    [
      'an import of the store by the doctor',
      'doctor/examine.ts',
      "import { Store } from '../store/store.ts'",
      /beside it/,
    ],
    [
      'an upward import between rooms of one room',
      'search/index/terms.ts',
      "import { rank } from '../recall/rank.ts'",
      /from a floor above/,
    ],
    [
      'the host in another room',
      'tools/exit.ts',
      "import { X } from '@deepseek-ai/dsh-llm'",
      /host's packages/,
    ],
    ['a barrel', 'base/text.ts', "export * from './visible.ts'", /exports everything/],
  ])('fails on %s', (_, path, line, sentence) => {
    expect(violations(planted(path, line)).join('\n')).toMatch(sentence)
  })

  it('fails on a circle inside a room, over any number of files', () => {
    // kinds.ts is imported by limits.ts already.
    const wrong = violations(planted('record/kinds.ts', "import type { X } from './limits.ts'"))
    expect(wrong.join('\n')).toMatch(/record\/kinds\.ts, record\/limits\.ts import each other/)
  })

  it('fails on a file that lies in no room', () => {
    const wrong = violations([...real, { path: 'attic/old.ts', text: '' }])
    expect(wrong).toEqual(['attic/old.ts lies in no room of the floor plan'])
  })
})
