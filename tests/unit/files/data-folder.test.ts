import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { dataFolder, dshHomeOf } from '../../../src/files/data-folder.ts'
import { noteProfile, readProfiles } from '../../../src/files/profiles.ts'
import { tempDir } from '../../support/temp.ts'

const of = (configured: string, environment: Record<string, string> = {}) =>
  dataFolder({ disk: nodeDisk, environment, dshHome: '/home/me/.dsh', profile: 'web', configured })

describe('the data folder', () => {
  it('is one a profile, beside the profiles and not inside them', () => {
    expect(of('')).toEqual({ folder: '/home/me/.dsh/mnemos/web' })
  })

  it('is the config’s, and the environment wins over it', () => {
    expect(of('/srv/memory')).toEqual({ folder: '/srv/memory' })
    expect(of('~/memory')).toEqual({ folder: join(homedir(), 'memory') })
    expect(of('shared')).toEqual({ folder: '/home/me/.dsh/shared' })
    expect(of('/srv/memory', { MNEMOS_DATA: '/srv/other' })).toEqual({ folder: '/srv/other' })
    expect(of('/srv/memory', { MNEMOS_DATA: ' ' })).toEqual({ folder: '/srv/memory' })
  })

  it.each(['/home/me/.dsh/profiles', '/home/me/.dsh/profiles/web/memory', 'profiles/web'])(
    'is never %s, which package managers rewrite',
    (configured) => {
      expect(of(configured)).toEqual({
        folder: '/home/me/.dsh/mnemos/web',
        problem: expect.stringContaining('package managers rewrite'),
      })
    },
  )

  it('lies in DSH_HOME, else in the person’s home', () => {
    expect(dshHomeOf({ DSH_HOME: '/x' })).toBe('/x')
    expect(dshHomeOf({})).toBe(join(homedir(), '.dsh'))
  })
})

describe('profiles.json', () => {
  it('notes every profile once, also when ten start at the same time', async () => {
    const home = await tempDir('home')
    const problems = await Promise.all(
      [...Array(10).keys()].map((n) => noteProfile(nodeDisk, home, `p${n}`, { dataDir: `/data/${n}` })),
    )
    expect(problems).toEqual(Array(10).fill(undefined))
    const { profiles } = readProfiles(nodeDisk, home)
    expect(Object.keys(profiles).sort()).toEqual([...Array(10).keys()].map((n) => `p${n}`))
  })

  it('keeps what others wrote into it', async () => {
    const home = await tempDir('home')
    const file = join(home, 'mnemos', 'profiles.json')
    mkdirSync(join(home, 'mnemos'))
    writeFileSync(file, JSON.stringify({ later: 1, profiles: { web: { dataDir: '/old', key: 'k' } } }))
    await noteProfile(nodeDisk, home, 'web', { dataDir: '/new' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      later: 1,
      profiles: { web: { dataDir: '/new', key: 'k' } },
    })
  })

  it.each(['{ broken', '{"profiles":{"web":{"dataDir":"/old"}}}}', '{"profiles":{"web":{"dataDir":7}}}'])(
    'that is damaged (%s) is written anew, and what lay there is kept, each time, and said',
    async (damaged) => {
      const home = await tempDir('home')
      const file = join(home, 'mnemos', 'profiles.json')
      mkdirSync(join(home, 'mnemos'))
      const kept = () => readdirSync(join(home, 'mnemos')).filter((name) => name.includes('.damaged-'))
      for (const times of [1, 2, 3]) {
        writeFileSync(file, damaged)
        const said = await noteProfile(nodeDisk, home, 'web', { dataDir: '/new' })
        expect(readProfiles(nodeDisk, home).profiles).toEqual({ web: { dataDir: '/new' } })
        expect(kept()).toHaveLength(times)
        expect(kept().some((name) => said?.includes(name))).toBe(true)
        for (const name of kept()) expect(readFileSync(join(home, 'mnemos', name), 'utf8')).toBe(damaged)
      }
      expect(await noteProfile(nodeDisk, home, 'other', { dataDir: '/new' })).toBeUndefined()
      expect(kept()).toHaveLength(3)
    },
  )

  it('that is a link, or nothing that can be kept, is left as it is, and that is reported', async () => {
    const home = await tempDir('home')
    const elsewhere = join(await tempDir('elsewhere'), 'profiles.json')
    mkdirSync(join(home, 'mnemos'))
    writeFileSync(elsewhere, '{"profiles":{"web":{"dataDir":"/old"}}}')
    symlinkSync(elsewhere, join(home, 'mnemos', 'profiles.json'))
    expect(await noteProfile(nodeDisk, home, 'web', { dataDir: '/new' })).toMatch(
      /cannot be read .*may need --data/,
    )
    expect(readFileSync(join(home, 'mnemos', 'profiles.json'), 'utf8')).toContain('/old')
  })

  it('that cannot be written is a problem, not a failure', async () => {
    const home = await tempDir('home')
    writeFileSync(join(home, 'mnemos'), 'a file')
    expect(await noteProfile(nodeDisk, home, 'web', { dataDir: '/new' })).toMatch(/may need --data/)
  })
})
