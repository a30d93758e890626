/**
 * A malformed message is accepted live and makes the session unreadable when it is resumed, so every message of ours
 * comes from one constructor. This looks at the sources, because a new one elsewhere would work until that day.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..', 'src')
const CONSTRUCTOR = 'host/messages.ts'

const sources = (): { path: string; text: string }[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))

/** What building a message looks like, whichever way it is done. */
const SIGNS: [string, RegExp][] = [
  ['the host’s own constructor', /\bcreate(?:User|System|Developer)?Message\b/],
  ['a message literal', /\brole\s*:\s*['"`](?:user|system|assistant|developer|tool)['"`]/],
  ['a source literal', /\bkind\s*:\s*['"`](?:plugin(?::[^'"`]*)?|user)['"`]\s*[,}]/],
  ['an append to the log', /\bsession\s*\.\s*append\b|\.append\(\s*['"`][a-z-]+\/[a-z-]+['"`]/],
  ['a delivery past the view', /\bagent\s*\.\s*(?:inject|steer|followup)\b/],
]

const offences = (files: { path: string; text: string }[]): string[] =>
  files
    .filter(({ path }) => path !== CONSTRUCTOR)
    .flatMap(({ path, text }) =>
      SIGNS.filter(([, sign]) => sign.test(text)).map(([what]) => `${path}: ${what}`),
    )
    // The source's two shapes are the business of the one file that knows the hosts apart.
    .filter((offence) => offence !== 'host/compat.ts: a source literal')

describe('messages', () => {
  it('are built by one constructor and nowhere else', () => {
    expect(sources().length).toBeGreaterThan(30)
    expect(offences(sources())).toEqual([])
  })

  it.each([
    ["const m = createUserMessage({ content: [], source: { kind: 'user' } })"],
    ["agent.inject({ id: 'x', role: 'user', content: [] })"],
    ["session.append('user/message', message)"],
    ["const source = { kind: 'plugin', plugin: 'mnemos' }"],
    ['messages.push({ role: "user", content })'],
  ])('the search sees: %s', (text) => {
    expect(offences([{ path: 'view/elsewhere.ts', text }])).not.toEqual([])
  })
})

describe('rooms', () => {
  const FLOORS: Record<string, number> = {
    base: 0,
    memory: 1,
    identity: 2,
    'user-memory': 2,
    tools: 3,
    view: 3,
    host: 4,
    cli: 5,
    'plugin.ts': 5,
  }

  it('import downwards only, rooms of one floor do not know each other, and the host’s packages stay in one room', () => {
    const wrong: string[] = []
    for (const { path, text } of sources()) {
      const room = path.split('/')[0] ?? ''
      const floor = FLOORS[room]
      if (floor === undefined) wrong.push(`${path}: no floor is known for "${room}"`)
      if (room !== 'host' && /from '@deepseek-ai\//.test(text)) wrong.push(`${path} imports the host`)
      for (const [, target = ''] of text.matchAll(/(?:from |import |import\()'(\.{1,2}\/[^']+)'/g)) {
        const other = join(dirname(path), target).split('/')[0] ?? ''
        const below = FLOORS[other]
        if (other === room) continue
        if (below === undefined || floor === undefined || below >= floor)
          wrong.push(`${path} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

it('nothing is ever printed to standard output by what the host loads', () => {
  const loud = sources().filter(
    ({ path, text }) => !path.startsWith('cli/') && /console\.|process\.stdout/.test(text),
  )
  expect(loud.map(({ path }) => path)).toEqual([])
})
