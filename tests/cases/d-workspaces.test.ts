/** D18: a workspace is not a label. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { examineWorkspaces } from '../../src/doctor/workspaces.ts'
import { findingShown, problemSentences } from '../../src/messages/messages.ts'
import { personContext, type TurnContext } from '../../src/store/turn-context.ts'
import { callTool } from '../../src/tools/exit.ts'
import { filesBelow } from '../support/files.ts'
import { commit, git, repository } from '../support/git.ts'
import { openStore, type TestStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const SSH = 'git@github.com:Owner/app.git'
const HTTPS = 'https://user:token@github.com/owner/App'
const ALIAS = 'git@github-work:owner/app.git'

type Isolate = { isolate: boolean; root?: string; disk?: Disk }

async function memory({ isolate, ...options }: Isolate) {
  const opened = await openStore({ config: { isolate }, ...options })
  return { ...opened, in: (folder: string) => session(opened, folder) }
}

/** How often the person was asked. */
let asked = 0

/** A session in a folder, with the tools as the host calls them. */
function session({ memory: { tools }, store }: TestStore, folder: string) {
  const workspace = () => store.workspaceOf(folder)
  const contextNow = async (): Promise<TurnContext> => ({
    ...personContext(await workspace()),
    folder,
    author: 'test/model main',
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape; a wrong path fails the test.
  const call = async (name: string, args: unknown, context?: TurnContext): Promise<any> => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) throw new Error(`no tool ${name}`)
    const env = {
      context: context ?? (await contextNow()),
      notices: () => problemSentences(store.problems()),
      async ask() {
        asked++
        return 'allowed' as const
      },
    }
    return callTool(tool, args, env, {
      log(line) {
        throw new Error(line)
      },
    })
  }
  return {
    workspace,
    contextNow,
    call,
    remember: async (summary: string, more: object = {}): Promise<string> =>
      (await call('remember', { summary, ...more })).id,
    /** Summaries of what is found. */
    recall: async (query: string): Promise<string[]> =>
      (await call('recall', { query })).hits.map(({ summary }: { summary: string }) => summary),
  }
}

const registerOf = (root: string): { id: string; evidence: string[] }[] =>
  JSON.parse(readFileSync(join(root, 'workspaces.json'), 'utf8')).workspaces

/** What a person does with a folder between two sessions. @returns where the second one is. */
const STORIES: [string, (home: string) => string, (folder: string, home: string) => string][] = [
  ['git init and a first commit', (home) => folder(home), (at) => repository(at)],
  [
    'the first commit',
    (home) => {
      git(folder(home), 'init', '-q')
      return join(home, 'app')
    },
    (at) => {
      commit(at)
      return at
    },
  ],
  [
    'git remote add',
    (home) => repository(join(home, 'app')),
    (at) => {
      git(at, 'remote', 'add', 'origin', SSH)
      return at
    },
  ],
  ['git init, a commit and a remote at once', (home) => folder(home), (at) => repository(at, SSH)],
  [
    'another spelling of the remote',
    (home) => repository(join(home, 'app'), SSH),
    (at) => {
      git(at, 'remote', 'set-url', 'origin', HTTPS)
      return at
    },
  ],
  [
    'a host alias in the remote',
    (home) => repository(join(home, 'app'), SSH),
    (at) => {
      git(at, 'remote', 'set-url', 'origin', ALIAS)
      return at
    },
  ],
  [
    'the removal of the remote',
    (home) => repository(join(home, 'app'), SSH),
    (at, home) => {
      git(at, 'remote', 'remove', 'origin')
      renameSync(at, join(home, 'moved'))
      return join(home, 'moved')
    },
  ],
  [
    'moving the clone',
    (home) => repository(join(home, 'app')),
    (at, home) => {
      mkdirSync(join(home, 'elsewhere'))
      renameSync(at, join(home, 'elsewhere', 'renamed'))
      return join(home, 'elsewhere', 'renamed')
    },
  ],
  [
    'a second clone by another spelling, with other commits',
    (home) => repository(join(home, 'app'), SSH),
    (_, home) => repository(join(home, 'second'), HTTPS),
  ],
  [
    'a clone of the folder on the same machine',
    (home) => repository(join(home, 'app'), SSH),
    (at, home) => {
      git(home, 'clone', '-q', at, 'copy')
      return join(home, 'copy')
    },
  ],
  [
    'a second clone through a host alias',
    (home) => repository(join(home, 'app'), SSH),
    (at, home) => {
      git(home, 'clone', '-q', at, 'copy')
      git(join(home, 'copy'), 'remote', 'set-url', 'origin', ALIAS)
      return join(home, 'copy')
    },
  ],
  [
    'a worktree',
    (home) => repository(join(home, 'app')),
    (at, home) => {
      git(at, 'worktree', 'add', '-q', join(home, 'worktree'), '-b', 'other')
      return join(home, 'worktree')
    },
  ],
  [
    'a worktree of a branch without a common root',
    (home) => repository(join(home, 'app')),
    (at, home) => {
      git(at, 'worktree', 'add', '-q', '--detach', join(home, 'worktree'))
      git(join(home, 'worktree'), 'checkout', '-q', '--orphan', 'pages')
      commit(join(home, 'worktree'))
      return join(home, 'worktree')
    },
  ],
  [
    'a way through a link',
    (home) => repository(join(home, 'app')),
    (at, home) => {
      symlinkSync(at, join(home, 'link'))
      return join(home, 'link')
    },
  ],
  ['a subfolder', (home) => repository(join(home, 'app')), (at) => folder(at, 'src', 'deep')],
  [
    'a fork that takes the place of origin',
    (home) => repository(join(home, 'app'), SSH),
    (at) => {
      git(at, 'remote', 'rename', 'origin', 'upstream')
      git(at, 'remote', 'add', 'origin', 'git@github.com:me/fork.git')
      return at
    },
  ],
]

function folder(...parts: string[]): string {
  const path = join(...parts, ...(parts.length === 1 ? ['app'] : []))
  mkdirSync(path, { recursive: true })
  return path
}

describe.each([{ isolate: true }, { isolate: false }])('D18 with isolate $isolate', ({ isolate }) => {
  it.each(STORIES)('after %s it is the same workspace', async (_, before, after) => {
    const { store, root, in: at } = await memory({ isolate })
    const home = await tempDir('home')
    const first = before(home)
    const id = await at(first).remember('the kettle is green')
    const was = await at(first).workspace()
    expect((await store.get(id)).record.workspace).toBe(was)
    const second = after(first, home)
    expect(await at(second).workspace()).toBe(was)
    expect(await at(second).recall('kettle')).toEqual(['the kettle is green'])
    expect((await at(second).call('open', { id })).summary).toBe('the kettle is green')
    // What is written there is found from there on, also by a process that knows nothing.
    await at(second).remember('the second kettle is blue')
    store.close()
    const next = await memory({ isolate, root })
    expect(await next.in(second).workspace()).toBe(was)
    expect((await next.in(second).recall('kettle')).sort()).toEqual([
      'the kettle is green',
      'the second kettle is blue',
    ])
    expect(registerOf(root)).toHaveLength(1)
  })
})

describe('D18 two workspaces', () => {
  const both = async (one: string, other: string) => {
    const { store, root, in: at } = await memory({ isolate: true })
    await at(one).remember('the price for the first client is 100')
    await at(other).remember('the price for the second client is 200')
    expect(await at(one).recall('price client')).toEqual(['the price for the first client is 100'])
    expect(await at(other).recall('price client')).toEqual(['the price for the second client is 200'])
    store.close()
    const next = await memory({ isolate: true, root })
    expect(await next.in(other).recall('price client')).toEqual(['the price for the second client is 200'])
    return next
  }

  it('are folders of one name without git', async () => {
    const home = await tempDir('home')
    const [one, other] = [folder(home, 'client1', 'app'), folder(home, 'client2', 'app')]
    const { root, in: at } = await both(one, other)
    expect(await at(one).workspace()).toBe('app')
    expect(await at(other).workspace()).toMatch(/^app-[a-z0-9]{4}$/)
    expect(registerOf(root).map(({ id }) => id)).toHaveLength(2)
  })

  it('are clients made from one template, also while the template has a workspace and is their upstream', async () => {
    const home = await tempDir('home')
    const template = repository(join(home, 'template'), 'git@github.com:firm/template.git')
    const clients = ['one', 'two'].map((name) => {
      git(home, 'clone', '-q', template, name)
      const at = join(home, name)
      git(at, 'remote', 'set-url', 'origin', `git@github.com:client/${name}.git`)
      git(at, 'remote', 'add', 'upstream', 'git@github.com:firm/template.git')
      return at
    })
    const [one = '', two = ''] = clients
    const { in: at } = await both(one, two)
    await at(template).remember('the template is old')
    expect(await at(one).recall('template')).toEqual([])
    expect(new Set(await Promise.all([one, two, template].map((each) => at(each).workspace()))).size).toBe(3)
  })

  it('are one after the other in the same folder, when another repository is cloned there', async () => {
    const home = await tempDir('home')
    const { in: at } = await memory({ isolate: true })
    const app = repository(join(home, 'app'), 'git@github.com:client/one.git')
    await at(app).remember('the price for the first client is 100')
    rmSync(app, { recursive: true })
    repository(app, 'git@github.com:client/two.git')
    expect(await at(app).recall('price')).toEqual([])
  })

  it('are remotes of one relative path beside different folders', async () => {
    const home = await tempDir('home')
    await both(
      repository(join(home, 'client1', 'app'), '../origin.git'),
      repository(join(home, 'client2', 'app'), '../origin.git'),
    )
  })

  it('are told apart when both first write at the same moment', async () => {
    const home = await tempDir('home')
    const { store, in: at } = await memory({ isolate: true })
    const sessions = [at(folder(home, 'client1', 'app')), at(folder(home, 'client2', 'app'))] as const
    // Both have been told that they are called "app".
    const contexts = await Promise.all(sessions.map((one) => one.contextNow()))
    expect(contexts.map(({ workspace }) => workspace)).toEqual(['app', 'app'])
    const answers = await Promise.all(
      sessions.map((one, n) => one.call('remember', { summary: 'the same price' }, contexts[n])),
    )
    const records = await Promise.all(answers.map(async ({ id }) => (await store.get(id)).record))
    expect(new Set(records.map(({ id }) => id)).size).toBe(2)
    for (const [n, one] of sessions.entries()) expect(await one.workspace()).toBe(records[n]?.workspace)
    expect(new Set(records.map(({ workspace }) => workspace)).size).toBe(2)
  })
})

describe('D18 the register', () => {
  it('is written by a write and not by reading', async () => {
    const { root, in: at } = await memory({ isolate: false })
    const app = folder(await tempDir('home'))
    await at(app).recall('anything')
    expect(await at(app).workspace()).toBe('app')
    const refused = at(app).call('remember', { summary: 'two\nlines' })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(readdirSync(root)).not.toContain('workspaces.json')
    await at(app).remember('a fact')
    expect(registerOf(root)).toEqual([{ id: 'app', evidence: [`folder:${nodeDisk.real(app)}`] }])
    const before = nodeDisk.stamp(join(root, 'workspaces.json'))
    await at(app).remember('another fact')
    expect(nodeDisk.stamp(join(root, 'workspaces.json'))).toEqual(before)
  })

  it.each([
    ['remote', (at: string) => repository(at, SSH), 'github.com/Owner/app'],
    ['root commit', (at: string) => repository(at), undefined],
    ['folder', (at: string) => folder(at), 'app'],
  ])('leaves a record of an earlier version, called by %s, where it was', async (_, make, name) => {
    const { root, in: at } = await memory({ isolate: true })
    const app = make(join(await tempDir('home'), 'app'))
    const label = name ?? git(app, 'rev-list', '--max-parents=0', 'HEAD')
    mkdirSync(join(root, 'memories'))
    const text = `---\nsummary: an old fact\nworkspace: ${label}\n---\n`
    writeFileSync(join(root, 'memories', 'old.md'), text)
    expect(await at(app).recall('old fact')).toEqual(['an old fact'])
    await at(app).remember('a new fact')
    expect(await at(app).recall('old fact')).toContain('an old fact')
  })

  it('notices a remote that is added while a host runs', async () => {
    const home = await tempDir('home')
    const { in: at } = await memory({ isolate: true })
    const app = repository(join(home, 'app'))
    const other = repository(join(home, 'other'), SSH)
    await at(other).remember('the kettle is green')
    expect(await at(app).recall('kettle')).toEqual([])
    git(app, 'remote', 'add', 'origin', HTTPS)
    expect(await at(app).recall('kettle')).toEqual(['the kettle is green'])
  })

  it('goes on with the name where the data folder is only read', async () => {
    const first = await memory({ isolate: true })
    const app = folder(await tempDir('home'))
    first.store.close()
    writeFileSync(join(first.root, 'version'), '99\n')
    const { in: at } = await memory({ isolate: true, root: first.root })
    expect(await at(app).workspace()).toBe('app')
    expect(await at(app).recall('anything')).toEqual([])
  })

  it('that cannot be written is reported, and the record is stored', async () => {
    const disk: Disk = {
      ...nodeDisk,
      replace(path, ...rest) {
        if (path.endsWith('workspaces.json')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        nodeDisk.replace(path, ...rest)
      },
    }
    const { store, in: at } = await memory({ isolate: true, disk })
    const app = folder(await tempDir('home'))
    const { id, notices } = await at(app).call('remember', { summary: 'a fact' })
    expect(notices).toEqual([expect.stringContaining('could not be noted in workspaces.json')])
    expect((await store.get(id)).record.workspace).toBe('app')
    expect(await at(app).recall('fact')).toEqual(['a fact'])
  })

  it('that is damaged is reported, kept under another name, and tells what can be read of it', async () => {
    const home = await tempDir('home')
    const first = await memory({ isolate: true })
    const [one, other] = [folder(home, 'client1', 'app'), folder(home, 'client2', 'app')]
    await first.in(one).remember('the price is 100')
    await first.in(other).remember('the price is 200')
    first.store.close()
    const file = join(first.root, 'workspaces.json')
    const torn = readFileSync(file, 'utf8').replace(/"app","evidence".*/, '"app","evi')
    writeFileSync(file, torn)
    const { store, root, in: at } = await memory({ isolate: true, root: first.root })
    expect(problemSentences(store.problems())).toEqual([
      expect.stringContaining('workspaces.json is damaged'),
    ])
    const layout = store.layout
    expect(examineWorkspaces(nodeDisk, layout).map((one) => findingShown(one))).toMatchObject([
      { code: 'WORKSPACES_UNREAD', severity: 'warning', sentence: expect.stringContaining('is damaged') },
    ])
    // What is not known any more is told nothing of another.
    expect(await at(other).recall('price')).toEqual(['the price is 200'])
    expect(await at(folder(home, 'client3', 'app')).recall('price')).toEqual([])
    const { notices } = await at(other).call('remember', { summary: 'another fact' })
    expect(notices).toEqual([expect.stringMatching(/kept as workspaces\.damaged-\w+\.json/)])
    const kept = readdirSync(root).find((name) => name.startsWith('workspaces.damaged-')) ?? ''
    expect(readFileSync(join(root, kept), 'utf8')).toBe(torn)
    expect(registerOf(root)).toHaveLength(1)
  })

  it('that is no file stops no turn', async () => {
    const { root, in: at } = await memory({ isolate: true })
    mkdirSync(join(root, 'workspaces.json'))
    const app = folder(await tempDir('home'))
    const { id, notices } = await at(app).call('remember', { summary: 'a fact' })
    expect(notices).toEqual([expect.stringContaining('workspaces.json cannot be read')])
    expect(await at(app).recall('fact')).toEqual(['a fact'])
    expect((await at(app).call('open', { id })).summary).toBe('a fact')
  })

  it('works on another machine: the folders of the first harm nothing', async () => {
    const [home, elsewhere] = [await tempDir('home'), await tempDir('elsewhere')]
    const first = await memory({ isolate: true })
    await first.in(repository(join(home, 'app'), SSH)).remember('the kettle is green')
    await first.in(folder(home, 'notes')).remember('the notes are blue')
    first.store.close()
    const copy = join(await tempDir('copy'), 'data')
    cpSync(first.root, copy, { recursive: true })
    rmSync(home, { recursive: true })
    const { store, in: at } = await memory({ isolate: true, root: copy })
    const clone = repository(join(elsewhere, 'clone'), HTTPS)
    expect(await at(clone).recall('kettle')).toEqual(['the kettle is green'])
    await at(clone).remember('a second fact')
    expect(store.problems()).toEqual([])
  })

  it('knows nothing of a folder that is gone, a broken repository, or one that a hook names', async () => {
    const home = await tempDir('home')
    const { in: at } = await memory({ isolate: false })
    expect(await at('/nowhere/at all').workspace()).toBe('at all')
    writeFileSync(join(folder(home, 'broken'), '.git'), 'gitdir: /nowhere')
    expect(await at(join(home, 'broken')).workspace()).toBe('broken')
    const hook = repository(join(home, 'hook'), SSH)
    const other = repository(join(home, 'other'), 'git@h:o/other')
    process.env.GIT_DIR = join(hook, '.git')
    try {
      expect(await at(folder(home, 'plain')).workspace()).toBe('plain')
      expect(await at(other).workspace()).toBe('h/o/other')
    } finally {
      delete process.env.GIT_DIR
    }
  })
})

describe('D18 isolate holds for writing', () => {
  async function clients() {
    const home = await tempDir('home')
    const opened = await memory({ isolate: true })
    const [mine, theirs] = [opened.in(folder(home, 'mine')), opened.in(folder(home, 'theirs'))]
    const secret = await theirs.remember('the zebrafish account of the other client is overdrawn')
    const own = await mine.remember('the goldfish account is in order')
    const before = () => filesBelow(join(opened.root, 'memories')).map(({ bytes }) => bytes.toString())
    return { ...opened, mine, theirs, secret, own, files: before }
  }

  it.each([
    ['remember', (secret: string) => ({ summary: 'it is paid', supersedes: [secret] })],
    ['remember', (secret: string) => ({ summary: 'it is paid', links: [{ to: secret, relation: 'about' }] })],
    ['deprecate', (secret: string) => ({ id: secret, why: 'paid' })],
    ['deprecate', (secret: string, own: string) => ({ id: own, why: 'paid', supersededBy: secret })],
    ['delete', (secret: string) => ({ id: secret, why: 'paid' })],
    ['open', (secret: string) => ({ id: secret })],
  ])('%s of a record of another workspace is refused, with what to do', async (tool, args) => {
    const { mine, secret, own, files } = await clients()
    const before = files()
    asked = 0
    const refused = await mine.call(tool, args(secret, own)).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'REFUSED' })
    const { message } = refused as Error
    expect(message).toBe(
      `The record "${secret}" belongs to the workspace "theirs", and workspaces are kept apart. Use it in a session of that workspace; to share them all, the person sets isolate to false in the config.`,
    )
    expect(files()).toEqual(before)
    expect(asked).toBe(0)
  })

  it('open of several says the same of the one', async () => {
    const { mine, secret, own } = await clients()
    const { records, missing } = await mine.call('open', { ids: [own, secret] })
    expect(records).toHaveLength(1)
    expect(missing).toEqual([
      expect.stringMatching(/belongs to the workspace "theirs".*sets isolate to false/),
    ])
  })

  it('names no near-duplicate and no record with the same words of another workspace, and counts them', async () => {
    const { mine, theirs, store } = await clients()
    const words = 'the long sentence about seven green kettles in the cellar'
    const other = await theirs.remember(`${words} of theirs`)
    const answer = await mine.call('remember', { summary: `${words} of mine` })
    expect(answer).not.toHaveProperty('nearDuplicates')
    const also = await mine.remember('a note', { content: `${words} again` })
    const { stays, note } = await mine.call('delete', { id: answer.id, why: 'asked' })
    expect(stays).toEqual([also])
    expect(note).toContain('2 other records that stay hold words of it')
    expect((await store.get(other)).record.status).toBe('active')
  })

  it('the person at the command line may, and so may every session where workspaces are shared', async () => {
    const { store, secret, root } = await clients()
    store.close()
    const shared = await memory({ isolate: false, root })
    const mine = shared.in(folder(await tempDir('home'), 'mine'))
    const { deprecated } = await mine.call('remember', { summary: 'it is paid', supersedes: [secret] })
    expect(deprecated).toEqual([secret])
    shared.store.close()
    const { store: again } = await memory({ isolate: true, root })
    expect((await again.delete(secret, personContext())).left).toEqual([])
  })
})
