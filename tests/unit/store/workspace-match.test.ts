import { describe, expect, it } from 'vitest'
import { ownRemotes, remoteOf } from '../../../src/files/remote.ts'
import { type Evidence, nameOf } from '../../../src/files/workspace.ts'
import { matching, withEvidence } from '../../../src/store/workspace-match.ts'

/** @param remotes of which the first is `origin`. */
function seen(folder: string, roots: string[] = [], ...urls: string[]): Evidence {
  const remotes = urls.map((url, n) => remoteOf({ name: n === 0 ? 'origin' : `other${n}`, url }, folder))
  return { folder, roots, own: ownRemotes(remotes), remotes }
}
const A = { id: 'a', evidence: ['remote:github.com/client/a', 'root:r1', 'folder:/projects/a'] }
const B = { id: 'b', evidence: ['remote:github.com/client/b', 'root:r1', 'folder:/projects/b'] }
const LOCAL = { id: 'local', evidence: ['root:r1', 'folder:/projects/local'] }
const FOLDER = { id: 'folder', evidence: ['folder:/projects/a'] }

describe('the workspace of a folder', () => {
  it.each([
    ['a known remote, wherever it lies', [A, B], seen('/x', [], 'https://github.com/Client/B.git'), 'b'],
    ['a remote before anything else', [A, B], seen('/projects/a', ['r1'], 'git@github.com:client/b'), 'b'],
    ['a root commit without a remote', [LOCAL], seen('/x', ['r1']), 'local'],
    ['a root commit that gets its remote', [LOCAL], seen('/x', ['r1'], 'git@github.com:me/new'), 'local'],
    ['a root commit whose remote went', [A], seen('/x', ['r1']), 'a'],
    ['a root commit and a host alias', [A, B], seen('/x', ['r1'], 'git@gh-b:client/b'), 'b'],
    ['a template beside its client', [A], seen('/x', ['r1'], 'git@github.com:client/c'), undefined],
    [
      'a client whose upstream is the template',
      [A],
      seen('/x', ['r1'], 'git@h:x/c', 'git@github.com:client/a'),
      undefined,
    ],
    ['a root commit of two clients', [A, B], seen('/x', ['r1']), undefined],
    ['a root commit of two clients in a known folder', [A, B], seen('/projects/b', ['r1']), 'b'],
    ['a folder without git', [FOLDER], seen('/projects/a'), 'folder'],
    ['a folder that got git and commits', [FOLDER], seen('/projects/a', ['r9']), 'folder'],
    ['a folder that got a remote', [FOLDER], seen('/projects/a', [], 'git@github.com:me/new'), 'folder'],
    [
      'a folder with another remote now',
      [A],
      seen('/projects/a', ['r9'], 'git@github.com:me/new'),
      undefined,
    ],
    [
      'a folder that was forked',
      [A],
      seen('/projects/a', ['r1'], 'git@h:me/a', 'git@github.com:client/a'),
      'a',
    ],
    ['a clone of the folder on this machine', [LOCAL], seen('/x', ['r1'], '/projects/local'), 'local'],
    ['a clone of a folder that has a remote itself', [A], seen('/x', ['r1'], '/projects/a/.git'), 'a'],
    ['a folder of that name elsewhere', [FOLDER], seen('/other/a'), undefined],
    ['nothing', [], seen('/projects/a'), undefined],
  ])('is told by %s', (_, workspaces, evidence, id) => {
    expect(matching(workspaces, evidence)?.id).toBe(id)
  })

  it('keeps what is seen of it, and says when there is nothing new', () => {
    const made = withEvidence([], 'new', seen('/p', ['r1'], 'git@h:o/n')) ?? []
    const evidence = ['remote:h/o/n', 'root:r1', 'folder:/p']
    expect(made).toEqual([{ id: 'new', evidence }])
    expect(withEvidence(made, 'new', seen('/p', [], 'https://h/O/N'))).toBeUndefined()
    expect(withEvidence(made, 'new', seen('/q'))).toEqual([
      { id: 'new', evidence: [...evidence, 'folder:/q'] },
    ])
  })

  it('takes a folder over from the workspace that lay there before', () => {
    expect(withEvidence([A], 'new', seen('/projects/a', [], 'git@h:o/n'))).toEqual([
      { id: 'a', evidence: A.evidence.slice(0, 2) },
      { id: 'new', evidence: ['remote:h/o/n', 'folder:/projects/a'] },
    ])
  })

  it('does not take the way to its own folder for a remote: the original may get another', () => {
    const clone = seen('/x', ['r1'], '/projects/local')
    const next = withEvidence([LOCAL], 'local', clone) ?? []
    expect(next[0]?.evidence).toEqual([...LOCAL.evidence, 'folder:/x'])
    expect(matching(next, seen('/projects/local', ['r1'], 'git@h:me/app'))?.id).toBe('local')
  })

  it('forgets the oldest of many folders, and no other kind for them', () => {
    let workspaces = [A]
    for (let n = 0; n < 30; n++) workspaces = withEvidence(workspaces, 'a', seen(`/tmp/${n}`)) ?? []
    expect(workspaces[0]?.evidence).toHaveLength(22)
    expect(workspaces[0]?.evidence).toEqual(expect.arrayContaining(['root:r1', 'folder:/tmp/29']))
  })

  it.each([
    ['its remote', seen('/p', ['r1', 'r2'], 'git@github.com:Owner/Name.git'), 'github.com/Owner/Name', false],
    ['its last root commit', seen('/p', ['r1', 'r2']), 'r2', false],
    ['its folder', seen('/projects/app'), 'app', true],
    ['the root of the file system', seen('/'), '/', true],
    ['a remote beside it', seen('/p', [], '../name.git'), '../name', true],
  ])('is called by %s at first', (_, evidence, text, isCommon) => {
    expect(nameOf(evidence)).toEqual({ text, isCommon })
  })
})
