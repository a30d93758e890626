/** The doctor reports what is wrong, changes nothing unless asked, and repairs without losing a word. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { doctorCommand } from '../../../src/cli/doctor.ts'
import { placeFindings } from '../../../src/doctor/place.ts'
import { findingAdvice } from '../../../src/messages/messages.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
let home = ''
let answer = ''
let reported = ''
beforeEach(async () => {
  home = await tempDir('home')
  vi.stubEnv('DSH_HOME', home)
  vi.stubEnv('MNEMOS_DATA', undefined)
  answer = ''
  reported = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    answer += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    reported += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

/** @returns the answer for scripts, and the exit code. */
async function doctor(data: string | undefined, options: { fix?: boolean; forgetAbsent?: boolean } = {}) {
  answer = ''
  process.exitCode = 0
  await doctorCommand({ json: true, ...(data === undefined ? {} : { data }) }, options)
  const value = JSON.parse(answer)
  const codes: string[] = value.findings.map(({ code }: { code: string }) => code)
  return { ...value, codes, exit: Number(process.exitCode) }
}

/** Every file and folder: bytes, times and permissions. */
const everything = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mtimeMs, mode, ino, size } = lstatSync(path)
      return [
        path,
        mtimeMs,
        mode,
        ino,
        size,
        lstatSync(path).isFile() ? readFileSync(path).toString('base64') : '',
      ]
    })

const write = (root: string, name: string, bytes: string | Buffer) => {
  mkdirSync(join(root, 'memories'), { recursive: true, mode: 0o700 })
  const file = join(root, 'memories', name)
  writeFileSync(file, bytes, { mode: 0o600 })
  return file
}

async function healthy(notes = 2) {
  const root = await tempDir('store')
  for (let n = 0; n < notes; n++) write(root, `note-${n}.md`, `The lighthouse number ${n}`)
  const { store } = await openStore({ root })
  await store.commit([{ act: 'create', record: { summary: 'the mill is old' } }], person)
  store.close()
  return root
}
const old = (path: string) => utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'))

/** A folder with about everything that can be wrong with one. */
async function damaged() {
  const root = await healthy()
  write(root, 'bom.md', '\ufeffA note with a mark\r\nand Windows line ends\r\n')
  write(root, 'gbk.md', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]))
  write(root, 'nul.md', 'half\0half')
  write(root, 'empty.md', '')
  write(root, 'torn.md', '---\nsummary: x\n')
  write(root, 'both.md', '\ufeff---\nrev: many\n---\nx\r\n')
  linkSync(write(root, 'one-name.md', '\ufeffhard\r\n'), join(root, 'memories', 'other-name.md'))
  write(root, 'a.md', '---\nid: twin\nrev: 2\n---\nthe newer')
  write(root, 'b.md', '---\nid: twin\n---\nthe older')
  chmodSync(join(root, 'memories', 'note-0.md'), 0o644)
  for (const folder of ['.', 'memories']) chmodSync(join(root, folder), 0o750)
  const temporary = write(root, '.mnemos-tmp-1-1-x.md', 'half a wr')
  old(temporary)
  writeFileSync(join(root, 'ledger', '2026-01.jsonl'), '{"at":"2026-01-01T\n{"hello":1}\n', { mode: 0o600 })
  writeFileSync(join(root, 'tombstones.jsonl'), '{"id":\n', { mode: 0o600 })
  return root
}

describe('a look', () => {
  it('finds nothing in a healthy folder', async () => {
    expect(await doctor(await healthy())).toMatchObject({ healthy: true, records: 3, findings: [], exit: 0 })
  })

  it('leaves the temporary file of a write that is under way', async () => {
    const root = await healthy()
    const young = join(root, 'ledger', '.mnemos-tmp-1-1-x')
    writeFileSync(young, '', { mode: 0o600 })
    expect(await doctor(root, { fix: true })).toMatchObject({ findings: [], repaired: [] })
    expect(existsSync(young)).toBe(true)
    old(young)
    expect((await doctor(root, { fix: true })).repaired).toEqual([
      { code: 'TEMPORARY_FILES', path: 'ledger/.mnemos-tmp-1-1-x' },
    ])
  })

  it('names everything with code, severity, sentence and remedy, and changes no byte', async () => {
    const root = await damaged()
    const before = everything(root)
    const { findings, exit, codes } = await doctor(root)
    expect(everything(root)).toEqual(before)
    expect(exit).toBe(1)
    expect(new Set(codes)).toEqual(
      new Set([
        'BAD_FILE',
        'FOREIGN_VALUES',
        'TWO_FILES',
        'PERMISSIONS',
        'TEMPORARY_FILES',
        'INDEX_BEHIND',
        'LEDGER_LINES',
        'TOMBSTONE_LINES',
      ]),
    )
    const bad = (name: string) =>
      findings.find(
        ({ code, paths }: { code: string; paths: string[] }) =>
          code === 'BAD_FILE' && paths[0] === `memories/${name}`,
      )
    for (const name of ['bom.md', 'both.md']) expect(bad(name)).toBeUndefined()
    for (const name of ['gbk.md', 'nul.md', 'empty.md', 'torn.md', 'one-name.md', 'other-name.md'])
      expect(bad(name)).toMatchObject({ fixable: false, remedy: expect.stringMatching(/\.$/) })
    for (const name of ['gbk.md', 'nul.md']) expect(bad(name).remedy).toMatch(/^Save it as UTF-8/)
    expect(bad('empty.md').remedy).toMatch(/^Write it again/)
    expect(bad('torn.md').remedy).toMatch(/^Put a line "---" below/)
    expect(bad('one-name.md').remedy).toMatch(/^Put a plain file/)
    expect(findings.find(({ code }: { code: string }) => code === 'FOREIGN_VALUES')).toMatchObject({
      severity: 'notice',
      paths: ['memories/both.md'],
      sentence: expect.stringContaining('line 2, rev (must be a number)'),
    })
    expect(findings.find(({ code }: { code: string }) => code === 'TWO_FILES')).toMatchObject({
      sentence: 'The id "twin" stands in 2 files: memories/a.md counts, memories/b.md does not.',
    })
    expect(findings.find(({ code }: { code: string }) => code === 'LEDGER_LINES').sentence).toContain(
      'ledger/2026-01.jsonl:1 (torn), ledger/2026-01.jsonl:2 (foreign)',
    )
  })

  it('says as much to a person', async () => {
    const root = await damaged()
    await doctorCommand({ data: root }, {})
    expect(answer).toContain('memories/gbk.md is skipped: it is not UTF-8 text.')
    expect(answer).not.toContain('\u001b[')
    expect(reported).toBe('')
  })
})

describe('--fix', () => {
  it('repairs what needs no backup, and leaves the rest to the byte', async () => {
    const root = await damaged()
    const left = [
      'bom.md',
      'gbk.md',
      'nul.md',
      'empty.md',
      'torn.md',
      'both.md',
      'one-name.md',
      'a.md',
      'b.md',
      'note-0.md',
    ]
    const bytes = () => left.map((name) => readFileSync(join(root, 'memories', name)).toString('base64'))
    const before = bytes()
    const { codes, repaired } = await doctor(root, { fix: true })
    expect(bytes()).toEqual(before)
    expect(new Set(codes)).toEqual(new Set(['BAD_FILE', 'FOREIGN_VALUES', 'TWO_FILES', 'LEDGER_LINES']))
    expect(repaired).toContainEqual({ code: 'PERMISSIONS', path: 'memories/note-0.md' })
    expect(existsSync(join(root, 'memories', '.mnemos-tmp-1-1-x.md'))).toBe(false)
    for (const { path } of filesBelow(root)) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0])
  })

  it('removes a restored copy after saying so, and only such a one', async () => {
    const root = await healthy()
    const { store } = await openStore({ root })
    const { file, text, record } = await store.get('note-1')
    await store.delete('note-1', person)
    store.close()
    write(root, 'note-1.md', text)
    utimesSync(file, new Date(), new Date(record.created))
    write(root, 'note-0.md', 'The lighthouse number 0')
    expect(await doctor(root)).toMatchObject({ codes: ['RESTORED_COPY', 'INDEX_BEHIND'], exit: 1 })
    expect(existsSync(file)).toBe(true)
    await doctorCommand({ data: root }, { fix: true })
    expect(reported).toContain('Removing memories/note-1.md.')
    expect(existsSync(file)).toBe(false)
    expect(holding(root, 'lighthouse number 1')).toEqual([])
    expect(holding(root, 'lighthouse number 0')).toHaveLength(1)
    expect(await doctor(root)).toMatchObject({ healthy: true, exit: 0 })
  })

  it('finishes an interrupted change and writes a lost version file', async () => {
    const root = await healthy()
    const note = join(root, 'pending', 'left.json')
    mkdirSync(join(root, 'pending'), { mode: 0o700 })
    writeFileSync(
      note,
      JSON.stringify({
        writes: [{ path: 'made.md', before: null, after: 'made after all' }],
        deletes: [],
        ledger: [],
      }),
      { mode: 0o600 },
    )
    old(note)
    rmSync(join(root, 'version'))
    expect((await doctor(root)).codes).toEqual(['VERSION_MISSING', 'UNFINISHED_ACT'])
    expect(existsSync(note)).toBe(true)
    expect(await doctor(root, { fix: true })).toMatchObject({ healthy: true, exit: 0, records: 4 })
    expect(readFileSync(join(root, 'memories', 'made.md'), 'utf8')).toBe('made after all')
  })

  it('does nothing to a folder of a newer version', async () => {
    const root = await damaged()
    writeFileSync(join(root, 'version'), '99\n', { mode: 0o600 })
    const before = everything(root)
    expect((await doctor(root)).codes).toContain('VERSION_NEWER')
    await expect(doctor(root, { fix: true })).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(everything(root)).toEqual(before)
  })
})

describe('the index', () => {
  const index = (root: string) => join(root, 'index', 'index.sqlite')
  const change = (root: string, sql: string) => {
    const db = new Database(index(root))
    db.exec(sql)
    db.close()
  }
  const rootOf = (root: string, table: string) => {
    const db = new Database(index(root), { readonly: true })
    const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table)
    db.close()
    return Number(page)
  }

  it.each([
    [
      'damaged',
      'INDEX_DAMAGED',
      (root: string) => writeFileSync(index(root), 'no database at all, but long enough'),
    ],
    ['of another version', 'INDEX_VERSION', (root: string) => change(root, 'PRAGMA user_version = 77')],
    [
      'damaged where opening it does not look',
      'INDEX_DAMAGED',
      (root: string) => {
        const bytes = readFileSync(index(root))
        const page = bytes.readUInt16BE(16)
        bytes.fill(0xa5, (rootOf(root, 'words') - 1) * page, rootOf(root, 'words') * page)
        writeFileSync(index(root), bytes)
      },
    ],
    [
      'at odds with the files',
      'INDEX_WRONG',
      (root: string) => change(root, "UPDATE docs SET rev = 9 WHERE path = 'note-0.md'"),
    ],
  ])('that is %s is named and rebuilt', async (_, code, harm) => {
    const root = await healthy()
    harm(root)
    const before = everything(root)
    expect(await doctor(root)).toMatchObject({ codes: [code], exit: 1 })
    expect(everything(root)).toEqual(before)
    expect(await doctor(root, { fix: true })).toMatchObject({ healthy: true, exit: 0 })
    const { store } = await openStore({ root })
    const { hits } = await store.recall({ queries: ['lighthouse'], scope: {}, limit: 5, include: [] })
    expect(hits).toHaveLength(2)
    store.close()
  })

  it('that is missing is no fault', async () => {
    const root = await healthy()
    rmSync(join(root, 'index'), { recursive: true })
    expect(await doctor(root)).toMatchObject({ codes: ['INDEX_MISSING'], exit: 0 })
    expect(existsSync(join(root, 'index'))).toBe(false)
  })
})

describe('absent files', () => {
  it('are named, waited for, and forgotten only when the person says so', async () => {
    const root = await healthy(30)
    renameSync(join(root, 'memories'), join(root, 'away'))
    expect(await doctor(root)).toMatchObject({ codes: ['ABSENT_FILES'], exit: 1 })
    expect((await doctor(root, { fix: true })).codes).toEqual(['ABSENT_FILES'])
    renameSync(join(root, 'away'), join(root, 'memories'))
    expect(await doctor(root)).toMatchObject({ healthy: true })
    renameSync(join(root, 'memories'), join(root, 'away'))
    expect(await doctor(root, { forgetAbsent: true })).toMatchObject({
      forgotten: 31,
      healthy: true,
      exit: 0,
    })
    expect(holding(join(root, 'ledger'), '"act":"vanish"')).toHaveLength(1)
  })
})

describe('profiles', () => {
  it('an empty one is told where records lie', async () => {
    const full = join(home, 'mnemos', 'headless')
    const elsewhere = await tempDir('elsewhere')
    write(full, 'one.md', 'here')
    write(elsewhere, 'two.md', 'there')
    mkdirSync(join(home, 'mnemos', 'web'), { mode: 0o700 })
    writeFileSync(
      join(home, 'mnemos', 'profiles.json'),
      JSON.stringify({ profiles: { desk: { dataDir: elsewhere } } }),
    )
    const { findings, exit } = await doctor(join(home, 'mnemos', 'web'))
    expect(findings).toMatchObject([{ code: 'EMPTY_PROFILE', paths: [elsewhere, full] }])
    expect(exit).toBe(0)
    expect((await doctor(join(home, 'mnemos', 'gone'))).codes).toEqual(['NO_FOLDER', 'EMPTY_PROFILE'])
  })

  it('a damaged profiles.json is named', async () => {
    mkdirSync(join(home, 'mnemos'))
    writeFileSync(join(home, 'mnemos', 'profiles.json'), '{"profiles":')
    const { codes, exit } = await doctor(undefined)
    expect(codes).toEqual(['NO_FOLDER', 'PROFILES_DAMAGED'])
    expect(exit).toBe(1)
  })
})

describe('the place', () => {
  const facts = {
    writable: () => true,
    real: (path: string) => path,
    fileSystem: () => undefined,
    exists: () => false,
  }
  it.each([
    ['/home/me/Dropbox/memory', 'Dropbox'],
    ['/home/me/Dropbox (Personal)/memory', 'Dropbox'],
    ['C:\\Users\\me\\OneDrive - Firm\\memory', 'OneDrive'],
    ['/Users/me/Library/Mobile Documents/com~apple~CloudDocs/memory', 'iCloud'],
    ['/Users/me/Library/CloudStorage/GoogleDrive-me/memory', 'a cloud storage'],
    ['/home/me/Nextcloud/memory', 'Nextcloud'],
  ])('%s is kept in step by %s', (path, name) => {
    const found = placeFindings(path, facts)
    expect(found).toMatchObject([{ code: 'SYNCED_PLACE', severity: 'notice' }])
    expect(found.map((one) => findingAdvice(one).sentence)).toEqual([expect.stringContaining(name)])
  })

  it('is known by the marks of a sync, by its file system, and by whether it can be written', () => {
    const found = placeFindings('/srv/sync/memory', {
      ...facts,
      writable: () => false,
      fileSystem: () => 0x6969,
      exists: (path) => path === '/srv/sync/.stfolder',
    })
    expect(found.map(({ code }) => code)).toEqual(['NOT_WRITABLE', 'SYNCED_PLACE', 'NETWORK_PLACE'])
    expect(placeFindings('/home/me/dropboxes/memory', facts)).toEqual([])
    expect(placeFindings('/home/me/.dsh/mnemos/web', facts)).toEqual([])
  })
})

describe('the user memory', () => {
  it('has its bad files and what is beyond its limits named, and nothing of it changed', async () => {
    const root = await healthy()
    const folder = join(root, 'user-memory')
    mkdirSync(folder, { mode: 0o700 })
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
    put('good.md', '---\nname: good\ntype: user\nsummary: x\n---\n')
    expect(await doctor(root)).toMatchObject({ healthy: true, codes: [] })
    put('broken.md', 'no front matter')
    for (let n = 0; n < 201; n++) put(`n-${n}.md`, `---\nname: n-${n}\ntype: user\nsummary: x\n---\n`)
    const before = everything(root)
    const { findings, codes, exit } = await doctor(root)
    expect(codes).toEqual(['BAD_USER_MEMORY', 'USER_MEMORY_FULL'])
    expect(findings[0].sentence).toBe(
      'user-memory/broken.md is skipped: it has no front matter with name, type and summary.',
    )
    expect(findings[1].paths).toEqual(['user-memory/n-98.md', 'user-memory/n-99.md'])
    expect(exit).toBe(1)
    expect(everything(root)).toEqual(before)
    await doctor(root, { fix: true })
    expect(readFileSync(join(folder, 'broken.md'), 'utf8')).toBe('no front matter')
  })

  it('that is no folder is named', async () => {
    const root = await healthy()
    writeFileSync(join(root, 'user-memory'), 'x', { mode: 0o600 })
    const { findings } = await doctor(root)
    expect(findings[0].sentence).toBe(
      'The folder user-memory/ cannot be looked at: a file stands where the folder should be.',
    )
  })
})
