/** What editors, version control and backups do to the files of records. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explainingLater, reportedBy } from '../support/messages.ts'
import { type Folder, leavesAlone, openFolder, person } from './folder.ts'

const OLD = 'The kettle whistles at 80 degrees\n'
const NEW = 'The teapot pours at 96 degrees, and it is another text\n'

/** The ways in which editors save. */
const SAVES: [string, (folder: Folder, text: string) => void][] = [
  ['writing into the file', ({ at }, text) => writeFileSync(at('kettle.md'), text)],
  [
    'truncating, then writing in pieces',
    ({ at }, text) => {
      truncateSync(at('kettle.md'), 0)
      const fd = openSync(at('kettle.md'), 'a')
      for (const piece of text.match(/.{1,7}/gsu) ?? []) writeSync(fd, piece)
      closeSync(fd)
    },
  ],
  [
    'a temporary file and a rename',
    ({ at }, text) => {
      writeFileSync(at('.kettle.md.tmp'), text)
      renameSync(at('.kettle.md.tmp'), at('kettle.md'))
    },
  ],
  [
    'removing and making it anew',
    ({ at }, text) => {
      rmSync(at('kettle.md'))
      writeFileSync(at('kettle.md'), text)
    },
  ],
  [
    'a backup beside it (vim: 4913, ~, .swp)',
    ({ at }, text) => {
      writeFileSync(at('4913'), '')
      writeFileSync(at('.kettle.md.swp'), OLD)
      renameSync(at('kettle.md'), at('kettle.md~'))
      writeFileSync(at('kettle.md'), text)
    },
  ],
  [
    'a backup called .bak',
    ({ at, read }, text) => {
      writeFileSync(at('kettle.md.bak'), read('kettle.md'))
      writeFileSync(at('kettle.md'), text)
    },
  ],
]

describe('an editor that saves by', () => {
  it.each(SAVES)(
    '%s: the new words are found, the old ones are not, nothing is forgotten',
    async (_, save) => {
      const folder = await openFolder()
      folder.put('kettle.md', OLD)
      expect(await folder.found('whistles')).toEqual(['kettle'])
      save(folder, NEW)
      expect(await folder.found('teapot')).toEqual(['kettle'])
      expect(await folder.found('whistles')).toEqual([])
      const after = await leavesAlone(folder)
      expect(after.read('kettle.md')).toBe(NEW)
      expect(after.ledger('vanish')).toBe(0)
    },
  )

  it('removing it, and making it anew after a look: forgotten in between, and the same record again', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', OLD)
    expect(await folder.found('kettle')).toEqual(['kettle'])
    rmSync(folder.at('kettle.md'))
    expect(await folder.found('kettle')).toEqual([])
    expect(folder.ledger('vanish')).toBe(1)
    folder.put('kettle.md', OLD)
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['kettle'])
  })

  it('writing 0 bytes first: the record is named as empty for that moment, not forgotten, and whole afterwards', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', OLD)
    await folder.store.refresh()
    folder.put('kettle.md', '')
    expect(await folder.skipped()).toEqual({ 'kettle.md': 'the file is empty' })
    await expect(explainingLater(folder.store.get('kettle'))).rejects.toThrow('the file is empty')
    folder.put('kettle.md', NEW)
    expect(await folder.found('teapot')).toEqual(['kettle'])
    expect(folder.ledger('vanish')).toBe(0)
  })
})

describe('the time of a file', () => {
  it.each([
    ['1970', new Date(0)],
    ['before 1970', new Date('1960-01-01')],
    ['2100', new Date('2100-01-01')],
  ])('set to %s neither hides nor changes a record', async (_, time) => {
    const folder = await openFolder()
    folder.put('kettle.md', OLD, time)
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['kettle'])
    expect((await after.store.get('kettle')).record.created).toBe(time.toISOString())
  })

  it('set back by a restored backup: the restored words are found', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', NEW)
    await folder.store.refresh()
    folder.put('kettle.md', OLD, new Date('2001-01-01'))
    expect(await folder.found('whistles')).toEqual(['kettle'])
    expect(await folder.found('teapot')).toEqual([])
  })

  it('LIMIT: an edit in place of equal length whose time is set back is not noticed by search; opening shows it', async () => {
    const folder = await openFolder()
    const time = new Date('2026-01-01')
    folder.put('kettle.md', OLD, time)
    await folder.store.refresh()
    writeFileSync(folder.at('kettle.md'), OLD.replace('whistles', 'explodes'))
    utimesSync(folder.at('kettle.md'), time, time)
    expect(await folder.found('explodes')).toEqual([])
    expect(await folder.found('whistles')).toEqual([])
    expect((await folder.store.get('kettle')).record.summary).toContain('explodes')
  })
})

describe('git', () => {
  it('checks out another branch and comes back: records change, go and come with the files', async () => {
    const folder = await openFolder()
    const git = (...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args],
        {
          cwd: folder.memories,
          stdio: 'pipe',
        },
      )
    folder.put('kettle.md', OLD)
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'other')
    folder.put('kettle.md', NEW)
    folder.put('lamp.md', 'The lamp glows\n')
    git('add', '.')
    git('commit', '-qm', 'two')
    expect(await folder.found('teapot lamp')).toEqual(['kettle', 'lamp'])
    git('checkout', '-q', 'main')
    expect(await folder.found('teapot lamp')).toEqual([])
    expect(await folder.found('whistles')).toEqual(['kettle'])
    git('checkout', '-q', 'other')
    expect(await folder.found('teapot lamp')).toEqual(['kettle', 'lamp'])
    folder.put('kettle.md', 'ruined')
    git('restore', 'kettle.md')
    expect(await folder.found('teapot')).toEqual(['kettle'])
    const after = await leavesAlone(folder)
    expect(reportedBy(after.store)).toEqual([])
  })

  it('leaves conflict marks in the text: it is a record all the same, with both sides', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', 'The kettle\n\n<<<<<<< HEAD\nat 80\n=======\nat 96\n>>>>>>> other\n')
    const after = await leavesAlone(folder)
    expect((await after.store.get('kettle')).record.content).toContain('at 80\n=======\nat 96')
  })
})

/** Front matter as people write it, and what it makes of the record. */
const FRONT: [string, string, Record<string, unknown>][] = [
  [
    'unknown keys',
    '---\nsummary: The kettle\nmood: calm\nnested: {a: [1, 2]}\n---\ntext\n',
    { summary: 'The kettle', content: 'text' },
  ],
  ['comments', '---\n# mine\nsummary: The kettle # short\n---\n', { summary: 'The kettle' }],
  ['anchors and aliases', '---\nsummary: &s The kettle\naskedAs: [*s]\n---\n', { askedAs: ['The kettle'] }],
  ['only front matter', '---\nsummary: The kettle\n---', { summary: 'The kettle', content: '' }],
  [
    'no front matter but a rule',
    'The kettle\n\n---\n\nbelow\n',
    { summary: 'The kettle', content: '---\n\nbelow' },
  ],
  ['empty front matter', '---\n---\nThe kettle\n', { summary: 'The kettle' }],
  [
    'front matter of 30 KiB',
    `---\nsummary: The kettle\n${Array.from({ length: 150 }, (_, n) => `key${n}: ${'a value of some length '.repeat(9)}`).join('\n')}\n---\ntext\n`,
    { content: 'text' },
  ],
  ['one tag that is no list', '---\nsummary: The kettle\ntags: kitchen\n---\n', { tags: ['kitchen'] }],
  ['tags with commas', '---\nsummary: The kettle\ntags: kitchen, tea\n---\n', { tags: ['kitchen', 'tea'] }],
  [
    'numbers where words belong',
    '---\nsummary: 80\ntags: [1, 2]\n---\nThe kettle\n',
    { summary: '80', tags: ['1', '2'] },
  ],
  [
    'a date without a time',
    '---\nsummary: The kettle\ncreated: 2026-01-02\n---\n',
    { created: '2026-01-02T00:00:00.000Z' },
  ],
  [
    'a time in another zone',
    '---\nsummary: The kettle\ncreated: 2026-01-02T03:00:00+08:00\n---\n',
    { created: '2026-01-01T19:00:00.000Z' },
  ],
  [
    'a summary over several lines',
    '---\nsummary: |\n  The kettle\n  whistles\n---\n',
    { summary: 'The kettle whistles' },
  ],
  ['a summary of 300 characters', `---\nsummary: The kettle ${'k'.repeat(300)}\n---\n`, { kind: 'note' }],
  ['null values', '---\nsummary: The kettle\ntags:\nwhy: ~\n---\n', { tags: [] }],
  ['braces of a template', '---\nsummary: "The kettle {{cwd}}"\n---\n', { summary: 'The kettle {{cwd}}' }],
  [
    'an id that differs from the name',
    '---\nid: teapot\n---\nThe kettle\n',
    { id: 'teapot', summary: 'The kettle' },
  ],
]

describe('front matter with', () => {
  it.each(FRONT)('%s is read', async (_, text, expected) => {
    const folder = await openFolder()
    folder.put('kettle.md', text)
    const after = await leavesAlone(folder)
    const id = typeof expected.id === 'string' ? expected.id : 'kettle'
    expect((await after.store.get(id)).record).toMatchObject(expected)
    expect(await after.skipped()).toEqual({})
  })

  it('unknown keys and comments keeps them when Mnemos changes another field', async () => {
    const folder = await openFolder()
    folder.put(
      'kettle.md',
      '---\n# mine\nsummary: The kettle # short\nmood: {calm: true}\n---\n\ntext  \n\nmore\n',
    )
    await folder.store.commit(
      [{ act: 'update', id: 'kettle', change: (record) => ({ ...record, tags: ['new'] }) }],
      person,
    )
    const text = folder.read('kettle.md')
    for (const kept of [
      '# mine\n',
      'summary: The kettle # short\n',
      'mood: {',
      'calm: true',
      '---\n\ntext  \n\nmore\n',
    ])
      expect(text).toContain(kept)
  })

  it('an id in it is the id: a file of that name beside it is a copy and named', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', '---\nid: teapot\nrev: 2\n---\nThe kettle\n')
    folder.put('teapot.md', 'The teapot\n')
    const after = await leavesAlone(folder)
    expect((await after.store.get('teapot')).record.summary).toBe('The kettle')
    expect(reportedBy(after.store)).toEqual([
      expect.stringContaining('"teapot" (memories/kettle.md counts, memories/teapot.md not)'),
    ])
    await expect(after.store.get('kettle')).rejects.toThrow('no record')
  })
})

describe('moving the whole folder', () => {
  it('away and back: absent in between, nothing forgotten, the same files afterwards', async () => {
    const folder = await openFolder()
    for (let n = 0; n < 40; n++) folder.put(`kettle-${n}.md`, `The kettle number ${n}\n`)
    expect(await folder.found('kettle')).toHaveLength(40)
    renameSync(folder.memories, `${folder.root}/away`)
    expect(await folder.found('kettle')).toEqual([])
    expect(reportedBy(folder.store)).toEqual([expect.stringContaining('40 record files vanished at once')])
    renameSync(`${folder.root}/away`, folder.memories)
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toHaveLength(40)
    expect([after.ledger('vanish'), after.store.absent]).toEqual([0, 0])
  })

  it('away while no host runs, with a record written meanwhile, and back: nothing is forgotten', async () => {
    const folder = await openFolder()
    for (let n = 0; n < 40; n++) folder.put(`kettle-${n}.md`, `The kettle number ${n}\n`)
    await folder.store.refresh()
    folder.store.close()
    renameSync(folder.memories, `${folder.root}/away`)
    mkdirSync(folder.memories)
    const without = await openFolder({ root: folder.root })
    await without.store.commit([{ act: 'create', record: { summary: 'Written without the others' } }], person)
    expect([without.store.absent, without.ledger('vanish')]).toEqual([40, 0])
    for (let n = 0; n < 40; n++)
      renameSync(`${folder.root}/away/kettle-${n}.md`, without.at(`kettle-${n}.md`))
    const after = await leavesAlone(without)
    expect(await after.found('kettle')).toHaveLength(40)
    expect(after.store.absent).toBe(0)
  })

  it.each([
    [20, 300, 20],
    [19, 300, 0],
    [20, 500, 0],
    [26, 500, 26],
  ])(
    '%d of %d files vanish at once: %d of them are absent, the others are forgotten',
    async (gone, all, absent) => {
      const folder = await openFolder()
      for (let n = 0; n < all; n++) folder.put(`kettle-${n}.md`, `The kettle number ${n}\n`)
      await folder.store.refresh()
      for (let n = 0; n < gone; n++) rmSync(folder.at(`kettle-${n}.md`))
      await folder.store.refresh()
      expect(folder.store.absent).toBe(absent)
      expect(folder.ledger('vanish')).toBe(absent > 0 ? 0 : gone)
      expect(await folder.found(`kettle number ${gone}`)).toContain(`kettle-${gone}`)
    },
  )
})

describe('a deleted record whose file is restored', () => {
  async function deleted(text: string, time?: Date) {
    const folder = await openFolder()
    folder.put('kettle.md', text, time)
    await folder.store.refresh()
    await folder.store.delete('kettle', person)
    return folder
  }
  const OLDER = new Date('2026-01-01')

  it('with its old time stays deleted, is named, and its bytes are left as they are', async () => {
    const folder = await deleted(OLD, OLDER)
    folder.put('kettle.md', OLD, OLDER)
    const after = await leavesAlone(folder)
    expect(await after.skipped()).toEqual({ 'kettle.md': expect.stringContaining('restored copy') })
    expect(await after.found('kettle')).toEqual([])
    await expect(after.store.get('kettle')).rejects.toThrow(/restored copy|was deleted/)
  })

  it('under another name, with its id and creation in the front matter, stays deleted too', async () => {
    const text = '---\nid: kettle\ncreated: 2026-01-01\n---\nThe kettle whistles\n'
    const folder = await deleted(text)
    folder.put('backup/kettle-old.md', text)
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([])
  })

  it('and touched: its front matter says when it was created, so it stays deleted', async () => {
    const text = '---\ncreated: 2026-01-01\n---\nThe kettle whistles\n'
    const folder = await deleted(text)
    folder.put('kettle.md', text, new Date(Date.now() + 60_000))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([])
  })

  it('LIMIT: and touched, without front matter: it cannot be told from a new note, and is one', async () => {
    const folder = await deleted(OLD, OLDER)
    folder.put('kettle.md', OLD, new Date(Date.now() + 60_000))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['kettle'])
  })

  it('or rather a new note of the same name is a new record: a name is never barred', async () => {
    const folder = await deleted(OLD, OLDER)
    folder.put('kettle.md', NEW, new Date(Date.now() + 60_000))
    const after = await leavesAlone(folder)
    expect(await after.found('teapot')).toEqual(['kettle'])
  })

  it('after a deletion of a file from the future: a note written now is new all the same', async () => {
    const folder = await deleted(OLD, new Date('2100-01-01'))
    folder.put('kettle.md', NEW, new Date(Date.now() + 60_000))
    expect(await folder.found('teapot')).toEqual(['kettle'])
    folder.put('kettle.md', OLD, new Date('2100-01-01'))
    expect(await folder.found('whistles')).toEqual([])
  })
})
