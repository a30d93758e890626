/** The disk of this machine, and that the rooms which work on the data folder use nothing else. */
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { sources } from '../../support/architecture.ts'
import { tempDir } from '../../support/temp.ts'

const ROOMS = /^(base|files|search|store|doctor|constitution|self-history|user-memory|view|tools|memory)\//
/** What reads something else than the data folder, and says so. */
const OTHERS = [
  // Its flags for opening.
  'base/node-files.ts',
  // The package's own folder.
  'base/package.ts',
  // `statfs`, which tells of the system.
  'base/place.ts',
  'base/system-calls.ts',
  // `/proc`.
  'files/lock-owner.ts',
  // The session's folder and its git repository.
  'files/repository.ts',
  'files/workspace.ts',
]

it('only the disk opens files of the data folder', () => {
  const users = sources().flatMap(({ path, text }) =>
    ROOMS.test(path) && /from '(node:)?fs(\/promises)?'/.test(text) ? [path] : [],
  )
  expect(users.sort()).toEqual(OTHERS)
})

describe('the disk', () => {
  it('makes one folder, and refuses where anything is there', async () => {
    const path = join(await tempDir('disk'), '.lock')
    nodeDisk.makeFolder(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(() => nodeDisk.makeFolder(path)).toThrow('EEXIST')
    expect(() => nodeDisk.makeFolder(join(path, 'below', 'it'))).toThrow('ENOENT')
    nodeDisk.setTime(path, 1_700_000_000_123.25)
    expect(nodeDisk.stamp(path)?.mtimeMs).toBeCloseTo(1_700_000_000_123.25, 2)
    nodeDisk.rename(path, `${path}-moved`)
    expect([nodeDisk.stamp(path), nodeDisk.stamp(`${path}-moved`)?.kind]).toEqual([undefined, 'folder'])
    nodeDisk.removeFolder(`${path}-moved`)
    expect(() => nodeDisk.removeFolder(path)).toThrow('ENOENT')
  })

  it('overwrites a note in place, and never what a link leads to', async () => {
    const folder = await tempDir('disk')
    const note = join(folder, 'note')
    nodeDisk.overwrite(note, 'a long text')
    nodeDisk.overwrite(note, 'short')
    expect([readFileSync(note, 'utf8'), statSync(note).mode & 0o777]).toEqual(['short', 0o600])
    symlinkSync(note, join(folder, 'link'))
    expect(() => nodeDisk.overwrite(join(folder, 'link'), 'other')).toThrow('no file of ours')
    expect(readFileSync(note, 'utf8')).toBe('short')
  })

  it('makes a file private and leaves what it holds', async () => {
    const file = join(await tempDir('disk'), 'index.db')
    nodeDisk.touch(file)
    expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([0, 0o600])
    writeFileSync(file, 'pages')
    nodeDisk.chmod(file, 0o644)
    nodeDisk.touch(file)
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['pages', 0o600])
  })

  it('resolves links, and refuses where there is nothing', async () => {
    const folder = nodeDisk.real(await tempDir('disk'))
    mkdirSync(join(folder, 'moved'))
    symlinkSync(join(folder, 'moved'), join(folder, 'old'))
    expect(nodeDisk.real(join(folder, 'old'))).toBe(join(folder, 'moved'))
    expect(lstatSync(join(folder, 'old')).isSymbolicLink()).toBe(true)
    expect(() => nodeDisk.real(join(folder, 'nothing'))).toThrow('ENOENT')
  })
})
