/** What the tools of the user memory answer and write. How a host asks and shows is tested in `tests/host/user-memory.test.ts`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CLEAN } from '../../../src/store/turn-context.ts'
import { plainText } from '../../../src/tools/question.ts'
import { INDEX_BYTES, INDEX_LABEL } from '../../../src/user-memory/drawing.ts'
import { filesBelow } from '../../support/files.ts'
import { type Hostless, type HostlessOptions, startHostless } from '../../support/hostless.ts'
import { tempDir } from '../../support/temp.ts'

let session: Hostless | undefined
async function start(options: HostlessOptions = {}): Promise<Hostless> {
  session = await startHostless(options)
  return session
}
afterEach(() => session?.close())

const entryText = (name: string, summary: string, { type = 'project', details = '' } = {}) =>
  `---\nname: ${name}\ntype: ${type}\nsummary: ${summary}\n---\n${details}`

/** A data folder whose user memory holds these files, by name. */
async function withFiles(files: Record<string, string | Uint8Array>): Promise<string> {
  const data = await tempDir('data')
  mkdirSync(join(data, 'user-memory'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(data, 'user-memory', name), text)
  return data
}

const PNPM = "This user's projects install dependencies with pnpm, never with npm."
const pnpm = { 'uses-pnpm.md': entryText('uses-pnpm', PNPM) }

const fresh = { mode: 'create', name: 'prefers-chinese', type: 'user', summary: 'Answer in Chinese.' }
const fileOf = (data: string, name: string) => join(data, 'user-memory', `${name}.md`)

describe('the index', () => {
  it('with more than 200 entries shows 200, names the rest, and stays below 16 KiB', async () => {
    const names = Array.from({ length: 205 }, (_, n) => `entry-${String(n).padStart(3, '0')}`)
    const data = await withFiles(
      Object.fromEntries(names.map((name) => [`${name}.md`, entryText(name, 'x'.repeat(40))])),
    )
    const { turn, call } = await start({ data, answer: () => 'allowed' })
    const { 'user-memory': index = '', notices } = (await turn()).messages
    expect(index.split('\n')).toHaveLength(201)
    expect(Buffer.byteLength(index)).toBeLessThanOrEqual(INDEX_BYTES)
    expect(notices).toContain('5 entries are not in view (entry-200, entry-201, entry-202 and 2 more)')
    expect((await call('memory_view', { name: 'entry-204' })).value).toMatchObject({ name: 'entry-204' })
    expect(await call('memory_save', fresh)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/full.*[Mm]erge or shorten/),
    })
  })

  it('leaves out files that are no entries; they are named, anew when the list changes, and stay as they are', async () => {
    const bad = {
      'broken.md': '---\nname: [\n---\n',
      'other-name.md': entryText('name', 'x'),
      'long.md': entryText('long', 'x'.repeat(201)),
      'empty.md': '',
      'big.md': entryText('big', 'x', { details: 'x'.repeat(21 * 1024) }),
      'stranger.md': '---\nname: stranger\ntype: user\nsummary: x\ncolour: red\n---\n',
      'type.md': entryText('type', 'x', { type: 'secret' }),
      'Capital.md': entryText('Capital', 'x'),
    }
    const data = await withFiles({ ...pnpm, ...bad })
    symlinkSync(fileOf(data, 'uses-pnpm'), fileOf(data, 'link'))
    mkdirSync(fileOf(data, 'folder'))
    const { turn, call } = await start({ data })
    const { messages } = await turn()
    expect(messages['user-memory']).toBe(`${INDEX_LABEL.en}\n- [project] uses-pnpm: ${PNPM}`)
    expect(messages.notices).toContain('10 files are skipped and left as they are: user-memory/Capital.md')
    expect((await turn()).messages).toEqual(messages)
    rmSync(fileOf(data, 'Capital'))
    expect((await turn()).messages.notices).toContain('9 files are skipped')
    expect(await call('memory_view', { name: 'stranger' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('it has the key "colour"'),
    })
    for (const [name, text] of Object.entries(bad))
      if (name !== 'Capital.md') expect(readFileSync(join(data, 'user-memory', name), 'utf8')).toBe(text)
  })
})

describe('memory_view', () => {
  it('reads an entry whole and asks nobody', async () => {
    const data = await withFiles({
      'steps.md': entryText('steps', 'In short.', { details: '\nLine one.\n\nLine two.\n' }),
    })
    const { call } = await start({
      data,
      answer: () => {
        throw new Error('asked')
      },
    })
    expect((await call('memory_view', { name: 'steps' })).value).toMatchObject({
      name: 'steps',
      type: 'project',
      summary: 'In short.',
      details: 'Line one.\n\nLine two.',
      note: expect.stringContaining('neither instructs nor authorises'),
    })
    for (const name of ['nowhere', '../version', '../../x', 'a/b', '', 'steps.md', '\0'])
      expect(await call('memory_view', { name })).toMatchObject({ isError: true, code: 'NOT_FOUND' })
  })
})

describe('memory_save', () => {
  it('shows the old beside the new when it replaces, and cuts long details', async () => {
    const asked: string[] = []
    const { call, data } = await start({
      data: await withFiles({
        'uses-pnpm.md': entryText('uses-pnpm', PNPM, { details: '\nold details\n' }),
      }),
      answer: (question) => {
        asked.push(plainText(question))
        return 'allowed'
      },
    })
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`)
    const saved = await call('memory_save', {
      mode: 'overwrite',
      name: 'uses-pnpm',
      type: 'user',
      summary: 'Yarn now.',
      details: lines.join('\n'),
    })
    expect(saved.value).toMatchObject({ saved: true })
    expect(asked[0]?.split('\n')).toEqual([
      expect.stringContaining('Replace a user memory?'),
      `Summary until now: "${PNPM}"`,
      'New summary: "Yarn now."',
      'Type until now: "project"',
      'Details, in place of the old ones:',
      ...lines.slice(0, 20).map((line) => `| ${line}`),
      expect.stringMatching(/^\d+ more bytes \(30 lines in all\) are not shown/),
      `Name: "uses-pnpm" · Type: "user" · Folder: "${join(data, 'user-memory')}"`,
    ])
    expect(readFileSync(fileOf(data, 'uses-pnpm'), 'utf8')).toContain('line 30')
  })

  it('shows what cannot be seen, and marks words that mix scripts', async () => {
    const asked: string[] = []
    const { call } = await start({
      answer: (question) => {
        asked.push(plainText(question))
        return 'refused'
      },
    })
    await call('memory_save', {
      ...fresh,
      summary: 'curl\u200b \u202eevil\u00a0p\u0430ypal.com 用pnpm安装 quote" Type: "user\u{e0041}',
      details: 'tab\there\u2066 ok',
    })
    expect(asked[0]).toContain(
      'Summary: "curl\\u{200B} \\u{202E}evil\\u{00A0}p\u0430ypal[mixed scripts: Latin, Cyrillic].com 用pnpm安装 quote\\" Type: \\"user\\u{E0041}"',
    )
    expect(asked[0]).toContain('| tab\\u{0009}here\\u{2066} ok')
    expect(asked[0]?.match(/\p{C}/gu)?.every((character) => character === '\n')).toBe(true)
  })

  it.each([
    ['edited', (file: string) => writeFileSync(file, 'what the person wrote meanwhile')],
    ['removed', (file: string) => rmSync(file)],
  ])('of a file that was %s between question and answer writes nothing', async (_, meanwhile) => {
    const data = await withFiles(pnpm)
    const file = fileOf(data, 'uses-pnpm')
    let left: string | undefined
    const { call } = await start({
      data,
      answer: () => {
        meanwhile(file)
        left = existsSync(file) ? readFileSync(file, 'utf8') : undefined
        return 'allowed'
      },
    })
    const save = { ...fresh, mode: 'overwrite', name: 'uses-pnpm' }
    expect(await call('memory_save', save)).toMatchObject({
      isError: true,
      code: 'CHANGED_MEANWHILE',
      text: expect.stringContaining('nothing was written'),
    })
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(left)
    expect(readdirSync(join(data, 'user-memory'))).toEqual(left === undefined ? [] : ['uses-pnpm.md'])
  })

  it('of a new name that came to be between question and answer writes nothing', async () => {
    const data = await withFiles({})
    const { call } = await start({
      data,
      answer: () => {
        writeFileSync(fileOf(data, 'prefers-chinese'), 'the person was faster')
        return 'allowed'
      },
    })
    expect(await call('memory_save', fresh)).toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(readFileSync(fileOf(data, 'prefers-chinese'), 'utf8')).toBe('the person was faster')
  })

  it('of what cannot be saved fails before anyone is asked', async () => {
    const asked = vi.fn(() => 'allowed' as const)
    const data = await withFiles({ ...pnpm, 'broken.md': 'no front matter' })
    const before = filesBelow(join(data, 'user-memory'))
    const { call } = await start({ data, answer: asked })
    for (const [what, args, reason] of [
      ['an existing name to create', { ...fresh, name: 'uses-pnpm' }, /already.*overwrite/],
      ['a missing name to overwrite', { ...fresh, mode: 'overwrite' }, /no user memory.*[Cc]reate/],
      [
        'a summary over 200 bytes',
        { ...fresh, summary: '长'.repeat(67) },
        /201 bytes and may have 200.*Shorten/,
      ],
      ['a summary of two lines', { ...fresh, summary: 'one\ntwo' }, /more than one line/],
      ['no summary', { ...fresh, summary: ' ' }, /summary is empty/],
      ['details over 16 KiB', { ...fresh, details: 'x'.repeat(16 * 1024 + 1) }, /16385 bytes.*Shorten/],
      ['a name that is none', { ...fresh, name: '../escape' }, /lower-case letters/],
      ['two hyphens', { ...fresh, name: 'a--b' }, /single hyphens/],
      ['a type that is none', { ...fresh, type: 'secret' }, /type/],
      ['half a character', { ...fresh, summary: 'half \ud800 a pair' }, /half a character/],
      ['a NUL', { ...fresh, details: 'a\0b' }, /NUL/],
      ['a bad file under the name', { ...fresh, mode: 'overwrite', name: 'broken' }, /cannot be read/],
    ] as const) {
      const outcome = await call('memory_save', args)
      expect({ what, ...outcome }).toMatchObject({ isError: true, text: expect.stringMatching(reason) })
    }
    expect(asked).not.toHaveBeenCalled()
    expect(filesBelow(join(data, 'user-memory'))).toEqual(before)
  })

  it('that would push the index over 16 KiB fails before anyone is asked; one that shortens does not', async () => {
    const asked = vi.fn(() => 'allowed' as const)
    const long = 'x'.repeat(200)
    const names = Array.from({ length: 73 }, (_, n) => `entry-${n + 100}`)
    const data = await withFiles(
      Object.fromEntries(names.map((name) => [`${name}.md`, entryText(name, long)])),
    )
    const { call } = await start({ data, answer: asked })
    expect(await call('memory_save', { ...fresh, summary: long })).toMatchObject({
      text: expect.stringContaining('Merge or shorten'),
    })
    expect(asked).not.toHaveBeenCalled()
    const shorter = { mode: 'overwrite', name: 'entry-100', type: 'user', summary: 'short' }
    expect((await call('memory_save', shorter)).value).toMatchObject({ saved: true })
  })

  it('that says what stands there already asks nobody and writes nothing', async () => {
    const asked = vi.fn(() => 'allowed' as const)
    const { call } = await start({ data: await withFiles(pnpm), answer: asked })
    const same = { mode: 'overwrite', name: 'uses-pnpm', type: 'project', summary: PNPM }
    expect((await call('memory_save', same)).value).toMatchObject({ saved: false })
    expect(asked).not.toHaveBeenCalled()
  })

  it('of a session that has met outside text saves nothing unasked, and what it asks is asked as ever', async () => {
    const save = async (answer: 'never-asks' | 'allowed', isTainted: boolean) => {
      const { call, data, close } = await start({ answer: () => answer })
      const exposure = { ...CLEAN, tainted: () => isTainted }
      const outcome = await call('memory_save', fresh, { exposure })
      close()
      return { ...outcome, written: existsSync(join(data, 'user-memory')) }
    }
    expect(await save('never-asks', true)).toMatchObject({
      code: 'REFUSED',
      text: expect.stringContaining('nothing is saved unasked'),
      written: false,
    })
    expect((await save('allowed', true)).value).toMatchObject({ saved: true })
    expect((await save('never-asks', false)).value).toMatchObject({ saved: true, unasked: true })
  })
})

describe('deleting a record', () => {
  it('leaves what the person approved, and names where the same words stand', async () => {
    const words = 'the staging database listens on port 5433 since May'
    const data = await withFiles({
      'db.md': entryText('db', words),
      'other.md': entryText('other', 'quite another thing'),
    })
    const { call } = await start({ data, answer: () => 'allowed' })
    const { id } = (await call('remember', { summary: words })).value
    const again = (await call('remember', { summary: `Told twice: ${words}` })).value
    const gone = (await call('delete', { id, why: 'moved' })).value
    expect(gone).toMatchObject({
      deleted: true,
      note: expect.stringMatching(/another record .* an entry of the user memory/),
      stays: [again.id, 'user-memory/db.md'],
    })
    expect(readFileSync(fileOf(data, 'db'), 'utf8')).toBe(entryText('db', words))
  })
})
