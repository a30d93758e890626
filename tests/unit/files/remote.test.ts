import { describe, expect, it } from 'vitest'
import { ownRemotes, pathOfKey, remoteName, remoteOf } from '../../../src/files/remote.ts'

const keyOf = (url: string) => remoteOf({ name: 'origin', url }, '/projects/app').key

describe('a remote', () => {
  it.each([
    ['https://github.com/owner/name.git', 'github.com/owner/name'],
    ['https://user:secret@github.com/owner/name', 'github.com/owner/name'],
    ['https://user:p@ss@github.com/owner/name', 'github.com/owner/name'],
    ['https://token@github.com/owner/name/', 'github.com/owner/name'],
    ['git@github.com:owner/name.git', 'github.com/owner/name'],
    ['ssh://git@git.example.com:2222/owner/name.git', 'git.example.com/owner/name'],
    ['https://github.com/Owner/Name', 'github.com/Owner/Name'],
    ['/srv/git/name.git', '/srv/git/name'],
  ])('%s is called %s, as versions before the register called it', (url, name) => {
    expect(remoteName(url)).toBe(name)
  })

  it.each([
    [
      'github.com/owner/name',
      [
        'https://github.com/owner/name',
        'https://github.com/Owner/Name.git',
        'https://user:secret@GitHub.com:443/owner/name.git/',
        'http://github.com/owner/name//',
        'git@github.com:owner/name.git',
        'git@github.com:/owner/name',
        'ssh://git@github.com:22/owner/name.git',
        'git://github.com/owner/name.GIT',
      ],
    ],
    ['gitlab.com/group/sub/name', ['git@gitlab.com:group/sub/name.git', 'https://gitlab.com/Group/Sub/name']],
    ['git.firm.cn/p/repo', ['https://git.firm.cn/scm/P/repo.git', 'ssh://git@git.firm.cn:7999/p/repo.git']],
    [
      '/srv/git/Name',
      [
        '/srv/git/Name.git',
        'file:///srv/git/Name',
        'file://localhost/srv/git/Name.git',
        '/srv/git/Name/.git',
      ],
    ],
    ['/projects/other', ['../other', '../other.git/', './../other']],
  ])('is %s in every spelling', (key, urls) => {
    expect(urls.map(keyOf)).toEqual(urls.map(() => key))
  })

  it.each([
    ['git@github.com:owner/name.git', 'git@github-work:owner/name.git'],
    ['https://dev.azure.com/firm/project/_git/repo', 'git@ssh.dev.azure.com:v3/firm/project/repo'],
  ])('%s has another host than %s, and the same path', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other))
    expect(pathOfKey(keyOf(one))).toBe(pathOfKey(keyOf(other)))
  })

  it('of somebody who is called like a segment that is left out keeps it', () => {
    expect(keyOf('git@github.com:scm/name.git')).toBe('github.com/scm/name')
    expect(keyOf('git@github.com:v3/name.git')).toBe('github.com/v3/name')
  })

  it('that says which repository it is: origin or the first one, and its mirrors', () => {
    const remote = (name: string, url: string) => remoteOf({ name, url }, '/projects/app')
    const own = (...remotes: [string, string][]) =>
      ownRemotes(remotes.map(([name, url]) => remote(name, url))).map(({ name }) => name)
    expect(own()).toEqual([])
    expect(own(['upstream', 'git@h:org/template'], ['origin', 'git@h:client/app'])).toEqual(['origin'])
    expect(own(['client', 'git@h:client/app'], ['template', 'git@h:org/template'])).toEqual(['client'])
    expect(own(['mirror', 'git@m:me/app'], ['origin', 'git@h:me/app'])).toEqual(['origin', 'mirror'])
  })
})
