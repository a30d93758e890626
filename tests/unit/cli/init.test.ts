/** `mnemos init`, as a person and as a script runs it: what lies on disk afterwards, and what was said. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { type InitOptions, init } from '../../../src/cli/init.ts'
import type { Questions } from '../../../src/cli/init-questions.ts'
import { PRIVACY } from '../../../src/cli/model-work.ts'
import { newPassphrase } from '../../../src/cli/passphrase.ts'
import type { Globals } from '../../../src/cli/session.ts'
import { wrapped } from '../../../src/cli/style.ts'
import { standing } from '../../../src/constitution/standing.ts'
import { dataFolder } from '../../../src/files/data-folder.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { noteProfile, readProfiles } from '../../../src/files/profiles.ts'
import { CHEAP, PASSPHRASE } from '../../support/constitution.ts'
import { filesBelow } from '../../support/files.ts'
import { tempDir } from '../../support/temp.ts'

let dshHome = ''
let said = ''
beforeEach(async () => {
  dshHome = await tempDir('home')
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const folderOf = (profile: string) => join(dshHome, 'mnemos', profile)
const at = (folder: string) =>
  standing({ disk: nodeDisk, layout: layoutOf(folder), dshHome, now: () => Date.now() }, 'en')
/** The profile has the plugin installed, and no host has started with it. */
const install = (profile: string) =>
  mkdirSync(join(dshHome, 'profiles', profile, 'node_modules', 'dsh-mnemos-continuity'), { recursive: true })
const started = (profile: string, configured = false) =>
  noteProfile(nodeDisk, dshHome, profile, { dataDir: folderOf(profile), configured })
function record(profile: string): void {
  mkdirSync(join(folderOf(profile), 'memories'), { recursive: true })
  writeFileSync(join(folderOf(profile), 'memories', 'kettle.md'), 'The kettle sings\n')
}

/** As a script: what it answers. */
async function script(globals: Globals, options: InitOptions = {}, env: Record<string, string> = {}) {
  said = ''
  await init(
    { json: true, ...globals },
    { yes: true, ...options },
    undefined,
    { DSH_HOME: dshHome, MNEMOS_PASSPHRASE: PASSPHRASE, ...env },
    CHEAP,
  )
  return JSON.parse(said)
}

/** As a person who answers so. @returns what was asked and told. */
async function person(
  answers: Partial<Questions> & { phrases?: string[] },
  globals: Globals = {},
  options: InitOptions = {},
) {
  said = ''
  const asked: string[] = []
  const phrases = [...(answers.phrases ?? [PASSPHRASE, PASSPHRASE])]
  const noted =
    <A extends unknown[], T>(name: string, answer: (...args: A) => T) =>
    (...args: A): T => {
      asked.push(name)
      return answer(...args)
    }
  const questions: Questions = {
    profile: noted('profile', answers.profile ?? (async () => undefined)),
    share: noted('share', answers.share ?? (async () => [])),
    language: noted('language', answers.language ?? (async () => 'en')),
    takeWaiting: noted('takeWaiting', answers.takeWaiting ?? (async () => undefined)),
    passphrase: noted('passphrase', async () => phrases.shift()),
    tell: (_, lines) => asked.push(lines.join('\n')),
    show: (_, text) => asked.push(text),
  }
  await init(globals, options, questions, { DSH_HOME: dshHome, LANG: 'en_US.UTF-8' }, CHEAP)
  return asked
}

describe('for scripts', () => {
  it('makes the template the person’s own in the language that is named, before any host has started', async () => {
    install('web')
    const answer = await script({ profile: 'web' }, {}, { MNEMOS_LANGUAGE: 'zh' })
    expect(answer).toMatchObject({
      data: folderOf('web'),
      did: 'approved',
      version: 1,
      language: 'zh',
      modelWork: [],
      warnings: [],
    })
    expect(at(folderOf('web'))).toMatchObject({
      state: 'approved',
      reported: [],
      approved: { text: expect.stringMatching(/^# 宪法\n/) },
    })
    await expect(script({ profile: 'web' })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringMatching(/version 1\); nothing was changed\. .*--replace/),
    })
    expect(
      await script(
        { profile: 'web' },
        { replace: true },
        { MNEMOS_PASSPHRASE: 'another passphrase', MNEMOS_LANGUAGE: 'en' },
      ),
    ).toMatchObject({ did: 'replaced', version: 2, language: 'zh' })
    // The text stays; the key is another one.
    expect(at(folderOf('web'))).toMatchObject({
      state: 'approved',
      approved: { text: expect.stringMatching(/^# 宪法\n/) },
    })
  })

  it('takes a text of the person’s own, warned of where it is long, refused where it cannot be one', async () => {
    const file = join(dshHome, 'mine.md')
    install('web')
    writeFileSync(file, `---\nlanguage: zh\n---\n# Mine\n\n${'x'.repeat(6_001)}\n`)
    const answer = await script({ profile: 'web' }, { from: file })
    expect(answer).toMatchObject({ language: 'zh', warnings: [expect.stringMatching(/60\d\d characters/)] })
    for (const [content, why] of [
      ['y'.repeat(16 * 1024 + 1), /16384 is the most/],
      ['z'.repeat(100_000), /are the most/],
      [' \n', /is empty/],
      [Buffer.from([0xff, 0xfe, 0x41]), /is not UTF-8/],
      ['a\0b', /NUL/],
    ] as const) {
      writeFileSync(file, content)
      await expect(script({ profile: 'other' }, { from: file })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(why),
      })
    }
    await expect(script({ profile: 'other' }, { from: join(dshHome, 'none.md') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(existsSync(folderOf('other'))).toBe(false)
  })

  it('says in a sentence why a draft cannot be read', async () => {
    const file = join(dshHome, 'mine.md')
    symlinkSync(file, file)
    mkdirSync(join(dshHome, 'folder'))
    for (const [name, why] of [
      ['mine.md', /mine\.md is a link.* Name the file that it leads to\./],
      ['folder', /folder is not a file\. Name a text file\./],
    ] as const)
      await expect(script({ profile: 'web' }, { from: join(dshHome, name) })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(why),
      })
  })

  it('says what is wrong with a folder of which nothing can be read, and asks for no text', async () => {
    mkdirSync(folderOf('web'), { recursive: true })
    symlinkSync('constitution', join(folderOf('web'), 'constitution'))
    await expect(script({ profile: 'web' })).rejects.toMatchObject({
      code: 'STORAGE',
      message: expect.stringMatching(/cannot be read \(ELOOP.*nothing was changed\. Move it away/),
    })
    expect(readdirSync(folderOf('web'))).toEqual(['constitution'])
  })

  it('takes no passphrase that is not UTF-8, neither a new one nor a known one', async () => {
    const broken = {
      MNEMOS_PASSPHRASE: Buffer.from([0x70, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9]).toString(),
    }
    await expect(script({ profile: 'web' }, {}, broken)).rejects.toThrow(/passphrase is not UTF-8/)
    expect(existsSync(folderOf('web'))).toBe(false)
    await script({ profile: 'web' })
    rmSync(join(dshHome, 'mnemos', 'profiles.json'))
    await expect(script({ profile: 'web' }, {}, broken)).rejects.toThrow(/passphrase is not UTF-8/)
  })

  it('says what it needs, and does nothing without it', async () => {
    await expect(script({ profile: 'web' }, {}, { MNEMOS_PASSPHRASE: '' })).rejects.toThrow(
      /give it in MNEMOS_PASSPHRASE/,
    )
    await expect(script({ profile: 'web' }, {}, { MNEMOS_PASSPHRASE: 'short' })).rejects.toThrow(
      /fewer than 8 characters/,
    )
    await expect(script({ profile: 'web' }, { language: 'fr' })).rejects.toThrow(/Take zh or en/)
    await expect(script({ profile: 'web' }, { yes: false })).rejects.toThrow(/no terminal to ask at/)
    await expect(script({ profile: '../web' })).rejects.toThrow(/no name of a profile/)
    await expect(script({})).rejects.toThrow(/No profile in .* has Mnemos/)
    await expect(script({ profile: 'web' }, {}, { DSH_SHELL: '1' })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringMatching(/person's to run/),
    })
    const foreign = await tempDir('foreign')
    writeFileSync(join(foreign, 'thesis.txt'), 'mine')
    await expect(script({ data: foreign })).rejects.toThrow(/holds other files/)
    expect(readdirSync(foreign)).toEqual(['thesis.txt'])
    expect(filesBelow(dshHome)).toEqual([])
  })

  it('approves no text that only lies there, but the one that is named', async () => {
    const { constitution } = layoutOf(folderOf('web'))
    mkdirSync(dirname(constitution), { recursive: true })
    writeFileSync(constitution, '# By whose hand?\n')
    await expect(script({ profile: 'web' })).rejects.toThrow(/A text that is not approved lies at/)
    expect(readdirSync(dirname(constitution))).toEqual(['constitution.md'])
    await script({ profile: 'web' }, { from: constitution })
    expect(at(folderOf('web'))).toMatchObject({
      state: 'approved',
      reported: [],
      approved: { text: '# By whose hand?' },
    })
  })

  it('confirms a folder from elsewhere with its own passphrase alone', async () => {
    await script({ profile: 'web' })
    rmSync(join(dshHome, 'mnemos', 'profiles.json'))
    expect(at(folderOf('web')).reported).toHaveLength(1)
    await expect(script({ profile: 'web' }, {}, { MNEMOS_PASSPHRASE: 'another passphrase' })).rejects.toThrow(
      /passphrase is wrong/,
    )
    expect(await script({ profile: 'web' })).toMatchObject({ did: 'confirmed', version: 1 })
    expect(at(folderOf('web')).reported).toEqual([])
  })
})

describe('at a terminal', () => {
  it('tells of model calls and session logs first, then asks for language and passphrase, twice', async () => {
    install('web')
    const [told, ...asked] = await person({ language: async () => 'zh' })
    expect(told).toMatch(/Background work of this version that calls a model: none\./)
    expect(told).toMatch(/send session logs .*unless told not to/s)
    expect(told).toContain('- id: session-log-deepseek\n    config:\n      enabled: false')
    expect(told).toContain('- id: plugin-package-inventory-deepseek\n    disabled: true')
    // The whole text is seen before the passphrase makes it the person's.
    expect(asked).toEqual(['language', at(folderOf('web')).approved?.text, 'passphrase', 'passphrase'])
    expect(at(folderOf('web'))).toMatchObject({ approved: { language: 'zh' } })
    expect(said).toMatch(/version 1 \(zh\) is approved/)
    // The other commands find the folder from now on.
    expect(readProfiles(nodeDisk, dshHome).profiles).toEqual({ web: { dataDir: folderOf('web') } })
  })

  it('changes nothing where two passphrases differ, one is short, or the person gives up anywhere', async () => {
    install('web')
    await expect(person({ phrases: [PASSPHRASE, `${PASSPHRASE}.`] })).rejects.toThrow('Nothing was changed.')
    await expect(person({ phrases: ['short'] })).rejects.toThrow('Nothing was changed.')
    await expect(person({ phrases: [PASSPHRASE] })).rejects.toThrow('Nothing was changed.')
    await expect(person({ phrases: [] })).rejects.toThrow('Nothing was changed.')
    await expect(person({ language: async () => undefined })).rejects.toThrow('Nothing was changed.')
    expect(existsSync(folderOf('web'))).toBe(false)
  })

  it('says how long a passphrase must be, and asks again for one that is too short or mistyped', async () => {
    install('web')
    const messages: string[] = []
    const phrases = ['short', PASSPHRASE, `${PASSPHRASE}.`, PASSPHRASE, PASSPHRASE]
    const passphrase = await newPassphrase(async (message) => {
      messages.push(message)
      return phrases.shift()
    }, {})
    expect(passphrase).toBe(PASSPHRASE)
    expect(messages).toEqual([
      expect.stringMatching(/^A new passphrase, at least 8 characters/),
      expect.stringMatching(/^That has fewer than 8 characters\. A new/),
      'The same once more',
      expect.stringMatching(/^The two differ\. A new/),
      'The same once more',
    ])
  })

  it('tells nothing and asks nothing where it is certain to be refused', async () => {
    install('web')
    await script({ profile: 'web' })
    const told: string[] = []
    const attempt = (options: InitOptions) =>
      init(
        { profile: 'web' },
        options,
        new Proxy({} as Questions, { get: (_, name) => () => told.push(String(name)) }),
        { DSH_HOME: dshHome },
        CHEAP,
      )
    await expect(attempt({})).rejects.toThrow(/has a constitution already/)
    await expect(attempt({ replace: true, from: join(dshHome, 'none.md') })).rejects.toThrow(/no file/)
    await expect(attempt({ replace: true, language: 'fr' })).rejects.toThrow(/no language/)
    expect(told).toEqual([])
  })

  it('shows the text of a folder from elsewhere before it is confirmed', async () => {
    await script({ profile: 'web' })
    rmSync(join(dshHome, 'mnemos', 'profiles.json'))
    const asked = await person({}, { profile: 'web' })
    expect(asked).toEqual([at(folderOf('web')).approved?.text, 'passphrase'])
    expect(at(folderOf('web')).reported).toEqual([])
  })

  it('takes a folder in which the person made user-memory/ by hand', async () => {
    mkdirSync(join(folderOf('web'), 'user-memory'), { recursive: true })
    expect(await script({ profile: 'web' })).toMatchObject({ did: 'approved' })
    mkdirSync(join(folderOf('other'), 'photos'), { recursive: true })
    await expect(script({ profile: 'other' })).rejects.toThrow(/photos/)
  })

  it('warns of a profile that is not there yet', async () => {
    expect(await script({ profile: 'weeb' })).toMatchObject({
      did: 'approved',
      warnings: [expect.stringMatching(/^No such profile yet: "weeb"/)],
    })
  })

  it('wraps what it tells to the width of the terminal, and leaves lines for a config as they are', () => {
    const lines = wrapped(PRIVACY, 60)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(54)
    expect(lines.join(' ')).toContain(PRIVACY[0])
    expect(lines).toContain('  - id: plugin-package-inventory-deepseek')
  })

  it('asks which text is meant where one lies there', async () => {
    for (const [take, text] of [
      [true, '# By hand'],
      [false, '# Constitution'],
    ] as const) {
      const profile = `p-${take}`
      const { constitution } = layoutOf(folderOf(profile))
      mkdirSync(dirname(constitution), { recursive: true })
      writeFileSync(constitution, '# By hand\n')
      await person({ takeWaiting: async () => take }, { profile })
      expect(at(folderOf(profile)).approved?.text.startsWith(text)).toBe(true)
    }
  })

  it('asks for the profile where there are several', async () => {
    install('headless')
    install('web')
    await person({ profile: async (profiles) => profiles[1]?.name })
    expect(at(folderOf('web')).state).toBe('approved')
    expect(at(folderOf('headless')).state).toBe('template')
    // Where all use one folder there is nothing to choose.
    await script({ profile: 'web' }, { share: ['headless'] })
    expect(await script({}, { replace: true })).toMatchObject({ data: folderOf('web'), did: 'replaced' })
  })
})

describe('sharing one folder', () => {
  /** Where the plugin of a profile looks at its next start. */
  const next = (profile: string, configured = '') =>
    dataFolder({
      disk: nodeDisk,
      environment: {},
      dshHome,
      profile,
      configured,
      chosen: readProfiles(nodeDisk, dshHome).profiles[profile]?.chosen,
    }).folder

  it('is offered with every other profile that has Mnemos, and holds at their next start', async () => {
    await started('headless')
    record('headless')
    await started('web')
    record('web')
    for (const name of ['one.md', 'two.md']) {
      mkdirSync(join(folderOf('web'), 'user-memory'), { recursive: true })
      writeFileSync(join(folderOf('web'), 'user-memory', name), 'x')
    }
    mkdirSync(join(folderOf('web'), 'constitution'))
    writeFileSync(layoutOf(folderOf('web')).constitution, '# By hand')
    install('desktop')
    const offered: string[] = []
    const asked = await person(
      {
        share: async (folder, others) => {
          offered.push(folder, ...others.map(({ name, files }) => `${name} ${files}`))
          return ['web', 'desktop']
        },
      },
      { profile: 'headless' },
    )
    expect(asked).toContain('share')
    expect(offered).toEqual([folderOf('headless'), 'desktop 0', 'web 1'])
    for (const profile of ['headless', 'web', 'desktop']) expect(next(profile)).toBe(folderOf('headless'))
    expect(said).toMatch(
      /What web had stays in \S+\/web: one record file in memories\/, 2 files in user-memory\/ and its constitution in constitution\/\. To bring memories\/ and user-memory\//,
    )
    expect(said).not.toMatch(/What desktop had/)
    expect(readFileSync(join(folderOf('web'), 'memories', 'kettle.md'), 'utf8')).toBe('The kettle sings\n')
    // A start under another config notes that folder and keeps the choice; the config's own word wins over it.
    expect(next('web', '/srv/own')).toBe('/srv/own')
    await noteProfile(nodeDisk, dshHome, 'web', { dataDir: '/srv/own', configured: true })
    await noteProfile(nodeDisk, dshHome, 'web', { dataDir: next('web') })
    expect(readProfiles(nodeDisk, dshHome).profiles.web).toEqual({
      dataDir: folderOf('headless'),
      chosen: folderOf('headless'),
    })
  })

  it('by option, also where the constitution is made already', async () => {
    await started('headless')
    await started('web')
    await script({ profile: 'headless' })
    expect(
      await script({ profile: 'headless' }, { share: ['web'] }, { MNEMOS_PASSPHRASE: '' }),
    ).toMatchObject({ did: 'nothing', shared: true, version: 1, profiles: ['headless', 'web'] })
    expect(next('web')).toBe(folderOf('headless'))
    await expect(script({ profile: 'headless' }, { share: ['phone'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is undone by dataDir in a config, in words that are said with it', async () => {
    await started('headless')
    await started('web')
    said = ''
    await init(
      { profile: 'headless' },
      { yes: true, share: ['web'] },
      undefined,
      { DSH_HOME: dshHome, MNEMOS_PASSPHRASE: PASSPHRASE },
      CHEAP,
    )
    expect(said).toMatch(/To undo it .*dataDir .*cordis\.patch\.yml/)
    expect(said).toMatch(/mnemos constitution show/)
    // As INSTALL.md writes it: relative to DSH_HOME.
    expect(next('web', 'mnemos/web')).toBe(folderOf('web'))
    expect(next('headless')).toBe(folderOf('headless'))
  })

  it('is refused for a profile whose config names a folder of its own, before anything is approved', async () => {
    await started('headless')
    await started('web', true)
    await expect(script({ profile: 'headless' }, { share: ['web'] })).rejects.toThrow(
      /config of web names a data folder of its own/,
    )
    expect(at(folderOf('headless')).state).toBe('template')
    expect(next('web')).toBe(folderOf('web'))
  })
})
