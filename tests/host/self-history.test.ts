/** Discipline and self-history as the model received them. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Language } from '../../src/base/language.ts'
import { countCharacters } from '../../src/base/text.ts'
import { AROUND_CHARACTERS, SELF_HISTORY_CHARACTERS } from '../../src/self-history/budget.ts'
import { approvedHome } from '../support/constitution.ts'
import { filesBelow } from '../support/files.ts'
import { HOSTILE_SUMMARIES } from '../support/hostile-summaries.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'
import type { ModelView } from '../support/model-view.ts'
import { tempDir } from '../support/temp.ts'

let harness: MnemosHarness | undefined
async function start(options: Parameters<typeof startMnemos>[0] = {}): Promise<MnemosHarness> {
  harness = await startMnemos({ ...options, config: { scanEveryMs: 0, ...(options.config as object) } })
  return harness
}
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.unstubAllEnvs()
})

/** A data folder with records written by hand: one a line of front matter. */
async function dataWith(records: Record<string, string>): Promise<string> {
  const data = await tempDir('data')
  mkdirSync(join(data, 'memories'), { recursive: true })
  for (const [id, front] of Object.entries(records)) write(data, id, front)
  return data
}
const write = (data: string, id: string, front: string) =>
  writeFileSync(join(data, 'memories', `${id}.md`), `---\n${front}\n---\n`)

const LABEL = '[Mnemos: self-history]'
const shown = (request: ModelView | undefined): string[] =>
  request?.messages.map(({ text }) => text).filter((text) => text.startsWith(LABEL)) ?? []
const lastShown = ({ requests }: MnemosHarness) => shown(requests.at(-1)).at(-1) ?? ''

describe('the discipline', () => {
  const inLanguage = async (language: Language, config: object) => {
    const { layout, dshHome } = await approvedHome('# Mine\n\nBe kind.', language)
    const { newAgent, say, requests } = await start({ data: layout.root, home: dshHome, config })
    await say(await newAgent(), 'hello')
    return requests[0]?.system ?? ''
  }

  it('stands right after the constitution, in its language or as configured', async () => {
    const shipped = (language: string) =>
      readFileSync(join(import.meta.dirname, '../../discipline', `${language}.md`), 'utf8').trim()
    expect(await inLanguage('zh', {})).toMatch(/^# Mine\n\nBe kind\.\s+# 纪律\n/)
    await harness?.dispose()
    const english = await inLanguage('zh', { language: 'en' })
    expect(english).toMatch(/^# Mine\n\nBe kind\.\s+# Discipline\n/)
    expect(english).toContain(shipped('en'))
  })
})

describe('the self-history', () => {
  it('holds a new entry from the next turn on, and follows what the person does to the files', async () => {
    const h = await start()
    const agent = await h.newAgent()
    await h.say(agent, 'hello')
    expect(shown(h.requests.at(-1))).toEqual([])
    const { value } = await h.call(agent, 'remember', {
      kind: 'identity',
      summary: 'I say what I do not know',
    })
    expect(value).toMatchObject({
      status: 'active',
      layer: 'permanent',
      source: 'autobiographical',
    })
    expect(value.warnings).toBeUndefined()
    expect(shown(h.requests.at(-1))).toEqual([])
    await h.say(agent, 'next')
    expect(lastShown(h)).toMatch(new RegExp(`\\nIdentity:\\n- I say what I do not know \\(${value.id}\\)\\n`))
    await h.say(agent, 'and next')
    expect(shown(h.requests.at(-1))).toHaveLength(1)

    mkdirSync(join(h.data, 'memories'), { recursive: true })
    write(h.data, 'lesson', 'kind: experience\nsummary: measure first\ncreated: 2026-01-02')
    await h.say(agent, 'a file was added')
    expect(lastShown(h)).toContain('\nExperience:\n- 2026-01-02 measure first (lesson)')
    write(h.data, 'lesson', 'kind: experience\nsummary: measure twice\ncreated: 2026-01-02')
    await h.say(agent, 'it was edited')
    expect(lastShown(h)).toContain('- 2026-01-02 measure twice (lesson)')
    for (const { path } of filesBelow(join(h.data, 'memories'))) rmSync(path)
    await h.say(agent, 'all is gone')
    expect(lastShown(h)).not.toContain('measure')
    expect(lastShown(h)).not.toContain('I say what')
  })

  it('is no business of children, who get the discipline and may not write identity', async () => {
    const h = await start({ data: await dataWith({ who: 'kind: identity\nsummary: plain words' }) })
    const parent = await h.newAgent()
    await h.say(parent, 'hello')
    expect(lastShown(h)).toContain('plain words (who)')
    const child = await h.newAgent({ parent, origin: 'subagent' })
    const before = readdirSync(join(h.data, 'memories'))
    for (const args of [
      { kind: 'identity', summary: 'I am another' },
      { summary: 'a note', supersedes: ['who'] },
    ])
      expect(await h.call(child, 'remember', args)).toMatchObject({
        isError: true,
        code: 'REFUSED',
        text: expect.stringContaining('A child session does not write or change who the assistant is'),
      })
    expect(readdirSync(join(h.data, 'memories'))).toEqual(before)
    expect(h.requests.at(-1)?.system).toContain('# Discipline\n')
    expect(JSON.stringify(h.requests.at(-1)?.messages)).not.toContain('plain words')
  })

  it('keeps to its workspace where the person wants that', async () => {
    const data = await dataWith({
      mine: 'kind: decision\nsummary: in this folder\nworkspace: here',
      theirs: 'kind: decision\nsummary: of another client\nworkspace: elsewhere',
    })
    const cwd = join(await tempDir('cwd'), 'here')
    mkdirSync(cwd)
    const h = await start({ data, config: { isolate: true } })
    await h.say(await h.newAgent({ cwd }), 'hello')
    expect(lastShown(h)).toContain('in this folder')
    expect(lastShown(h)).not.toMatch(/another client|more not shown/)
  })

  it('is at most 3,000 characters when full, and then sends only what changed', async () => {
    const long = (word: string) => word.repeat(200).slice(0, 200)
    const records: Record<string, string> = {}
    for (let n = 0; n < 8; n++) {
      records[`i${n}`] = `kind: identity\nsummary: ${long('who ')}\ncreated: 2026-01-0${n + 1}`
      records[`d${n}`] = `kind: decision\nsummary: ${long('中文')}\ncreated: 2026-01-0${n + 1}`
      records[`e${n}`] = `kind: experience\nsummary: ${long('word ')}\ncreated: 2026-01-0${n + 1}`
    }
    records.waits = 'summary: x\nconfirmed: false'
    const data = await dataWith(records)
    const h = await start({ data })
    const agent = await h.newAgent()
    await h.say(agent, 'hello')
    expect(countCharacters(lastShown(h))).toBeGreaterThan(2_200)
    expect(countCharacters(lastShown(h))).toBeLessThanOrEqual(SELF_HISTORY_CHARACTERS)
    expect(lastShown(h).match(/^- .* \([ide]\d\)$/gm)).toHaveLength(4 + 3 + 5)
    const around = lastShown(h)
      .split('\n')
      .filter((line) => line.startsWith('[Mnemos'))
    expect(countCharacters(around.join('\n')) + 1).toBeLessThanOrEqual(AROUND_CHARACTERS)

    write(data, 'd9', `kind: decision\nsummary: ${long('one more ')}\ncreated: 2026-01-09`)
    await h.say(agent, 'and now')
    const messages = h.requests.at(-1)?.messages.map(({ text }) => text) ?? []
    const changes = messages.filter((text) => text.startsWith('[Mnemos: self-history, changes]'))
    expect(changes).toHaveLength(1)
    expect(changes[0]?.split('\n').slice(1, -1)).toEqual([
      'Added:',
      'Last decisions:',
      expect.stringMatching(/^- 2026-01-09 one more one .*… \(d9\)$/),
      'Last decisions: 6 more not shown',
      'Withdrawn:',
      'Last decisions:',
      expect.stringMatching(/^- 2026-01-06 中文.*… \(d5\)$/),
      'Last decisions: 5 more not shown',
    ])
  })

  // What each hostile text becomes is tested in `tests/unit/memory/self-history.test.ts`.
  it('no experience can leave its own line, nor stop a turn', async () => {
    const kind = 'experience'
    const around = {
      'a-first': `kind: ${kind}\nsummary: the one before\ncreated: 2026-01-01`,
      'c-last': `kind: ${kind}\nsummary: the one after\ncreated: 2026-01-03`,
    }
    const data = await dataWith(around)
    const h = await start({ data })
    const agent = await h.newAgent()
    await h.say(agent, 'hello')
    const plain = h.requests.at(-1)
    for (const summary of HOSTILE_SUMMARIES) {
      write(data, 'b-hostile', `kind: ${kind}\nsummary: "${summary}"\ncreated: 2026-01-02`)
      expect(await h.say(agent, 'go on')).toBe('ok')
      const lines = lastShown(h).split('\n')
      const own = lines.filter((line) => line.endsWith(' (b-hostile)'))
      expect(own).toHaveLength(1)
      expect(lines.filter((line) => line !== own[0])).toEqual(shown(plain)[0]?.split('\n'))
      expect(h.requests.at(-1)?.system).toBe(plain?.system)
    }
  })
})

describe('while the memory is still being read in', () => {
  it('a session that is taken up keeps what it showed', async () => {
    const data = await dataWith({})
    // Folders come after the files beside them, so this one is read last.
    mkdirSync(join(data, 'memories', 'deep'))
    write(data, 'deep/calm', 'kind: identity\nsummary: Stays calm')
    const sessionsDir = await tempDir('sessions')
    const first = await start({ data, sessionsDir })
    const agent = await first.newAgent()
    await first.say(agent, 'one')
    expect(lastShown(first)).toContain('Stays calm')
    await first.end(agent)
    await first.dispose()
    // An index that is gone, and more files than a moment is enough for.
    rmSync(join(data, 'index'), { recursive: true })
    for (let n = 0; n < 600; n++) write(data, `note-${n}`, `summary: Note ${n}`)
    const second = await start({ data, sessionsDir, config: { turnWaitMs: 0 } })
    const again = await second.resume(agent.session.id)
    await second.say(again, 'two')
    expect(shown(second.requests.at(-1))).toHaveLength(1)
    expect(lastShown(second)).toContain('Stays calm')
    expect(
      second.requests
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join(),
    ).toContain('still being read in')
    await second.call(again, 'recall', { query: 'note 599' })
    await second.say(again, 'three')
    expect(shown(second.requests.at(-1))).toHaveLength(1)
  })
})
