import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { remoteName, workspaceOf } from '../../../src/files/workspace.ts'
import { tempDir } from '../../support/temp.ts'

it.each([
  ['https://github.com/owner/name.git', 'github.com/owner/name'],
  ['https://user:secret@github.com/owner/name', 'github.com/owner/name'],
  ['https://token@github.com/owner/name/', 'github.com/owner/name'],
  ['git@github.com:owner/name.git', 'github.com/owner/name'],
  ['ssh://git@git.example.com:2222/owner/name.git', 'git.example.com/owner/name'],
  ['/srv/git/name.git', '/srv/git/name'],
])('%s is %s', (url, name) => {
  expect(remoteName(url)).toBe(name)
})

it('is the remote, else the root commit, else the folder’s name', async () => {
  const folder = await tempDir('work')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const at = (name: string) => {
    mkdirSync(join(folder, name))
    return workspaceOf(join(folder, name))
  }
  expect(await workspaceOf(folder)).toBe(basename(folder))
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'root')
  expect(await at('a')).toBe(git('rev-list', '--max-parents=0', 'HEAD').trim())
  git('remote', 'add', 'origin', 'git@example.com:team/thing.git')
  expect(await at('b')).toBe('example.com/team/thing')
  expect(await workspaceOf('/nowhere/at all')).toBe('at all')
  expect(await workspaceOf(undefined)).toBeUndefined()
})
