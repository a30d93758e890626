/** Whatever state the data folder is in, the tools answer, nothing is lost, and what is wrong is reported in one sentence. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { personContext } from '../../../src/store/turn-context.ts'
import {
  type Hostless,
  type HostlessOptions,
  type HostlessOutcome,
  startHostless,
} from '../../support/hostless.ts'
import { openStore } from '../../support/store.ts'

let session: Hostless | undefined
async function start(options: HostlessOptions = {}): Promise<Hostless> {
  session = await startHostless({ config: { scanEveryMs: 0 }, ...options })
  return session
}
afterEach(() => session?.close())

const ids = (outcome: HostlessOutcome): string[] => outcome.value.hits.map((hit: { id: string }) => hit.id)
const index = (data: string) => join(data, 'index', 'index.sqlite')

/** A data folder with three records of an earlier run. */
async function filled(): Promise<{ data: string; id: string }> {
  const { store, root } = await openStore({ now: Date.now })
  const { records } = await store.commit(
    [
      { summary: 'The heron nests behind the mill', content: 'Seen twice.' },
      { summary: 'The mill closes on Mondays' },
      { summary: '水车在磨坊后面' },
    ].map((record) => ({ act: 'create' as const, record })),
    personContext(),
  )
  store.close()
  return { data: root, id: records[0]?.id ?? '' }
}

describe('a damaged index', () => {
  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'not a database '.repeat(500))],
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is cut in half', (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
    [
      'has malformed pages',
      (file: string) => {
        const bytes = readFileSync(file)
        bytes.fill(0xa5, 4096)
        writeFileSync(file, bytes)
      },
    ],
    ['is gone', (file: string) => rmSync(file)],
  ])('that %s is built anew from the files, before a start and during a run', async (_, damage) => {
    const { data, id } = await filled()
    damage(index(data))
    const { call } = await start({ data })
    expect(ids(await call('recall', { query: 'heron' }))).toEqual([id])
    damage(index(data))
    expect(ids(await call('recall', { query: 'heron mill' }))).toContain(id)
    const more = await call('remember', { summary: 'The heron left in November' })
    expect(more.isError).toBe(false)
    expect(ids(await call('recall', { query: 'heron' })).sort()).toEqual([id, more.value.id].sort())
  })

  it('that is of another version is dropped and built anew', async () => {
    const { data, id } = await filled()
    const { default: Database } = await import('better-sqlite3')
    const database = new Database(index(data))
    database.pragma('user_version = 99')
    database.close()
    const { call } = await start({ data })
    expect(ids(await call('recall', { query: 'heron' }))).toEqual([id])
  })

  it('whose place is taken by a folder: writing and opening go on, and recall says so in one sentence', async () => {
    const { data, id } = await filled()
    rmSync(index(data))
    mkdirSync(index(data))
    const { call } = await start({ data })
    expect((await call('open', { id })).value.content).toBe('Seen twice.')
    expect((await call('remember', { summary: 'Written without an index' })).isError).toBe(false)
    const found = await call('recall', { query: 'heron' })
    expect(found).toMatchObject({ isError: true, code: 'UNAVAILABLE' })
    expect(found.text).toMatch(/Recall does not work just now/)
  })
})

describe('a broken data folder', () => {
  it('with bad files finds the good ones and names the bad ones, once each, leaving them as they are', async () => {
    const { data, id } = await filled()
    const memories = join(data, 'memories')
    const bad: Record<string, string | Buffer> = {
      'empty.md': '',
      'gbk.md': Buffer.from([0xb0, 0xd7, 0xc2, 0xba, 0x0a]),
      'half.md': '---\nsummary: heron, half written\n',
      'yaml.md': '---\nsummary: "heron\n---\n',
      'huge.md': `heron ${'x'.repeat(1024 * 1024)}`,
    }
    /** Unusual, and records all the same. */
    const odd: Record<string, string> = {
      'bom.md': '\ufeffheron with a byte order mark',
      'crlf.md': 'heron\r\nwith Windows line ends\r\n',
      'type.md': '---\nsummary: heron\nrev: often\n---\n',
      'bad name!.md': 'heron with a name that is no id',
    }
    for (const [name, content] of Object.entries({ ...bad, ...odd }))
      writeFileSync(join(memories, name), content)
    writeFileSync(join(data, 'outside.txt'), 'heron outside')
    symlinkSync(join(data, 'outside.txt'), join(memories, 'link.md'))
    linkSync(join(data, 'outside.txt'), join(memories, 'hard.md'))
    mkdirSync(join(memories, 'folder.md'))
    writeFileSync(join(memories, '.hidden.md'), 'heron hidden')
    writeFileSync(join(memories, 'notes.txt'), 'heron in another kind of file')
    const { call } = await start({ data })
    const found = await call('recall', { query: 'heron' })
    expect(ids(found).sort()).toEqual([id, 'bom', 'crlf', 'type', 'bad-name-'].sort())
    expect(found.value.notices).toEqual([
      expect.stringMatching(/^7 files are skipped and left as they are: /),
    ])
    for (const [name, content] of Object.entries({ ...bad, ...odd }))
      expect(readFileSync(join(memories, name))).toEqual(Buffer.from(content))
    expect(existsSync(join(memories, 'link.md'))).toBe(true)
    expect(await call('open', { id: 'half' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('half.md'),
    })
  })
})

describe('a person’s editor', () => {
  it('is believed: a hand-written line is a record, an edit is found, a removed file is forgotten', async () => {
    const { data, id } = await filled()
    const { call } = await start({ data })
    const file = join(data, (await call('open', { id })).value.file)
    const memories = join(data, 'memories')
    mkdirSync(join(memories, 'my own', 'notes'), { recursive: true })
    writeFileSync(
      join(memories, 'my own', 'notes', 'küche-茶.md'),
      'The kettle whistles at eighty degrees\n\nMore about it.',
    )
    expect((await call('recall', { query: 'kettle' })).value.hits[0]).toMatchObject({
      id: 'küche-茶',
      kind: 'note',
      source: 'internal',
    })
    expect((await call('open', { id: 'küche-茶' })).value).toMatchObject({
      author: 'person',
      content: 'More about it.',
    })

    writeFileSync(file, readFileSync(file, 'utf8').replace('heron', 'stork'))
    expect(ids(await call('recall', { query: 'heron' }))).toEqual([])
    expect((await call('recall', { query: 'stork' })).value.hits[0]).toMatchObject({
      id,
      summary: 'The stork nests behind the mill',
    })

    const text = readFileSync(file)
    rmSync(file)
    expect(ids(await call('recall', { query: 'stork' }))).toEqual([])
    expect(await call('open', { id })).toMatchObject({ isError: true, code: 'NOT_FOUND' })
    writeFileSync(file, text)
    expect(ids(await call('recall', { query: 'stork' }))).toEqual([id])
    const ledger = readdirSync(join(data, 'ledger'))
      .map((name) => readFileSync(join(data, 'ledger', name), 'utf8'))
      .join('')
    expect(ledger).toContain(`"act":"vanish","id":"${id}"`)
    expect(ledger).not.toMatch(/stork|heron|kettle|küche/)
  })

  it('cannot bring back what was deleted by restoring the file, but may use its name anew', async () => {
    const { data, id } = await filled()
    const { call } = await start({ data, answer: () => 'allowed' })
    const file = join(data, (await call('open', { id })).value.file)
    const text = readFileSync(file)
    await call('delete', { id, why: 'x' })
    writeFileSync(file, text)
    expect(ids(await call('recall', { query: 'heron' }))).toEqual([])
    expect(await call('open', { id })).toMatchObject({ isError: true })
    writeFileSync(file, 'The heron is back, a new fact')
    expect(ids(await call('recall', { query: 'heron' }))).toEqual([id])
  })
})
