/** What is seen of a folder, by git and without it. */
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { repositoryOf, rootsOf } from '../../../src/files/repository.ts'
import { FolderSights } from '../../../src/files/workspace.ts'
import { commit, git, repository } from '../../support/git.ts'
import { tempDir } from '../../support/temp.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const home = async () => nodeDisk.real(await tempDir('home'))

async function seen(folder: string, sights = new FolderSights()) {
  const sight = await sights.of(folder)
  return { folder: sight.folder, own: sight.own.map(({ key }) => key), roots: await sight.roots() }
}
const rootOf = (folder: string) => git(folder, 'rev-list', '--max-parents=0', 'HEAD')

describe('what is seen of a folder', () => {
  it('is the repository that it lies in, also through a link', async () => {
    const at = await home()
    const app = repository(join(at, 'app'), 'git@h:o/n')
    mkdirSync(join(app, 'src'))
    symlinkSync(join(app, 'src'), join(at, 'link'))
    const all = { folder: app, own: ['h/o/n'], roots: [rootOf(app)] }
    expect(await seen(app)).toEqual(all)
    expect(await seen(join(app, 'src'))).toEqual(all)
    expect(await seen(join(at, 'link'))).toEqual(all)
  })

  it('of a worktree is that of its repository, of a submodule its own', async () => {
    const at = await home()
    const [app, part] = [repository(join(at, 'app')), repository(join(at, 'part'))]
    git(app, 'worktree', 'add', '-q', join(at, 'tree'))
    expect((await seen(join(at, 'tree'))).folder).toBe(app)
    git(app, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', part, 'part')
    expect(await seen(join(app, 'part'))).toEqual({
      folder: join(app, 'part'),
      own: [part],
      roots: [rootOf(part)],
    })
  })

  it('of a history that was cut off has no root commits', async () => {
    const at = await home()
    const app = repository(join(at, 'app'))
    commit(app)
    git(at, 'clone', '-q', '--depth', '1', `file://${app}`, 'shallow')
    expect((await seen(join(at, 'shallow'))).roots).toEqual([])
  })

  it('without git, or with a repository that git does not take, is the folder', async () => {
    const at = await home()
    const nothing = { folder: at, own: [], roots: [] }
    expect(await seen(at)).toEqual(nothing)
    mkdirSync(join(at, '.git'))
    expect(await seen(at)).toEqual(nothing)
    writeFileSync(join(at, '.git', 'HEAD'), 'junk')
    expect(await seen(at)).toEqual(nothing)
    expect((await seen('/nowhere/at all')).folder).toBe('/nowhere/at all')
  })

  it('is not asked of git again before the answer may have changed', async () => {
    const app = repository(join(await home(), 'app'), 'git@h:o/n')
    const sights = new FolderSights()
    const before = await seen(app, sights)
    const path = process.env.PATH
    vi.stubEnv('PATH', '')
    expect(await seen(app, sights)).toEqual(before)
    expect((await seen(app)).own).toEqual([])
    vi.stubEnv('PATH', path)
    git(app, 'remote', 'set-url', 'origin', 'git@h:o/other')
    expect((await seen(app, sights)).own).toEqual(['h/o/other'])
    renameSync(app, `${app}-moved`)
    expect(await seen(app, sights)).toEqual({ folder: app, own: [], roots: [] })
  })

  it('waits for git no longer than its time, and does not ask for such a history twice', async () => {
    const at = await home()
    const app = repository(join(at, 'app'))
    const bin = join(at, 'bin')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'git'),
      '#!/bin/sh\ncase "$1" in rev-list) echo asked >> "$0.log"; exec sleep 20;; esac\nexit 1\n',
    )
    chmodSync(join(bin, 'git'), 0o755)
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
    const its = await repositoryOf(app)
    expect(its && (await rootsOf(its, 300))).toEqual([])
    expect((await seen(app)).roots).toEqual([])
    expect(readFileSync(join(bin, 'git.log'), 'utf8')).toBe('asked\n')
  })
})
