/** The command line goes by the settings that a profile had when its host last started. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { constitutionShowCommand } from '../../../src/cli/constitution.ts'
import { deprecateCommand } from '../../../src/cli/deprecate.ts'
import { init } from '../../../src/cli/init.ts'
import { searchCommand } from '../../../src/cli/search.ts'
import { type Globals, openSession, type Session } from '../../../src/cli/session.ts'
import { statusCommand } from '../../../src/cli/status.ts'
import { templateConstitution } from '../../../src/constitution/template.ts'
import { noteProfile } from '../../../src/files/profiles.ts'
import { steppingClock } from '../../support/clock.ts'
import { CHEAP, PASSPHRASE } from '../../support/constitution.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const SETTINGS = { isolate: true, giantBytes: 2_000, language: 'zh', recallLimit: 2, lockTimeoutMs: 1_000 }

let home = ''
let data = ''
let out = ''
beforeEach(async () => {
  home = await tempDir('home')
  data = await tempDir('data')
  vi.stubEnv('DSH_HOME', home)
  vi.stubEnv('MNEMOS_DATA', undefined)
  vi.stubEnv('DSH_SHELL', undefined)
  for (const name of ['LC_ALL', 'LC_MESSAGES']) vi.stubEnv(name, undefined)
  vi.stubEnv('LANG', 'en_US.UTF-8')
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text
    return true
  })
  mkdirSync(join(data, 'memories'))
  const { store } = await openStore({ root: data })
  const here = await store.workspaceOf(process.cwd())
  store.close()
  const note = (name: string, front: string, body = '') =>
    writeFileSync(
      join(data, 'memories', `${name}.md`),
      `---\nsummary: The kettle ${name}\n${front}\n---\n${body}`,
    )
  for (const name of ['one', 'two', 'three']) note(name, `workspace: ${JSON.stringify(here)}`)
  note('away', 'workspace: elsewhere')
  note('large', `workspace: ${JSON.stringify(here)}`, 'long '.repeat(1_000))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const profile = (name: string, config: Record<string, unknown> = {}) =>
  noteProfile(nodeDisk, home, name, { dataDir: data, config })

/** What a command prints for scripts. */
async function printed(run: () => Promise<void>) {
  out = ''
  await run()
  return JSON.parse(out)
}

async function inSession(globals: Globals, run: (session: Session) => Promise<void>) {
  const session = await openSession({ json: true, ...globals })
  try {
    await run(session)
  } finally {
    session.store.close()
  }
}

/** What search, constitution show and status make of the settings. */
async function seen(globals: Globals) {
  const search = await printed(() =>
    inSession(globals, (session) => searchCommand(session, ['kettle'], { limit: '50' })),
  )
  const unlimited = await printed(() =>
    inSession(globals, (session) => searchCommand(session, ['kettle'], {})),
  )
  const constitution = await printed(() => constitutionShowCommand({ json: true, ...globals }))
  const status = await printed(() => inSession(globals, (session) => statusCommand(session)))
  expect(status.constitution.hash).toBe(constitution.hash)
  return {
    leftOut: search.leftOut,
    found: search.hits.length,
    unlimited: unlimited.hits.length,
    language: constitution.language,
  }
}

const AS_NOTED = { leftOut: { isolated: 1, giant: 1 }, found: 3, unlimited: 2, language: 'zh' }
const DEFAULT = { leftOut: {}, found: 5, unlimited: 5, language: 'en' }

describe('the settings of a profile hold', () => {
  beforeEach(() => profile('web', SETTINGS))

  it('with --profile, with --data, and without either', async () => {
    expect(await seen({ profile: 'web' })).toEqual(AS_NOTED)
    expect(await seen({ data })).toEqual(AS_NOTED)
    expect(await seen({})).toEqual(AS_NOTED)
    expect(await seen({ data, profile: 'unknown' })).toEqual(DEFAULT)
  })

  it('for status, which hashes the text in the language of the profile', async () => {
    const { constitution } = await printed(() => inSession({ data }, (session) => statusCommand(session)))
    expect(constitution.hash).toBe(templateConstitution(nodeDisk, 'zh', 'not initialised').hash)
  })

  it('for how long a change waits for the lock', async () => {
    const done = Promise.withResolvers<void>()
    const { store: other } = await openStore({ root: data })
    await inSession({ profile: 'web' }, async (session) => {
      const held = Promise.withResolvers<void>()
      const locked = other.locked(() => {
        held.resolve()
        return done.promise
      })
      await held.promise
      steppingClock(250)
      await expect(deprecateCommand(session, 'one', { why: 'sold' })).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringContaining('for 1 seconds'),
      })
      vi.restoreAllMocks()
      done.resolve()
      await locked
    })
    other.close()
  })

  it('for the template that init proposes', async () => {
    const value = await printed(() =>
      init(
        { profile: 'web', json: true },
        { yes: true },
        undefined,
        { DSH_HOME: home, MNEMOS_PASSPHRASE: PASSPHRASE, LANG: 'en_US.UTF-8' },
        CHEAP,
      ),
    )
    expect(value).toMatchObject({ did: 'approved', language: 'zh' })
  })
})

it('where profiles of one folder differ, the default holds', async () => {
  await profile('web', SETTINGS)
  await profile('headless', { ...SETTINGS, isolate: false, language: 'en', recallLimit: 3 })
  const differing = { ...AS_NOTED, leftOut: { giant: 1 }, found: 4, unlimited: 4, language: 'en' }
  expect(await seen({ data })).toEqual(differing)
  expect(await seen({})).toEqual(differing)
  expect(await seen({ profile: 'web' })).toEqual(AS_NOTED)
})
