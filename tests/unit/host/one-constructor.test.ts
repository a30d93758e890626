/**
 * A malformed message is accepted live and makes the session unreadable when it is resumed, so every message of ours
 * comes from one constructor. This looks at the sources, because a new one elsewhere would work until that day.
 */
import { describe, expect, it } from 'vitest'
import { sources } from '../../support/architecture.ts'

const CONSTRUCTOR = 'host/messages.ts'

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

it('nothing is ever printed to standard output by what the host loads', () => {
  const loud = sources().filter(
    ({ path, text }) => !path.startsWith('cli/') && /console\.|process\.stdout/.test(text),
  )
  expect(loud.map(({ path }) => path)).toEqual([])
})
