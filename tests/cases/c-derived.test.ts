/** Issue 11, C: what was made from a deleted record, what merely holds its words, and whose it is. */
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerAccept } from '../../src/answers/candidates.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { deleteCommand } from '../../src/cli/delete.ts'
import { repairFolder } from '../../src/doctor/repair.ts'
import { deletionSentence, problemSentence } from '../../src/messages/messages.ts'
import { correction } from '../../src/store/correction.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { callTool } from '../../src/tools/exit.ts'
import { plainText, type Question } from '../../src/tools/question.ts'
import { inProcess } from '../support/cli.ts'
import { holding } from '../support/files.ts'
import { openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
type Opened = Awaited<ReturnType<typeof openStore>>

/** Words of the record that is deleted; none of them stands in a path. */
const SECRET = 'the vault code is nine seven three one'

/** A folder with these files below `memories`. */
async function folderWith(files: Record<string, string>) {
  const root = await tempDir('derived')
  const fileOf = (name: string) => join(root, 'memories', name)
  const write = (name: string, text: string) => {
    mkdirSync(join(fileOf(name), '..'), { recursive: true })
    writeFileSync(fileOf(name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { root, fileOf, write, textOf: (name: string) => readFileSync(fileOf(name), 'utf8') }
}

const source = (text = SECRET) => `---\ncreated: 2026-10-01\n---\n${text}\n`
const derived = (front: string, body = '') =>
  `---\ncreated: 2026-10-02\nderivedFrom: [kettle]\n${front}\n---\n${body}`

/** Calls a tool of an opened memory. @returns its answer, and what the person was asked. */
async function call(
  { memory }: Opened,
  name: string,
  args: object,
  { context = person, answer = 'allowed' as 'allowed' | 'refused' } = {},
) {
  const asked: Question[] = []
  const env = {
    context,
    notices: () => [],
    ask: async (question: Question) => {
      asked.push(question)
      return answer
    },
  }
  const tool = memory.tools.find((one) => one.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  const value: Record<string, unknown> & { id: string } = (await callTool(tool, args, env, {
    log: () => {},
  })) as never
  return { value, asked: asked.map(plainText).join('\n') }
}

describe('C11 every place of a derived file', () => {
  const LONG = `${'Much is said here before it comes to that. '.repeat(5)}So ${SECRET}`
  it.each([
    ['the tail of a summary over 200 characters', `summary: ${LONG}`],
    ['the tail of a folded one', `summary: >\n  ${LONG.replace(/\. /g, '.\n  ')}`],
    ['a fourth question', `summary: m\naskedAs: [one, two, three, is it that ${SECRET}]`],
    ['a question over 200 characters', `summary: m\naskedAs: [${LONG}]`],
    ['a tag over 64 characters', `summary: m\ntags: [${'x'.repeat(60)} so ${SECRET}, plain]`],
    ['tags as one text', `summary: m\ntags: so ${SECRET}, plain`],
    ['too many tags', `summary: m\ntags: [${'t, '.repeat(33)}${SECRET}]`],
    ['a source of another program', `summary: m\nsource: https://example.org/ ${SECRET}`],
    ['an author of another program', `summary: m\nauthor: [me, ${SECRET}]`],
    ['links of another program', `summary: m\nlinks: ["[[${SECRET}]]"]`],
    ['a status of another program', `summary: m\nstatus: in progress, ${SECRET}`],
    ['a comment', `# I know that ${SECRET}\nsummary: m`],
    ['a comment at the end', `summary: m\n# I know that ${SECRET}`],
    ['a comment behind a value', `summary: m # I know that ${SECRET}\nwhy: w`],
    ['a comment of two lines', `summary: m\n# the vault code is\n# nine seven three one\nwhy: w`],
    ['a comment in a list', `summary: m\ntags:\n  - a\n  # I know that ${SECRET}\n  - b`],
    ['a key "content"', `summary: m\ncontent: so ${SECRET}`],
    ['a key of a person', `summary: m\n"${SECRET}": 1`],
    ['two keys of a person', `summary: m\n"${SECRET}": 1\n"now ${SECRET}": 2\n"${SECRET} x": 3`],
    ['text with an anchor', `summary: m\nmood: &words so ${SECRET}\nother: *words`],
    ['text with escapes', `summary: m\nmood: "the vault code\\x20is nine\\u0020seven three one"`],
  ])('C11 %s is cut, and all else of the file stays', async (_, front) => {
    const { root, textOf } = await folderWith({ 'kettle.md': source(), 'derived.md': derived(front) })
    const { store } = await openStore({ root })
    const { left, cut } = await store.delete('kettle', person)
    expect([left, cut.map(({ id }) => id)]).toEqual([[], ['derived']])
    expect(textOf('derived.md')).not.toMatch(/seven/)
    expect(textOf('derived.md')).toContain('…')
    expect((await store.get('derived')).record).toMatchObject({ rewrite: true, derivedFrom: ['kettle'] })
    expect(holding(root, 'seven')).toEqual([])
  })

  it('C11 keys that are called alike without the words keep their values', async () => {
    const front =
      `summary: m\n"${SECRET}": one\n"${SECRET.toUpperCase()}": two\n… 2: three\n${SECRET}: four`.replace(
        `${SECRET}: four`,
        `The Vault Code is Nine seven three one: four`,
      )
    const { root, textOf } = await folderWith({ 'kettle.md': source(), 'derived.md': derived(front) })
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    for (const value of ['one', 'two', 'three', 'four'])
      expect(textOf('derived.md')).toContain(`: ${value}\n`)
    expect(textOf('derived.md')).not.toMatch(/seven/i)
  })

  it('C11 of the body too, and no other line of the file', async () => {
    const front = 'summary: m\n# mine\nmood:   {a: 1,b: 0755}\ntags: [a,   b]'
    const body = `\n# Heading  \r\n\r\nSo ${SECRET}.\r\n\r\nEnd  \r\n`
    const { root, textOf } = await folderWith({ 'kettle.md': source(), 'derived.md': derived(front, body) })
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    const text = textOf('derived.md')
    expect(text.slice(text.indexOf('\n---\n') + 5)).toBe(body.replace(SECRET, '[…]'))
    for (const line of front.split('\n')) expect(text).toContain(`${line}\n`)
  })

  it.each([
    ['the author', `summary: m\nauthor: ${SECRET}`],
    ['the task', `summary: m\ntask: ${SECRET}`],
    ['an author with a sign in it', `summary: m\nauthor: "me # ${SECRET}"`],
    ['a session', `summary: m\nsession: ${SECRET}`],
    ['a site', `summary: m\nexposedTo: [${SECRET}]`],
    ['a key and its value together', `summary: m\nthe vault code is: nine seven three one`],
    ['an id', `summary: m\nsupersedes: [the-vault-code-is-nine-seven]`],
    ['an id without a list', `summary: m\nsupersedes: the-vault-code-is-nine-seven`],
  ])('C11 %s, which is no text, stays and is named as still holding the words', async (_, front) => {
    const text = derived(`${front}\nwhy: since ${SECRET}`)
    const { root, textOf } = await folderWith({ 'kettle.md': source(), 'derived.md': text })
    const opened = await openStore({ root })
    const { value } = await call(opened, 'delete', { id: 'kettle', why: 'w' })
    expect(value).toMatchObject({ deleted: true, stays: ['derived'] })
    expect(value.note).toMatch(/a record made from it still holds words of it where they cannot be cut/)
    expect(value.note).not.toContain('nothing of it is left')
    expect(textOf('derived.md')).toContain('why: since […]')
    // What names something is as it was.
    for (const line of front.split('\n')) expect(textOf('derived.md')).toContain(`${line}\n`)
  })

  it('C11 the reason of a contest goes with the record that gave it, however short', async () => {
    const contest = (by: string) => `{by: ${by}, at: 2026-11-01, why: it moved}`
    const { root, textOf } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\nsupersedes: [old]\n---\nOther words\n`,
      'old.md': `---\ncontested: [${contest('kettle')}, ${contest('mill')}]\n---\nThe old one\n`,
    })
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    const { contested } = (await store.get('old')).record
    expect(contested.map(({ by, why }) => [by, why])).toEqual([
      ['kettle', '[…]'],
      ['mill', 'it moved'],
    ])
    expect(textOf('old.md')).toContain('The old one')
  })

  it.each([
    ['supersedes', 'a comment', `# I know that ${SECRET}`],
    ['supersedes', 'an unknown key', `mood: so ${SECRET}`],
    ['supersedes', 'an author', `author: ${SECRET}`],
  ])('C11 a record that %s one with an id of ours is named, with the words in %s', async (key, _, front) => {
    const { root, store } = await openStore()
    const { records } = await store.commit([{ act: 'create', record: { summary: SECRET } }], person)
    const id = records[0]?.id ?? ''
    writeFileSync(join(root, 'memories', 'later.md'), `---\n${key}: [${id}]\n${front}\nsummary: m\n---\n`)
    await store.refresh()
    const deleted = await store.delete(id, person)
    expect(deleted.alike).toMatchObject([{ what: 'record', record: 'later' }])
    expect(deletionSentence({ id, ...deleted })).not.toContain('nothing of it is left')
  })

  it('C11 a record in its own right is named wherever in its file the words stand', async () => {
    const { root } = await folderWith({
      'kettle.md': source(),
      'own.md': `---\n# I know that ${SECRET}\nsummary: the vault and its code, nine of seven\n---\n`,
    })
    const { store } = await openStore({ root })
    const deleted = await store.delete('kettle', person)
    expect(deleted.alike).toMatchObject([{ what: 'record', record: 'own' }])
  })
})

describe('C14 what cannot be read and holds the words', () => {
  it.each([
    ['without front matter', `So ${SECRET}\n`],
    ['with a name of another', `---\nname: other\ntype: user\nsummary: So ${SECRET}\n---\n`],
    ['with a comment', `---\n# ${SECRET}\nname: mine\ntype: user\nsummary: s\n---\n`],
    ['over the limit', `---\nname: mine\ntype: user\nsummary: s\n---\n${'x '.repeat(20_000)}\n${SECRET}\n`],
    ['in UTF-16', Buffer.from(`\ufeff---\nname: mine\n---\n${SECRET}\n`, 'utf16le')],
  ])('C14 an entry of the user memory %s is named', async (_, text) => {
    const { root } = await folderWith({ 'kettle.md': source() })
    mkdirSync(join(root, 'user-memory'))
    writeFileSync(join(root, 'user-memory', 'mine.md'), text)
    const { store } = await openStore({ root })
    const deleted = await store.delete('kettle', person)
    expect(deleted.alike).toMatchObject([{ what: 'entry', file: 'user-memory/mine.md' }])
    expect(deletionSentence({ id: 'kettle', ...deleted })).toContain('an entry of the user memory')
  })

  it('C14 an entry that cannot be read at all is named as not known', async () => {
    const { root } = await folderWith({ 'kettle.md': source() })
    mkdirSync(join(root, 'user-memory', 'mine.md'), { recursive: true })
    const { store } = await openStore({ root })
    const sentence = deletionSentence({ id: 'kettle', ...(await store.delete('kettle', person)) })
    expect(sentence).toMatch(/what user-memory\/mine\.md \(.+\) holds is not known/)
  })

  it.each([
    ['another workspace', 'workspace: there\nbroken: ['],
    ['two workspaces, in a conflict', '<<<<<<< a\nworkspace: here\n=======\nworkspace: there\n>>>>>>> b'],
  ])('C14 the path of one of %s is kept from a session of this one', async (_, front) => {
    const text = `---\n${front}\n---\nSo ${SECRET}\n`
    const { root } = await folderWith({ 'kettle.md': source(), 'client/secret-project.md': text })
    const opened = await openStore({ root, config: { isolate: true } })
    const context = { ...personContext(), workspace: 'here' }
    const { value } = await call(opened, 'delete', { id: 'kettle', why: 'w' }, { context })
    expect(JSON.stringify(value)).not.toContain('secret-project')
    expect(value.note).toContain('a skipped file holds words')
  })

  it.each([
    [
      'was restored after an earlier deletion',
      '---\nid: kettle\ncreated: 2026-09-01\n---\nAn older kettle\n',
    ],
    ['states its id', `---\nid: kettle\nbroken: [\n---\nother words\n`],
    ['states its id in quotes', `---\nid: "kettle"\nbroken: [\n---\nother words\n`],
    ['holds its words', `---\nbroken: [\n---\nSo ${SECRET}\n`],
    ['states its id further in', `---\n  id: kettle\n  broken: [\n---\nother words\n`],
    ['states its id in braces', `---\n{broken: [, id: kettle}\n---\nother words\n`],
    ['states its id before a comment', `---\nid: kettle # mine\nbroken: [\n---\nother words\n`],
    ['states its id under a quoted key', `---\n"id" : kettle\nbroken: [\n---\nother words\n`],
    ['states its id on the next line', `---\nid:\n  kettle\nbroken: [\n---\nother words\n`],
    [
      'states its id beside another in a conflict',
      '---\n<<<<<<< a\nid: other\n=======\nid: kettle\n>>>>>>> b\n---\nother words\n',
    ],
  ])('C14 a skipped file that %s is named and left', async (_, text) => {
    const { root, write, textOf } = await folderWith({
      'kettle.md': '---\ncreated: 2026-09-01\n---\nAn older kettle\n',
    })
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    write('kettle.md', source())
    write('sync/conflict.md', text)
    await store.refresh()
    const deleted = await store.delete('kettle', person)
    expect(deleted.left).toEqual([])
    expect(deleted.alike).toMatchObject([{ what: 'skipped', file: 'memories/sync/conflict.md' }])
    expect(deletionSentence({ id: 'kettle', ...deleted })).toContain('a skipped file holds')
    expect(textOf('sync/conflict.md')).toBe(text)
  })
})

describe('C11 what is away for the moment', () => {
  /** A source, two records made from it one from the other, and many beside them in one folder that goes away. */
  async function withAbsent() {
    const files: Record<string, string> = { 'kettle.md': source() }
    for (let n = 0; n < 30; n++) files[`away/n${n}.md`] = `Another note ${n}\n`
    files['away/derived.md'] = derived('summary: m', `So ${SECRET}\n`)
    files['later.md'] = `---\nderivedFrom: [derived]\nsummary: m\n---\nAgain ${SECRET}\n`
    const folder = await folderWith(files)
    const opened = await openStore({ root: folder.root })
    const aside = `${folder.root}-aside`
    return {
      ...folder,
      ...opened,
      leave: () => renameSync(folder.fileOf('away'), aside),
      comeBack: () => renameSync(aside, folder.fileOf('away')),
    }
  }
  const nextWrite = ({ store }: Pick<Opened, 'store'>) =>
    store.commit([{ act: 'create', record: { summary: 'The next write' } }], person)

  it.each([
    ['once that was seen', true],
    ['before that was seen', false],
  ])(
    'C11 a derived file that is absent, %s, holds the deletion open and is cut when it is back',
    async (_, isSeen) => {
      const folder = await withAbsent()
      const { store, root, textOf } = folder
      folder.leave()
      if (isSeen) {
        await store.refresh()
        expect(store.absent).toBe(31)
      }
      const deleted = await store.delete('kettle', person)
      expect(deletionSentence({ id: 'kettle', ...deleted })).toMatch(
        /is not deleted everywhere yet: not done is records made from it \(.*away\/derived\.md is not there just now\)/,
      )
      await nextWrite(folder)
      // The doctor takes the file for no restored copy: its words are still needed.
      await store.repair((parts, held) => repairFolder(parts, store.layout, held))
      folder.comeBack()
      await store.refresh()
      await nextWrite(folder)
      expect(textOf('away/derived.md')).toContain('So […]')
      expect(textOf('later.md')).toContain('Again […]')
      expect(holding(root, 'seven')).toEqual([])
      expect(store.problems()).toEqual([])
    },
  )

  it('C11 a file that is absent holds it open where no index can tell what it was made from', async () => {
    const folder = await withAbsent()
    const touch = () => {
      throw Object.assign(new Error('EIO: no index'), { code: 'EIO' })
    }
    const { store } = await openStore({ root: folder.root, disk: { ...nodeDisk, touch } })
    folder.leave()
    await store.refresh()
    const { left } = await store.delete('kettle', person)
    expect(left[0]?.reason).toMatch(/are not there just now/)
    folder.comeBack()
    await store.refresh()
    await nextWrite({ store })
    expect(holding(join(folder.root, 'memories'), 'seven')).toEqual([])
  })

  it('C11 and it ends where the person says that they will not come back', async () => {
    const folder = await withAbsent()
    const { store, root } = folder
    folder.leave()
    await store.refresh()
    await store.delete('kettle', person)
    await store.forgetAbsent()
    await nextWrite(folder)
    expect(holding(root, 'seven')).toEqual([])
  })

  it('C11 a derived file that was removed by hand holds nothing open', async () => {
    const { root, fileOf } = await folderWith({
      'kettle.md': source(),
      'derived.md': derived('summary: m', `So ${SECRET}\n`),
    })
    const { store } = await openStore({ root })
    rmSync(fileOf('derived.md'))
    await store.refresh()
    expect((await store.delete('kettle', person)).left).toEqual([])
  })

  it('C11 a derived file whose reading fails once holds the deletion open', async () => {
    const { root, fileOf } = await folderWith({
      'kettle.md': source(),
      'derived.md': derived('summary: m', `So ${SECRET}\n`),
      'named.md': derived(`summary: m\nauthor: ${SECRET}`),
    })
    let fails = false
    const read = (path: string, limit?: number) => {
      if (fails && path === fileOf('derived.md')) throw Object.assign(new Error('EIO: i/o'), { code: 'EIO' })
      return nodeDisk.read(path, limit)
    }
    const opened = await openStore({ root, disk: { ...nodeDisk, read } })
    fails = true
    const { left } = await opened.store.delete('kettle', person)
    expect(left[0]).toMatchObject({ place: 'records made from it' })
    fails = false
    await nextWrite(opened)
    expect(holding(root, 'seven')).toEqual([fileOf('named.md')])
    expect(opened.store.problems().map((problem) => problemSentence(problem))).toEqual([
      expect.stringContaining('memories/named.md still holds words of a record that was deleted'),
    ])
  })

  it('C11 what a person wrote under the name meanwhile is cut out of nothing', async () => {
    const words = 'the harbour closes at nine in the evening'
    const { root, fileOf, write, textOf } = await folderWith({
      'kettle.md': source(),
      'derived.md': derived('summary: m', `So ${words}\n`),
    })
    let fails = false
    const read = (path: string, limit?: number) => {
      if (fails && path === fileOf('derived.md')) throw Object.assign(new Error('EIO: i/o'), { code: 'EIO' })
      return nodeDisk.read(path, limit)
    }
    const opened = await openStore({ root, disk: { ...nodeDisk, read } })
    fails = true
    await opened.store.delete('kettle', person)
    write('kettle.md', `---\ncreated: 2026-11-05\n---\n${words}\n`)
    fails = false
    await nextWrite(opened)
    expect(textOf('derived.md')).toContain(`So ${words}`)
    expect(textOf('kettle.md')).toContain(words)
  })
})

describe('C11 workspaces that are kept apart', () => {
  const here = { ...personContext(), author: 'p/m main', workspace: 'here' }

  it.each([
    ['which can be read', 'workspace: there\nrev: 1'],
    ['which cannot', 'workspace: there\nbroken: ['],
  ])('C11 a copy of another workspace, %s, is not removed by a session of this one', async (_, front) => {
    const { root, textOf } = await folderWith({
      'kettle.md': '---\nid: kettle\ncreated: 2026-10-01\nworkspace: here\nrev: 2\n---\nThe kettle\n',
      'sync/kettle.md': `---\nid: kettle\ncreated: 2026-10-01\n${front}\n---\nThe kettle of another client\n`,
    })
    const opened = await openStore({ root, config: { isolate: true } })
    const refused = call(opened, 'delete', { id: 'kettle', why: 'w' }, { context: here })
    await expect(refused).rejects.toThrow(/belongs to the workspace "there"/)
    // Nor where a caller asks the store itself.
    await expect(opened.store.delete('kettle', here)).rejects.toThrow()
    expect(textOf('sync/kettle.md')).toContain('another client')
    expect(textOf('kettle.md')).toContain('The kettle')
    // The person at the command line has no workspace.
    expect((await opened.store.delete('kettle', person)).left).toEqual([])
    expect(holding(root, 'another client')).toEqual([])
  })

  it.each([
    ['further in', '---\n  workspace: there\n  broken: [\n---\n', /belongs to the workspace "there"/],
    ['in braces', '---\n{broken: [, workspace: there}\n---\n', /belongs to the workspace "there"/],
    ['under a quoted key', '---\n"workspace": there\nbroken: [\n---\n', /belongs to the workspace "there"/],
    [
      'before a comment',
      '---\nworkspace: there # mine\nbroken: [\n---\n',
      /belongs to the workspace "there"/,
    ],
    [
      'beside its own in a conflict',
      '---\n<<<<<<< a\nworkspace: here\n=======\nworkspace: there\n>>>>>>> b\n---\n',
      /belongs to the workspace "there"/,
    ],
    [
      'in a file that is too large to be read',
      `---\nworkspace: there\n---\n${'x '.repeat(700_000)}`,
      /A copy of "kettle" cannot be read, and may belong to another workspace/,
    ],
  ])('C11 nor is a broken copy that states another workspace %s', async (_, text, said) => {
    const { root, textOf } = await folderWith({
      'kettle.md': '---\nid: kettle\ncreated: 2026-10-01\nworkspace: here\nrev: 2\n---\nThe kettle\n',
      'sync/kettle.md': text,
    })
    const opened = await openStore({ root, config: { isolate: true } })
    await expect(call(opened, 'delete', { id: 'kettle', why: 'w' }, { context: here })).rejects.toThrow(said)
    await expect(opened.store.delete('kettle', here)).rejects.toThrow()
    expect([textOf('sync/kettle.md'), textOf('kettle.md')]).toEqual([
      text,
      expect.stringContaining('The kettle'),
    ])
    expect((await opened.store.delete('kettle', person)).left).toEqual([])
    expect(() => textOf('sync/kettle.md')).toThrow()
  })

  it('C11 the path of another note of the same name in another workspace is kept from a session of this one', async () => {
    const { root, textOf } = await folderWith({
      'client/secret-project/README.md': '---\nworkspace: there\n---\nThe bridge opens at noon\n',
      'mine/README.md': '---\nworkspace: here\nrev: 3\n---\nSoup needs salt\n',
    })
    const opened = await openStore({ root, config: { isolate: true } })
    const { value } = await call(opened, 'delete', { id: 'README', why: 'w' }, { context: here })
    expect(JSON.stringify(value)).not.toContain('secret-project')
    expect(value.note).toContain('another note bears the same name')
    expect(textOf('client/secret-project/README.md')).toContain('The bridge')
  })

  it('C11 a broken copy that states no other workspace is removed', async () => {
    const { root, textOf } = await folderWith({
      'kettle.md': '---\nid: kettle\ncreated: 2026-10-01\nworkspace: here\nrev: 2\n---\nThe kettle\n',
      'sync/kettle.md': '---\nworkspace: "here"\nbroken: [\n---\nThe kettle\n',
      'other/kettle.md': '---\nbroken: [\n---\nThe kettle\n',
    })
    const opened = await openStore({ root, config: { isolate: true } })
    expect((await opened.store.delete('kettle', here)).left).toEqual([])
    for (const name of ['sync/kettle.md', 'other/kettle.md']) expect(() => textOf(name)).toThrow()
  })
})

describe('C15 what will be cut is named before and after', () => {
  async function accepted() {
    const opened = await openStore()
    const { value } = await call(opened, 'remember', {
      summary: `It is said that ${SECRET}`,
      source: 'external',
    })
    const made = await answerAccept(opened.store, value.id, person)
    return { opened, id: value.id, made: made.id }
  }

  it('C15 the accepted record in the question and in the answer of the tool', async () => {
    const { opened, id, made } = await accepted()
    const { value, asked } = await call(opened, 'delete', { id, why: 'w' })
    expect(asked).toMatch(
      new RegExp(`Also cut, as it has words from it: "${made}: It is said that the vault`),
    )
    expect(value).toMatchObject({ deleted: true, cut: [made] })
    expect(value.note).toMatch(/a record that had words from it lost them/)
    expect((await opened.store.get(made)).record).toMatchObject({ summary: '[…]', rewrite: true })
  })

  it.each([
    ['corrected', 'supersedes', `deprecated: {at: 2026-11-01, by: person, why: since ${SECRET}}`],
    ['contested', 'supersedes', 'contested: [{by: kettle, at: 2026-11-01, why: it moved}]'],
    ['was made from', 'derivedFrom', `deprecated: {at: 2026-11-01, by: person, why: since ${SECRET}}`],
  ])('C15 a record that the deleted one %s and that loses a reason is named too', async (_, key, front) => {
    const { root, textOf } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\n${key}: [old]\n---\n${SECRET}\n`,
      'old.md': `---\n${front}\n---\nThe old one\n`,
    })
    const opened = await openStore({ root })
    const { value, asked } = await call(opened, 'delete', { id: 'kettle', why: 'w' })
    expect(asked).toContain('Also cut, as it has words from it: "old: The old one"')
    expect(value).toMatchObject({ deleted: true, cut: ['old'] })
    expect(value.note).toContain('a record that had words from it lost them')
    expect(value.note).not.toContain('nothing of it is left in the data folder;')
    expect(textOf('old.md')).toContain('[…]')
  })

  it('C15 a record that loses words and a reason is named once, as it was before', async () => {
    const { root } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\nsupersedes: [old]\n---\n${SECRET}\n`,
      'old.md': `---\nderivedFrom: [kettle]\ncontested: [{by: kettle, at: 2026-11-01, why: w}]\n---\nSo ${SECRET}\n`,
    })
    const { store } = await openStore({ root })
    const named = [{ id: 'old', summary: `So ${SECRET}` }]
    expect((await store.foreseeDeletion('kettle', person)).cut).toMatchObject(named)
    const { cut } = await store.delete('kettle', person)
    expect(cut).toHaveLength(1)
    expect(cut).toMatchObject(named)
  })

  it('C15 a reason that was copied after the question is not cut unseen', async () => {
    const { root, write, textOf } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\nsupersedes: [old]\n---\n${SECRET}\n`,
      'old.md': 'The old one\n',
    })
    const { store } = await openStore({ root })
    const { shown } = await store.get('kettle')
    const { cut } = await store.foreseeDeletion('kettle', person)
    expect(cut).toEqual([])
    write('old.md', '---\ncontested: [{by: kettle, at: 2026-11-01, why: it moved}]\n---\nThe old one\n')
    await store.refresh()
    const deletion = store.delete('kettle', person, { shown, cut: [] })
    await expect(deletion).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(textOf('old.md')).toContain('it moved')
  })

  it('C15 a record that is only tied to another end of the chain is not named as cut', async () => {
    const { root, textOf } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\nsupersedes: [old]\nsupersededBy: [new]\n---\n${SECRET}\n`,
      'old.md': '---\nsupersededBy: [kettle]\n---\nThe old one\n',
      'new.md': '---\nsupersedes: [kettle]\n---\nThe new one\n',
    })
    const { store } = await openStore({ root })
    expect((await store.foreseeDeletion('kettle', person)).cut).toEqual([])
    expect((await store.delete('kettle', person)).cut).toEqual([])
    expect(textOf('old.md')).toContain('new')
  })

  it('C15 nothing is cut where the person refuses, and nothing is named where nothing would be', async () => {
    const { opened, id, made } = await accepted()
    await call(opened, 'delete', { id, why: 'w' }, { answer: 'refused' }).catch(() => {})
    expect((await opened.store.get(made)).record.summary).toContain('seven')
    const own = await call(opened, 'remember', { summary: 'The harbour closes at nine' })
    expect((await call(opened, 'delete', { id: own.value.id, why: 'w' })).asked).not.toContain('Also cut')
  })

  it('C15 a record that was made from it after the question is not cut unseen', async () => {
    const opened = await openStore()
    const { value } = await call(opened, 'remember', {
      summary: `It is said that ${SECRET}`,
      source: 'external',
    })
    const seen = await opened.store.get(value.id)
    const { cut } = await opened.store.foreseeDeletion(value.id, person)
    // Its own file is changed too when it is accepted; only the binding to what is cut is meant here.
    await opened.store.commit(
      [{ act: 'create', record: { summary: `So ${SECRET}`, derivedFrom: [value.id] } }],
      person,
    )
    const agreed = { shown: seen.shown, cut: cut.map(({ id }) => id) }
    const deletion = opened.store.delete(value.id, person, agreed)
    await expect(deletion).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect((await opened.store.get(value.id)).record.summary).toContain('seven')
  })

  it('C15 mnemos delete lists them too', async () => {
    const { root } = await folderWith({
      'kettle.md': source(),
      'derived.md': derived('summary: m', `So ${SECRET}\n`),
    })
    const { session, said } = await inProcess(root)
    await deleteCommand(session, 'kettle', { yes: true })
    expect(said().value).toMatchObject({ deleted: true, cut: ['derived'] })
    expect(said().text).toMatch(/a record that had words from it lost them.*\n {2}derived$/)
  })

  it('C15 the ids of another workspace are kept from a session of this one', async () => {
    const { root, textOf } = await folderWith({
      'kettle.md': `---\ncreated: 2026-10-01\nworkspace: here\n---\n${SECRET}\n`,
      'derived.md': derived('workspace: there\nsummary: m', `So ${SECRET}\n`),
    })
    const opened = await openStore({ root, config: { isolate: true } })
    const context = { ...personContext(), workspace: 'here' }
    const { value } = await call(opened, 'delete', { id: 'kettle', why: 'w' }, { context })
    expect(value.deleted).toBe(true)
    expect(value.cut).toBeUndefined()
    expect(value.note).toContain('a record that had words from it lost them')
    expect(textOf('derived.md')).toContain('So […]')
  })
})

describe('C11 a chain with a gap', () => {
  const active = async ({ store }: Opened) => (await store.recent(99, ['active'])).map(({ id }) => id).sort()

  /** Each of so many records supersedes the one before it. */
  async function chainOf(opened: Opened, length: number) {
    const ids: string[] = []
    for (let n = 0; n < length; n++) {
      const supersedes = ids.slice(-1)
      const args = { summary: `the port is ${5432 + n}`, ...(n === 0 ? {} : { supersedes }) }
      ids.push((await call(opened, 'remember', args)).value.id)
    }
    return ids
  }

  it.each([
    ['one', 3, [1]],
    ['two, the first of them first', 4, [1, 2]],
    ['two, the last of them first', 4, [2, 1]],
    ['all between', 6, [2, 4, 1, 3]],
    ['the head', 3, [2]],
    ['the first', 3, [0]],
  ])('C11 %s deleted: superseding any that is left goes to the head', async (_, length, gone) => {
    for (const named of Array.from({ length }, (__, n) => n).filter((n) => !gone.includes(n))) {
      const opened = await openStore()
      const ids = await chainOf(opened, length)
      for (const n of gone) await opened.store.delete(ids[n] ?? '', person)
      const { value } = await call(opened, 'remember', { summary: 'the port is 1', supersedes: [ids[named]] })
      expect(await active(opened)).toEqual([value.id])
    }
  })

  it.each([
    ['deleted by an earlier version, which left the gap', true],
    ['without an index', false],
  ])('C11 one that is not there any more, %s', async (_, hasIndex) => {
    const touch = () => {
      throw Object.assign(new Error('EIO: no index'), { code: 'EIO' })
    }
    const opened = await openStore(hasIndex ? {} : { disk: { ...nodeDisk, touch } })
    const [a = '', b = '', c = ''] = await chainOf(opened, 3)
    // One that merely speaks of it is no successor.
    const other = (await call(opened, 'remember', { summary: `it was ${b}, see there` })).value.id
    // Removed by hand: nothing ties the ends together.
    rmSync((await opened.store.get(b)).file)
    await opened.store.refresh()
    const { value } = await call(opened, 'remember', { summary: 'the port is 1', supersedes: [a] })
    expect((await opened.store.get(c)).record.supersededBy).toEqual([value.id])
    expect((value.warnings as string[]).join()).toContain(`this corrects "${c}", the head`)
    expect((await opened.store.get(other)).record.status).toBe('active')
  })
})

describe('C12 an id that was deleted', () => {
  it.each([
    ['remember', { summary: 's', supersedes: ['kettle'] }],
    ['deprecate', { id: 'kettle', why: 'w' }],
    ['open', { id: 'kettle' }],
    ['delete', { id: 'kettle', why: 'w' }],
  ])('C12 whose copy was restored: %s says that it was deleted', async (name, args) => {
    const { root, write } = await folderWith({ 'kettle.md': source() })
    const opened = await openStore({ root })
    await opened.store.delete('kettle', person)
    write('kettle.md', source())
    await opened.store.refresh()
    await expect(call(opened, name, args)).rejects.toMatchObject({ code: 'DELETED' })
  })

  it('C12 a broken file of that name is still named as such', async () => {
    const { root, write } = await folderWith({ 'kettle.md': source() })
    const opened = await openStore({ root })
    await opened.store.delete('kettle', person)
    write('kettle.md', source())
    write('other/kettle.md', '---\nbroken: [\n---\n')
    await opened.store.refresh()
    await expect(call(opened, 'open', { id: 'kettle' })).rejects.toMatchObject({ code: 'STORAGE' })
  })
})

describe('C11 a name that a person chose', () => {
  const NAME = 'plan-for-leaving-acme'

  it('C11 stays where others point to it, which is named; tombstone and ledger have it hashed', async () => {
    const opened = await openStore()
    const { store, root } = opened
    mkdirSync(join(root, 'memories'), { recursive: true })
    writeFileSync(join(root, 'memories', `${NAME}.md`), source('The plan'))
    await store.refresh()
    const id = store.newId()
    await store.commit(correction({ id, summary: 'It is off' }, [NAME], 'person'), person)
    const deleted = await store.delete(NAME, person)
    expect(deleted.alike).toMatchObject([{ what: 'naming', record: id }])
    expect(deletionSentence({ id: NAME, ...deleted })).toContain('another record points to its name')
    expect(holding(join(root, 'ledger'), NAME)).toEqual([])
    expect(holding(root, NAME).map((path) => path.slice(root.length + 1).replace(/\/.*\//, '/'))).toEqual(
      expect.arrayContaining([`memories/${id}.md`]),
    )
    expect(readFileSync(join(root, 'tombstones.jsonl'), 'utf8')).not.toContain(NAME)
  })

  it('C11 an id that we made says nothing, and is not named', async () => {
    const opened = await openStore()
    const a = (await call(opened, 'remember', { summary: 'one' })).value.id
    await call(opened, 'remember', { summary: 'two', supersedes: [a] })
    expect((await opened.store.delete(a, person)).alike).toEqual([])
  })
})

it('C10 another note of the same name stays in the index when one of them is deleted', async () => {
  const { root, fileOf } = await folderWith({
    '2024/README.md': 'The bridge opens at noon every day\n',
    '2025/README.md': 'Soup needs salt and seven herbs\n',
  })
  // Long ago: the next scan takes them for unchanged and puts nothing into the index again.
  for (const [at, year] of ['2024', '2025'].entries())
    utimesSync(fileOf(`${year}/README.md`), 1_700_000_000 + 500 * at, 1_700_000_000 + 500 * at)
  const { store } = await openStore({ root })
  await store.refresh()
  const found = await store.get('README')
  await store.delete('README', person)
  const { hits } = await store.recall({ queries: ['bridge noon'], scope: {}, limit: 5, include: [] })
  expect(found.record.summary).toContain('Soup')
  expect(hits.map(({ record }) => record.summary)).toEqual(['The bridge opens at noon every day'])
})
