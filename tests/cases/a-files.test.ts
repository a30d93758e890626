/** Issue "What the first trial broke", part A: a person's files, each small input with its right value. */
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RecordIndex } from '../../src/search/index/record-index.ts'
import { deprecation } from '../../src/store/correction.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { callTool } from '../../src/tools/exit.ts'
import { inProcess } from '../support/cli.ts'
import { openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const INPUT = join(import.meta.dirname, 'input')
const person = personContext()
const env = { context: person, notices: () => [], ask: async () => 'allowed' as const }

/** A memory with these files in it; a path of `input/`, or a name with its text. */
async function withFiles(...files: (string | [name: string, text: string])[]) {
  const root = await tempDir('cases')
  const memories = join(root, 'memories')
  mkdirSync(memories, { recursive: true })
  for (const file of files) {
    if (typeof file === 'string') cpSync(join(INPUT, file), join(memories, basename(file)))
    else writeFileSync(join(memories, file[0]), file[1])
  }
  const { memory, store } = await openStore({ root })
  const tool = async (name: string, args: object): Promise<Record<string, unknown>> => {
    const found = memory.tools.find((one) => one.name === name)
    if (!found) throw new Error(`there is no tool ${name}`)
    return callTool(found, args, env, { log: (line) => expect(line).toBe('') })
  }
  const text = (name: string) => readFileSync(join(memories, name), 'utf8')
  const input = (name: string) => readFileSync(join(INPUT, name), 'utf8')
  const deprecate = (id: string) => store.commit(deprecation(id, 'person', 'it was wrong'), person)
  return { root, memories, store, tool, text, input, deprecate }
}

/** The lines of a text that another one has not, in order. */
const linesWithout = (text: string, added: RegExp) =>
  text
    .split('\n')
    .filter((line) => !added.test(line))
    .join('\n')

/** What a deprecation adds to a hand-written file, a line each. */
const ADDED = /^(?:status|deprecated|created|updated|rev| {2}at| {2}by| {2}why):/

afterEach(() => {
  vi.restoreAllMocks()
})

describe('A1 only what changed is rewritten', () => {
  it.each([
    ['numbers/zettel.md', 'zettel'],
    ['template/k.md', 'k'],
    ['vault/clip.md', 'clip'],
  ])('%s: a deprecation adds its lines and changes no other byte', async (file, id) => {
    const { deprecate, text, input } = await withFiles(file)
    await deprecate(id)
    const after = text(`${id}.md`)
    expect(after).toContain('\nstatus: deprecated\n')
    const before = input(file)
    const kept =
      file === 'vault/clip.md' ? /^(?:status|deprecated|updated|rev| {2}at| {2}by| {2}why):/ : ADDED
    expect(linesWithout(after, kept)).toBe(before)
  })

  it('numbers/zettel.md: superseding it keeps every digit, sign and zero', async () => {
    const { tool, text } = await withFiles('numbers/zettel.md')
    await tool('remember', { summary: 'The kettle is blue', supersedes: ['zettel'] })
    expect(text('zettel.md')).toContain('uid: 20240101123045678\nphone: +8613800138000\ncard: 0755\n')
  })

  it('numbers/card.md: the summary has the digits as written', async () => {
    const { tool } = await withFiles('numbers/card.md')
    const { hits } = await tool('recall', { query: '6222021234567890123' })
    expect(hits).toMatchObject([{ summary: '6222021234567890123' }])
  })

  it('numbers/first.md, second.md: two ids of 17 digits are two records; deleting one leaves the other', async () => {
    const { store, text } = await withFiles('numbers/first.md', 'numbers/second.md')
    expect(store.ids().sort()).toEqual(['20240101123045678', '20240101123045679'])
    await store.delete('20240101123045678', person)
    expect(store.ids()).toEqual(['20240101123045679'])
    expect(text('second.md')).toBe('---\nid: 20240101123045679\n---\nsecond zettel\n')
  })
})

describe('A2 front matter', () => {
  it('twofronts/blank.md: after a blank line it is front matter, and stays one block', async () => {
    const { store, deprecate, text } = await withFiles('twofronts/blank.md')
    expect((await store.get('blank')).record).toMatchObject({ kind: 'decision', summary: 'We use gas' })
    await deprecate('blank')
    expect(text('blank.md').match(/^---$/gm)).toHaveLength(2)
    expect(text('blank.md').startsWith('\n---\nkind: decision\nsummary: We use gas\n')).toBe(true)
  })

  it('A2 is closed by "..." too, as Pandoc and Zettlr write it, and stays so', async () => {
    const written = '---\ntitle: Zettel\nkeywords: [a]\n...\n\nThe kettle... boils\n...\n'
    const { store, deprecate, text } = await withFiles(['zettel.md', written])
    expect((await store.get('zettel')).record).toMatchObject({ summary: 'Zettel' })
    await deprecate('zettel')
    expect(linesWithout(text('zettel.md'), ADDED)).toBe(written)
    expect((await store.get('zettel')).record.content).toBe('The kettle... boils\n...')
  })

  it('A1 a carriage return within a line stays one, whatever is changed', async () => {
    const written = '---\nkind: fact\nsummary: Progress\n---\n10%\r20%\r\r30%\nDone\r\r\nEnd\r'
    const { store, deprecate, text } = await withFiles(['cr.md', written])
    await deprecate('cr')
    expect(linesWithout(text('cr.md'), ADDED)).toBe(written)
    const base = text('cr.md')
    const mine = base.replace('Done', 'Ready')
    await store.commit([{ act: 'edit', id: 'cr', base, mine }], person)
    expect(linesWithout(text('cr.md'), ADDED)).toBe(written.replace('Done', 'Ready'))
    await store.commit(
      [{ act: 'update', id: 'cr', change: (one) => ({ ...one, content: `${one.content} of it` }) }],
      person,
    )
    expect(text('cr.md')).toContain('10%\r20%\r\r30%')
    expect((await store.get('cr')).record.content).toContain('30%\nReady\nEnd of it')
  })

  it.each(['\n', '\r\n'])(
    'A1 a file that ends with its last fence loses no line of a new text (%j)',
    async (eol) => {
      const { store, text } = await withFiles(['f.md', `---${eol}summary: The kettle${eol}---`])
      const content = '\nIt is red.\n\nAnd big.'
      await store.commit([{ act: 'update', id: 'f', change: (one) => ({ ...one, content }) }], person)
      expect((await store.get('f')).record).toMatchObject({ summary: 'The kettle', content })
      expect(text('f.md').endsWith(`---${eol}${eol}${eol}It is red.${eol}${eol}And big.${eol}`)).toBe(true)
    },
  )

  it('A1 front matter on one line takes a text of several lines', async () => {
    const why =
      'It was wrong.\n\nVery "wrong": all of it, from the first line to the last one, and more than that.\n'
    const { store, text } = await withFiles([
      'flow.md',
      '---\n{summary: The kettle, kind: fact}\n---\nText\n',
    ])
    await store.commit(deprecation('flow', 'person', why), person)
    expect(text('flow.md')).toMatch(/^---\n\{summary: The kettle, kind: fact, .*\}\n---\nText\n$/)
    expect((await store.get('flow')).record).toMatchObject({ status: 'deprecated', deprecated: { why } })
    await store.commit([{ act: 'update', id: 'flow', change: (one) => ({ ...one, why }) }], person)
    expect((await store.get('flow')).record.why).toBe(why.trim())
  })

  it.each([
    ['a rule above a text', '---\n\nThe kettle\n\nNote: it is red.\n', 'The kettle'],
    ['a rule right above a text', '---\nThe kettle is red.\n', 'The kettle is red.'],
    ['text between two rules', '---\nThe kettle is red.\n\nMore of it.\n---\nTail\n', 'The kettle is red.'],
    ['a list between two rules', '---\n- The kettle\n- The pot\n---\nTail\n', '- The kettle'],
    ['a heading between two rules', '---\n# The kettle\n\nIt is red.\n---\nTail\n', 'The kettle'],
    ['a quote between two rules', '---\n> Anna: the kettle\n---\nTail\n', '> Anna: the kettle'],
    [
      'an address and a time',
      '---\nhttps://example.com at 10:30\n---\nTail\n',
      'https://example.com at 10:30',
    ],
    ['an empty heading', '# \n\nThe kettle\n', 'The kettle'],
    ['an empty heading with signs behind it', '## ##\nThe kettle\n', 'The kettle'],
  ])('A2 a note that begins with %s is a note with all of its text', async (_, written, summary) => {
    const { store, deprecate, text } = await withFiles(['rule.md', written])
    const { record } = await store.get('rule')
    expect(record).toMatchObject({ summary, content: written.trimEnd() })
    await deprecate('rule')
    expect(text('rule.md').endsWith(`---\n\n${written}`)).toBe(true)
    expect((await store.get('rule')).record).toMatchObject({ summary, content: record.content })
  })

  it.each([
    ['not closed', '---\ntitle: Kettle\n\nThe kettle\n', /Put a line "---" below the last "key: value" line/],
    [
      'no YAML',
      '---\nNote: the kettle\nis red\nand: big\n---\nTail\n',
      /write "\*\*\*" for the first of them/,
    ],
  ])('A2 front matter that is %s is named with what to do', async (_, written, remedy) => {
    const { store } = await withFiles(['bad.md', written])
    const { fileRemedy } = await import('../../src/messages/english/files.ts')
    expect(store.bad().map(({ fault }) => fileRemedy(fault))).toEqual([expect.stringMatching(remedy)])
  })

  it('a TOML block is left alone, and no second one is put above it', async () => {
    const toml = '+++\ntitle = "x"\ndate = 2024-05-02\n+++\n\nThe kettle is tin\n'
    const { store, deprecate, text } = await withFiles(['tin.md', toml])
    expect((await store.get('tin')).record.summary).toBe('The kettle is tin')
    await expect(deprecate('tin')).rejects.toThrow()
    expect(text('tin.md')).toBe(toml)
  })

  it('template/k.md: nothing is written on standard error', async () => {
    const warned = vi.spyOn(process, 'emitWarning')
    const { store } = await withFiles('template/k.md')
    expect((await store.get('k')).record.summary).toBe('The boiler')
    expect(warned).not.toHaveBeenCalled()
  })
})

describe('A3 a foreign value is no reason to lose a note', () => {
  it('vault/clip.md: it is a record, the foreign values are kept, and the doctor names them with their lines', async () => {
    const { root, store } = await withFiles('vault/clip.md')
    expect((await store.get('clip')).record).toMatchObject({
      summary: 'How kettles work',
      content: 'Kettles boil water.',
      source: 'internal',
      author: 'person',
      tags: ['clippings'],
      created: '2024-05-02T00:00:00.000Z',
    })
    const { examine } = await import('../../src/doctor/examine.ts')
    const { layoutOf } = await import('../../src/files/layout.ts')
    const { nodeDisk } = await import('../../src/base/disk.ts')
    const { placesOn } = await import('../../src/base/place.ts')
    const { findings } = examine({
      disk: nodeDisk,
      layout: layoutOf(root),
      place: placesOn(nodeDisk),
      now: Date.now(),
    })
    expect(findings.filter(({ code }) => code === 'FOREIGN_VALUES')).toMatchObject([
      {
        paths: ['memories/clip.md'],
        details: {
          values: [
            { key: 'source', line: 3 },
            { key: 'author', line: 4 },
          ],
        },
      },
    ])
  })

  it.each([
    ['with spaces.md', 'with-spaces'],
    ['v1.2 notes.md', 'v1-2-notes'],
    ['🫖 kettle.md', '-kettle'],
  ])('a file named "%s" is the record %s', async (name, id) => {
    const { store } = await withFiles([name, 'The kettle\n'])
    expect(store.ids()).toEqual([id])
  })

  it('names that become one id are named as copies', async () => {
    const { store } = await withFiles(['a b.md', 'One\n'], ['a.b.md', 'Two\n'])
    expect(store.ids()).toEqual(['a-b', 'a-b'])
    expect(store.problems().map(({ code }) => code)).toContain('COPIES')
  })
})

/** What `mnemos doctor` says of values that are not used: key and line. */
async function unusedIn(root: string) {
  const { examine } = await import('../../src/doctor/examine.ts')
  const { layoutOf } = await import('../../src/files/layout.ts')
  const { nodeDisk } = await import('../../src/base/disk.ts')
  const { placesOn } = await import('../../src/base/place.ts')
  const place = placesOn(nodeDisk)
  const { findings } = examine({ disk: nodeDisk, layout: layoutOf(root), place, now: Date.now() })
  return findings.flatMap((one) => (one.code === 'FOREIGN_VALUES' ? one.details.values : []))
}

describe('A3 a change of ours leaves a foreign value as it is', () => {
  const FRONT = [
    'status: in-progress',
    'source: "https://example.com" # where I read it',
    'links: ["[[kettle]]"]',
    'updated: last week',
    'rev: 3.1',
  ]
  const NOTE = `---\nkind: decision\n${FRONT.join('\n')}\n---\nWe use gas\n`

  it('A3 status, source, updated and rev stay, ours stand beside them, and both are read', async () => {
    const { store, deprecate, text } = await withFiles(['k.md', NOTE])
    await deprecate('k')
    const after = text('k.md')
    for (const line of FRONT) expect(after.split('\n')).toContain(line)
    expect(after).toContain('\nmnemos-status: deprecated\n')
    expect((await store.get('k')).record).toMatchObject({
      status: 'deprecated',
      source: 'autobiographical',
      rev: 2,
      deprecated: { why: 'it was wrong' },
    })
    await store.commit(
      [{ act: 'update', id: 'k', change: (one) => ({ ...one, status: 'active', deprecated: undefined }) }],
      person,
    )
    expect(text('k.md')).not.toContain('mnemos-status')
    for (const line of FRONT) expect(text('k.md').split('\n')).toContain(line)
    expect((await store.get('k')).record).toMatchObject({ status: 'active', rev: 3 })
  })

  it('A3 a value of ours that a person writes later counts, and the one beside it goes with the next change', async () => {
    const { store, deprecate, memories, text } = await withFiles(['k.md', NOTE])
    await deprecate('k')
    writeFileSync(join(memories, 'k.md'), text('k.md').replace('status: in-progress', 'status: candidate'))
    await store.refresh()
    expect((await store.get('k')).record.status).toBe('candidate')
    await deprecate('k')
    expect(text('k.md')).toContain('\nstatus: deprecated\n')
    expect(text('k.md')).not.toContain('mnemos-status')
  })

  it('A3 what is cut off a value is named by the doctor with its line', async () => {
    const tags = Array.from({ length: 33 }, (_, n) => `t${n}`).join(', ')
    const { root, store } = await withFiles(
      ['asked.md', '---\nkind: note\naskedAs: [one, two, three, four]\n---\nThe kettle\n'],
      ['long.md', `---\nsummary: ${'long '.repeat(50)}\n---\nText\n`],
      ['tags.md', `---\ntags: ${tags}\n---\nTags\n`],
      ['tag.md', `---\n\ntags:\n  - ${'x'.repeat(70)}\n---\nTag\n`],
    )
    expect(store.ids()).toHaveLength(4)
    expect((await store.get('asked')).record.askedAs).toEqual(['one', 'two', 'three'])
    const found = await unusedIn(root)
    expect(found.map(({ key, line, wrong }) => `${key} ${line} ${wrong}`).sort()).toEqual([
      'askedAs 3 only the first 3 of 4 are used',
      'summary 2 only its first 200 characters are used',
      'tags 2 must be at most 32 entries',
      'tags 3 only the first 64 characters of each are used',
    ])
  })
})

describe('A4 what a note says of itself', () => {
  it('a heading gives its words', async () => {
    const { store } = await withFiles(['h.md', '# The kettle\n\nIt is red.\n'])
    expect((await store.get('h')).record).toMatchObject({ summary: 'The kettle', content: 'It is red.' })
  })

  describe('title and description of a web clip', () => {
    const CLIP = [
      '---',
      'title: "Descaling a boiler"',
      'description: Vinegar dissolves limescale overnight',
      '---',
      '# Another heading',
      '',
      'Text of the page.',
      '',
    ].join('\n')

    it('A4 without a summary the title is one, and the text is whole', async () => {
      const { store, deprecate, text } = await withFiles(['clip.md', CLIP])
      expect((await store.get('clip')).record).toMatchObject({
        summary: 'Descaling a boiler',
        content: '# Another heading\n\nText of the page.',
      })
      await deprecate('clip')
      expect(linesWithout(text('clip.md'), ADDED)).toBe(CLIP)
      await store.commit(
        [{ act: 'update', id: 'clip', change: (one) => ({ ...one, content: 'New text.' }) }],
        person,
      )
      expect(text('clip.md')).not.toContain('summary:')
      expect((await store.get('clip')).record).toMatchObject({
        summary: 'Descaling a boiler',
        content: 'New text.',
      })
    })

    it('A4 a title that goes leaves the summary that it gave', async () => {
      const { store } = await withFiles(['clip.md', CLIP])
      await store.commit(
        [{ act: 'update', id: 'clip', change: (one) => ({ ...one, title: undefined }) }],
        person,
      )
      expect((await store.get('clip')).record).toMatchObject({
        summary: 'Descaling a boiler',
        content: '# Another heading\n\nText of the page.',
      })
    })

    it('A4 both are searched, also beside a summary', async () => {
      const { tool } = await withFiles(
        ['clip.md', CLIP],
        ['own.md', '---\nsummary: The grey one\ntitle: Mangling a towel\n---\nLong text\n'],
      )
      const ids = async (query: string) =>
        ((await tool('recall', { query })).hits as { id: string }[]).map(({ id }) => id)
      expect(await ids('limescale')).toEqual(['clip'])
      expect(await ids('descaling')).toEqual(['clip'])
      expect(await ids('mangling')).toEqual(['own'])
      expect((await tool('recall', { query: 'limescale' })).hits).toMatchObject([
        { matched: [{ term: 'limescale', fields: ['content'] }] },
      ])
    })

    it('A4 what was deleted is cut out of both', async () => {
      const words = 'the secret recipe has seven herbs in it'
      const { store, text } = await withFiles(
        ['secret.md', `${words}\n`],
        ['made.md', `---\nderivedFrom: secret\ntitle: Soup\ndescription: ${words}\n---\nText\n`],
      )
      await store.delete('secret', person)
      expect(text('made.md')).not.toContain('seven herbs')
      expect((await store.get('made')).record).toMatchObject({ summary: 'Soup', content: 'Text' })
    })
  })

  it.each([
    ['tea, pots', ['tea', 'pots']],
    ['"tea，pots ,"', ['tea', 'pots']],
    ['tea', ['tea']],
    ['[true, 2024, 1.50, null, ~, ""]', ['true', '2024', '1.50']],
    ['true', ['true']],
    ['2024', ['2024']],
    ['', []],
  ])('A4 tags: %s', async (written, tags) => {
    const { store, deprecate, text } = await withFiles(['t.md', `---\ntags: ${written}\n---\nThe kettle\n`])
    expect((await store.get('t')).record.tags).toEqual(tags)
    await deprecate('t')
    expect(text('t.md').split('\n')).toContain(`tags: ${written}`)
  })

  it('vault/aliasy.md: the error is of whole characters and names the line', async () => {
    const { root } = await withFiles('vault/aliasy.md')
    const { session, said } = await inProcess(root)
    const { showCommand } = await import('../../src/cli/show.ts')
    const { explained } = await import('../../src/messages/messages.ts')
    const thrown = await showCommand(session, 'aliasy').catch((error: unknown) => explained(error))
    expect(thrown).toBeInstanceOf(Error)
    const { message } = thrown as Error
    expect(message.isWellFormed()).toBe(true)
    expect(message).toMatch(/line 2|YAML/)
    expect(said().text).toBe('')
  })
})

describe('A5 the date of a note', () => {
  const AT = new Date('2024-05-02T10:00:00Z')
  const old = (file: string) => utimesSync(file, AT, AT)

  it('a rewrite of a note without `created` writes its date, and never 1970', async () => {
    const { memories, store, deprecate, text } = await withFiles(['old.md', 'The kettle\n'])
    old(join(memories, 'old.md'))
    await store.refresh()
    await deprecate('old')
    expect(text('old.md')).toContain('\ncreated: 2024-05-02T10:00:00.000Z\n')
    expect((await store.get('old')).record.created).toBe('2024-05-02T10:00:00.000Z')
  })

  it.each([
    ['[[2024-01-05]]', '2024-01-05T00:00:00.000Z'],
    ['"[[2024-01-05]]"', '2024-01-05T00:00:00.000Z'],
    ['2024/01/05', '2024-01-05T00:00:00.000Z'],
    ['20240105', '2024-01-05T00:00:00.000Z'],
    ['20240105103000', '2024-01-05T10:30:00.000Z'],
    ['202401051030', '2024-01-05T10:30:00.000Z'],
    ['05-01-2024', undefined],
    ['05/01/2024', undefined],
    ['January 5, 2024', undefined],
    ['20241305', undefined],
    ['1704450600', undefined],
    ['{{date}}', undefined],
  ])('A5 created: %s stays as it is and moves by no change of ours', async (spelling, safe) => {
    const written = `---\ncreated: ${spelling}\n---\nThe kettle\n`
    const { root, memories, store, deprecate, text } = await withFiles(['old.md', written])
    old(join(memories, 'old.md'))
    await store.refresh()
    const right = safe ?? AT.toISOString()
    expect((await store.get('old')).record.created).toBe(right)
    await deprecate('old')
    expect((await store.get('old')).record.created).toBe(right)
    const base = text('old.md')
    await store.commit([{ act: 'edit', id: 'old', base, mine: `${base}It is red.\n` }], person)
    utimesSync(join(memories, 'old.md'), new Date(), new Date())
    await store.refresh()
    expect((await store.get('old')).record.created).toBe(right)
    expect(text('old.md').split('\n')).toContain(`created: ${spelling}`)
    expect(await unusedIn(root)).toHaveLength(safe === undefined ? 1 : 0)
  })

  it('an edit of a plain note moves no date', async () => {
    const { memories, store, text } = await withFiles(['old.md', 'The kettle\n'])
    old(join(memories, 'old.md'))
    await store.refresh()
    await store.commit([{ act: 'edit', id: 'old', base: 'The kettle\n', mine: 'The red kettle\n' }], person)
    expect(text('old.md')).toBe('The red kettle\n')
    expect((await store.get('old')).record.created).toBe('2024-05-02T10:00:00.000Z')
  })

  it('cutting the words of a deleted record out of a derived one moves no date', async () => {
    const { memories, store, text } = await withFiles(
      ['secret.md', 'the secret recipe has seven herbs in it\n'],
      ['made.md', '---\nderivedFrom: secret\n---\nIt says: the secret recipe has seven herbs in it\n'],
    )
    old(join(memories, 'made.md'))
    await store.refresh()
    await store.delete('secret', person)
    expect(text('made.md')).toContain('created: 2024-05-02T10:00:00.000Z')
    expect(text('made.md')).not.toContain('seven herbs')
  })
})

describe('E26 a file of another system', () => {
  it.each([
    ['Windows line ends', '---\r\nkind: fact\r\n---\r\nThe kettle\r\n\r\nIt is red.\r\n', '\r\n'],
    ['a byte order mark', '\ufeff---\nkind: fact\n---\nThe kettle\n\nIt is red.\n', '\n'],
  ])('with %s is a record, and keeps them when it is changed', async (_, written, eol) => {
    const { store, deprecate, text } = await withFiles(['w.md', written])
    expect((await store.get('w')).record).toMatchObject({
      kind: 'fact',
      summary: 'The kettle',
      content: 'It is red.',
    })
    await deprecate('w')
    const after = text('w.md')
    expect(after.startsWith(written.slice(0, written.indexOf('kind')))).toBe(true)
    expect(after.endsWith(`---${eol}The kettle${eol}${eol}It is red.${eol}`)).toBe(true)
    expect(eol === '\r\n' ? /[^\r]\n/.test(after) : after.includes('\r')).toBe(false)
    expect((await store.get('w')).record.status).toBe('deprecated')
  })

  it('E26 a thousand bad files are a few transactions, not one each', async () => {
    const written = vi.spyOn(RecordIndex.prototype, 'putBad')
    const files = Array.from({ length: 1000 }, (_, n): [string, string] => [
      `bad-${n}.md`,
      '---\na: [\n---\nx\n',
    ])
    const { store } = await withFiles(...files)
    await store.refresh()
    expect(store.bad()).toHaveLength(1000)
    expect(written.mock.calls.flat(2)).toHaveLength(1000)
    expect(written.mock.calls.length).toBeLessThan(20)
  })
})
