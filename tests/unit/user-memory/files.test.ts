/** The files of the user memory: the format, the index drawn from them, and writing in the presence of editors. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { EntryFolder } from '../../../src/entries/folder.ts'
import { findingAdvice } from '../../../src/messages/messages.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { examineUserMemory } from '../../../src/user-memory/doctor.ts'
import { drawIndex, INDEX_BYTES, INDEX_ENTRIES } from '../../../src/user-memory/drawing.ts'
import {
  type Entry,
  parseEntry,
  plainDetails,
  plainFields,
  TYPES,
  textOf,
  wrongIn,
  yamlFields,
} from '../../../src/user-memory/entry.ts'
import { USER_MEMORY, UserMemory } from '../../../src/user-memory/user-memory.ts'
import { explaining, explainingLater, reportedBy } from '../../support/messages.ts'
import { failingDisk, openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const parse = (text: string, stem = 'uses-pnpm') => parseEntry(Buffer.from(text), stem)
const entry = (more: Partial<Entry> = {}): Entry => ({
  name: 'uses-pnpm',
  type: 'project',
  summary: 'pnpm, never npm',
  details: '',
  ...more,
})

describe('a file', () => {
  it('of Mino’s is read as it is', () => {
    expect(
      parse(
        '---\nname: uses-pnpm\ntype: project\nsummary: 这个用户的项目都用 pnpm 安装依赖，从不用 npm 或 yarn。\n---\n',
      ),
    ).toEqual(entry({ summary: '这个用户的项目都用 pnpm 安装依赖，从不用 npm 或 yarn。' }))
    expect(parse('---\nname: "2026"\ntype: user\nsummary: "yes"\n---\n\nmore\n', '2026')).toEqual(
      entry({ name: '2026', type: 'user', summary: 'yes', details: 'more' }),
    )
  })

  it('gives back what was put into it, whatever that is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    const any = fc.record({
      name: fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/),
      type: fc.constantFrom(...TYPES),
      summary: text.map((one) => one.trim()),
      details: text.map(plainDetails),
    })
    let kept = 0
    fc.assert(
      fc.property(any, (one) => {
        if (wrongIn(one) !== undefined) return
        kept++
        expect(parse(textOf(one), one.name)).toEqual(one)
      }),
    )
    expect(kept).toBeGreaterThan(20)
  })

  it('read the fast way says what YAML says', () => {
    const word = fc.constantFrom(
      ...'aZ9é中 .,;/()\'’“”，。、；（）_-:#&*!|>@%`"{}[]\t~=+?\n'.split(''),
      ': ',
      ' #',
      'null',
      '- ',
    )
    const value = fc.array(word, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
    let fast = 0
    fc.assert(
      fc.property(
        fc.oneof(
          value,
          value.map((text) => `a${text}`),
        ),
        (summary) => {
          const front = `name: a-1\ntype: user\nsummary: ${summary}\n`
          const plain = plainFields(front)
          if (!plain) return
          fast++
          // White space at the end is nothing to YAML, and taken away from every summary.
          expect({ ...plain, summary: plain.summary?.trim() }).toEqual(yamlFields(front))
        },
      ),
      { numRuns: 2_000 },
    )
    expect(fast).toBeGreaterThan(100)
  })

  it.each([
    ['no front matter', 'just words', /no front matter/],
    ['a missing field', '---\nname: uses-pnpm\ntype: user\n---\n', /no summary/],
    ['a full-width colon', '---\nname: uses-pnpm\ntype：user\nsummary: x\n---\n', /"type：" .*： is not :/],
    ['a list for a text', '---\nname: uses-pnpm\ntype: user\nsummary: [a]\n---\n', /summary is no text/],
    ['a fourth field', '---\nname: uses-pnpm\ntype: user\nsummary: x\nscope: all\n---\n', /"scope"/],
    ['another name', '---\nname: other\ntype: user\nsummary: x\n---\n', /not that of the file/],
    ['a strange type', '---\nname: uses-pnpm\ntype: law\nsummary: x\n---\n', /"law" is none of user/],
    ['an empty summary', '---\nname: uses-pnpm\ntype: user\nsummary:\n---\n', /summary is empty/],
    ['two lines', '---\nname: uses-pnpm\ntype: user\nsummary: "a\\nb"\n---\n', /more than one line/],
    ['201 bytes', `---\nname: uses-pnpm\ntype: user\nsummary: ${'x'.repeat(201)}\n---\n`, /201 bytes/],
    ['half of it', '---\nname: uses-pnpm\ntype: user\n', /not closed/],
    ['a key twice', '---\nname: uses-pnpm\ntype: user\nsummary: a\nsummary: b\n---\n', /YAML/],
    [
      'a summary that nobody sees',
      '---\nname: uses-pnpm\ntype: user\nsummary: "\\u200b"\n---\n',
      /can be seen/,
    ],
    [
      'more front matter than three lines need',
      `---\nname: uses-pnpm\ntype: user\nsummary: ${'['.repeat(1_100)}\n---\n`,
      /may have 1024/,
    ],
    ['an escaped NUL', '---\nname: uses-pnpm\ntype: user\nsummary: "a\\0b"\n---\n', /NUL/],
    ['half a character', '---\nname: uses-pnpm\ntype: user\nsummary: "a\\ud800b"\n---\n', /half a character/],
  ])('with %s is none', (_, text, reason) => {
    expect(() => explaining(() => parse(text))).toThrow(reason)
  })
})

describe('the index', () => {
  const many = (n: number, summary = 'x') =>
    Array.from({ length: n }, (_, at) => entry({ name: `n-${String(at).padStart(4, '0')}`, summary }))

  it('of no entry is empty, and of any is one line an entry below its label', () => {
    expect(drawIndex([])).toEqual({ text: '', left: [] })
    const { text } = drawIndex([entry(), entry({ name: 'z', details: 'more' })])
    expect(text.split('\n').slice(1)).toEqual([
      '- [project] uses-pnpm: pnpm, never npm',
      '- [project] z: pnpm, never npm (+details)',
    ])
  })

  it('keeps both limits, and what is left out is the end of the order of names', () => {
    expect(drawIndex(many(INDEX_ENTRIES + 2)).left).toEqual(['n-0200', 'n-0201'])
    const { text, left } = drawIndex(many(100, 'x'.repeat(200)))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(INDEX_BYTES)
    expect(Buffer.byteLength(text)).toBeGreaterThan(INDEX_BYTES - 300)
    expect(left.at(-1)).toBe('n-0099')
    expect(text.split('\n').length - 1 + left.length).toBe(100)
  })
})

describe('the folder', () => {
  it('is looked at cheaply: only what changed is read', async () => {
    const root = await tempDir('user-memory')
    for (const one of ['a', 'b', 'c']) writeFileSync(join(root, `${one}.md`), textOf(entry({ name: one })))
    let reads = 0
    const disk: Disk = {
      ...nodeDisk,
      read: (...args) => {
        reads++
        return nodeDisk.read(...args)
      },
    }
    const folder = new EntryFolder(disk, USER_MEMORY, root)
    expect(folder.look().entries).toHaveLength(3)
    expect(folder.look().entries).toHaveLength(3)
    expect(reads).toBe(3)
    writeFileSync(join(root, 'b.md'), textOf(entry({ name: 'b', summary: 'changed' })))
    expect(folder.look().entries.map(({ summary }) => summary)).toContain('changed')
    expect(reads).toBe(4)
  })

  it('with more files than anybody writes names the rest without reading it', async () => {
    const root = await tempDir('user-memory')
    for (let n = 0; n < 1_010; n++) writeFileSync(join(root, `n-${String(n).padStart(4, '0')}.md`), '')
    const { entries, bad, beyond } = new EntryFolder(nodeDisk, USER_MEMORY, root).look()
    expect({ entries: entries.length, bad: bad.length, beyond: beyond.length }).toEqual({
      entries: 0,
      bad: 1_000,
      beyond: 10,
    })
  })
})

it('a folder that is made to be slow is refused file by file, before anything reads the YAML', async () => {
  const root = await tempDir('user-memory')
  const hostile = [
    '['.repeat(19_500),
    '!a '.repeat(6_500),
    '{a: '.repeat(4_000),
    '['.repeat(900),
    '? '.repeat(450),
  ]
  for (let n = 0; n < 200; n++)
    writeFileSync(
      join(root, `a${n}.md`),
      `---\nname: a${n}\ntype: user\nsummary: ${hostile[n % hostile.length]}\n---\n`,
    )
  const { bad } = new EntryFolder(nodeDisk, USER_MEMORY, root).look()
  expect(bad).toHaveLength(200)
  for (const { fault } of bad) expect(fault.code).toMatch(/^FRONT_TOO_/)
})

it('what there is no time for is looked at the next time, and what was known of it stands', async () => {
  const root = await tempDir('user-memory')
  const names = ['a', 'b', 'c', 'd']
  const write = (summary: string) => {
    for (const name of names) writeFileSync(join(root, `${name}.md`), textOf(entry({ name, summary })))
  }
  write('old')
  let at = 0
  // Every question for the time takes one.
  const folder = new EntryFolder(nodeDisk, USER_MEMORY, root, () => at++)
  expect(folder.look(2)).toMatchObject({ entries: [{ name: 'a' }, { name: 'b' }], later: ['c', 'd'] })
  expect(folder.look(2)).toMatchObject({ entries: names.map((name) => ({ name })), later: ['a', 'b'] })
  write('the new one')
  expect(folder.look(2).entries.map(({ summary }) => summary)).toEqual([
    'the new one',
    'the new one',
    'old',
    'old',
  ])
  expect(folder.look().entries.map(({ summary }) => summary)).toEqual(names.map(() => 'the new one'))
})

describe('in the place of the folder', () => {
  const places: [string, (folder: string, elsewhere: string) => void, string][] = [
    ['a link', (folder, elsewhere) => symlinkSync(elsewhere, folder), 'a symbolic link'],
    ['a dangling link', (folder) => symlinkSync(`${folder}-nowhere`, folder), 'a symbolic link'],
    ['a link to itself', (folder) => symlinkSync(folder, folder), 'a symbolic link'],
    ['a pipe', (folder) => void execFileSync('mkfifo', [folder]), 'a pipe or device'],
  ]
  it.skipIf(process.platform === 'win32').each(places)(
    '%s is reported, and nothing is written',
    async (_, put, what) => {
      const { store, root } = await openStore()
      const folder = join(root, 'user-memory')
      const elsewhere = await tempDir('elsewhere')
      const memory = new UserMemory(store, nodeDisk)
      const draft = await memory.prepare('create', entry(), person)
      put(folder, elsewhere)
      await expect(explainingLater(memory.save(draft, person))).rejects.toThrow(
        `${what} stands where the folder should be`,
      )
      expect(reportedBy(store).join()).toContain(`${what} stands`)
      await expect(explainingLater(memory.prepare('create', entry(), person))).rejects.toThrow(
        'nothing was written',
      )
      expect(() => explaining(() => memory.view('uses-pnpm'))).toThrow(what)
      const [found] = examineUserMemory(nodeDisk, store.layout)
      expect(found && findingAdvice(found).sentence).toContain(what)
      expect(readdirSync(elsewhere)).toEqual([])
    },
  )
})

describe('a save', () => {
  const saved = async (disk: Disk, meanwhile = () => {}) => {
    const { store, root } = await openStore()
    const memory = new UserMemory(store, disk)
    const draft = await memory.prepare('create', entry(), person)
    meanwhile()
    return { root, memory, store, result: memory.save(draft, person) }
  }
  const folderOf = (root: string) => join(root, 'user-memory')

  it('leaves one file, 0600 in a folder of 0700, and no temporary one', async () => {
    const { root, result } = await saved(nodeDisk)
    await result
    expect(readdirSync(folderOf(root))).toEqual(['uses-pnpm.md'])
    expect(statSync(join(folderOf(root), 'uses-pnpm.md')).mode & 0o777).toBe(0o600)
    expect(statSync(folderOf(root)).mode & 0o777).toBe(0o700)
  })

  it.each([1, 2])('that fails at its step %s leaves nothing', async (step) => {
    const { root, result } = await saved(failingDisk(step).disk)
    await expect(result).rejects.toThrow('nothing was changed')
    expect(readdirSync(folderOf(root))).toEqual([])
  })

  /** Does something between the last look at the file and the rename. */
  const atTheRename = (doing: () => void): Disk => ({
    ...nodeDisk,
    replace: (path, data, options) =>
      nodeDisk.replace(path, data, {
        ...options,
        beforeRename: () => {
          options?.beforeRename?.()
          if (path.includes('user-memory')) doing()
          doing = () => {}
        },
      }),
  })

  it('does not follow a folder that becomes a link at the last moment', async () => {
    const { store, root } = await openStore()
    const elsewhere = await tempDir('elsewhere')
    const swap = () => {
      renameSync(folderOf(root), `${folderOf(root)}-away`)
      symlinkSync(elsewhere, folderOf(root))
    }
    const disk: Disk = {
      ...nodeDisk,
      replace: (path, data, options) =>
        nodeDisk.replace(path, data, {
          ...options,
          beforeRename: () => {
            swap()
            options?.beforeRename?.()
          },
        }),
    }
    const memory = new UserMemory(store, disk)
    const draft = await memory.prepare('create', entry(), person)
    await expect(explainingLater(memory.save(draft, person))).rejects.toThrow('a symbolic link stands')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it.each(['folder', 'link', 'dangling link'])(
    'whose file became a %s meanwhile writes nothing',
    async (what) => {
      const { store, root } = await openStore()
      const file = join(folderOf(root), 'uses-pnpm.md')
      const other = join(await tempDir('elsewhere'), 'other.md')
      mkdirSync(folderOf(root))
      writeFileSync(file, textOf(entry()))
      if (what === 'link') writeFileSync(other, textOf(entry()))
      const memory = new UserMemory(store, nodeDisk)
      const draft = await memory.prepare('overwrite', entry({ summary: 'the new one' }), person)
      rmSync(file)
      if (what === 'folder') mkdirSync(file)
      else symlinkSync(other, file)
      await expect(memory.save(draft, person)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
      expect(readdirSync(folderOf(root))).toEqual(['uses-pnpm.md'])
      if (what === 'link') expect(readFileSync(other, 'utf8')).toBe(textOf(entry()))
    },
  )

  it('beyond the files that are read is refused before anybody is asked', async () => {
    const { store, root } = await openStore()
    mkdirSync(folderOf(root))
    for (let n = 0; n < 1_000; n++) writeFileSync(join(folderOf(root), `n-${n}.md`), '')
    writeFileSync(join(folderOf(root), 'zz.md'), textOf(entry({ name: 'zz' })))
    const memory = new UserMemory(store, nodeDisk)
    for (const name of ['a', 'zzz'])
      await expect(memory.prepare('create', entry({ name }), person)).rejects.toThrow(
        /too many files.*[Mm]erge or shorten/,
      )
    await expect(memory.prepare('overwrite', entry({ name: 'zz', summary: 'y' }), person)).rejects.toThrow(
      'too many files',
    )
  })

  it('of a summary that nobody sees is refused before anybody is asked', async () => {
    const { store } = await openStore()
    const memory = new UserMemory(store, nodeDisk)
    await expect(
      explainingLater(memory.prepare('create', entry({ summary: '\u200b' }), person)),
    ).rejects.toThrow('can be seen')
  })

  it('gives back what an editor saved at the very last moment', async () => {
    const { store, root } = await openStore()
    const file = join(folderOf(root), 'uses-pnpm.md')
    mkdirSync(folderOf(root))
    writeFileSync(file, textOf(entry()))
    const memory = new UserMemory(
      store,
      atTheRename(() => writeFileSync(file, 'what the person typed')),
    )
    const draft = await memory.prepare('overwrite', entry({ summary: 'the new one' }), person)
    await expect(memory.save(draft, person)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(readFileSync(file, 'utf8')).toBe('what the person typed')
    expect(readdirSync(folderOf(root))).toEqual(['uses-pnpm.md'])
  })

  it('by two at once of one name is one file, and the other is told', async () => {
    const { store, root } = await openStore()
    const other = await openStore({ root })
    const [one, two] = [new UserMemory(store, nodeDisk), new UserMemory(other.store, nodeDisk)]
    const drafts = [
      await one.prepare('create', entry(), person),
      await two.prepare('create', entry({ summary: 'other' }), person),
    ]
    const [a, b] = await Promise.allSettled([
      one.save(drafts[0] as never, person),
      two.save(drafts[1] as never, person),
    ])
    expect([a?.status, b?.status].sort()).toEqual(['fulfilled', 'rejected'])
    const written = a?.status === 'fulfilled' ? drafts[0] : drafts[1]
    expect(readFileSync(join(folderOf(root), 'uses-pnpm.md'), 'utf8')).toBe(written?.text)
  })

  it('whose room was taken between question and answer writes nothing', async () => {
    const { store, root } = await openStore()
    const memory = new UserMemory(store, nodeDisk)
    const draft = await memory.prepare('create', entry({ name: 'zz' }), person)
    mkdirSync(folderOf(root))
    for (let n = 0; n < INDEX_ENTRIES; n++)
      writeFileSync(join(folderOf(root), `n-${n}.md`), textOf(entry({ name: `n-${n}` })))
    await expect(memory.save(draft, person)).rejects.toThrow('full')
    expect(readdirSync(folderOf(root))).toHaveLength(INDEX_ENTRIES)
  })

  it('is named as saved where only the ledger cannot be written', async () => {
    const { store, root } = await openStore()
    writeFileSync(join(root, 'ledger'), 'a file in its place')
    const memory = new UserMemory(store, nodeDisk)
    const { warnings } = await memory.save(await memory.prepare('create', entry(), person), person)
    expect(warnings).toEqual([expect.stringContaining('It is saved, but the ledger')])
    expect(readdirSync(folderOf(root))).toEqual(['uses-pnpm.md'])
  })
})
