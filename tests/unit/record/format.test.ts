import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canBeSeen } from '../../../src/base/visible.ts'
import { decode } from '../../../src/record/encoding.ts'
import { format } from '../../../src/record/format.ts'
import { foreignValues, parse } from '../../../src/record/parse.ts'
import { type MemoryRecord, recordSchema } from '../../../src/record/record.ts'

import { explaining } from '../../support/messages.ts'
import { runs } from '../../support/runs.ts'

const facts = { stem: 'file-name', mtimeMs: Date.UTC(2026, 10, 30) }

const line = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .map((text) =>
      text
        .replace(/[\r\n\u2028\u2029\u0085\0]/g, ' ')
        .trim()
        .toWellFormed(),
    )
    // A hangul filler, as one, is no text that a record may have.
    .filter((text) => text !== '' && canBeSeen(text))
const id = fc.stringMatching(/^[a-z0-9_-]{1,12}$/)
const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const record: fc.Arbitrary<MemoryRecord> = fc
  .record(
    {
      id,
      kind: line(20),
      summary: line(100),
      content: fc
        .string({ unit: 'grapheme', maxLength: 400 })
        .map((text) => text.replaceAll('\r', '\n').replaceAll('\0', '').toWellFormed()),
      tags: fc.array(line(20), { maxLength: 5 }),
      askedAs: fc.array(line(60), { maxLength: 3 }),
      layer: fc.constantFrom('short', 'long', 'permanent'),
      status: fc.constantFrom('active', 'candidate', 'deprecated', 'archived'),
      confirmed: fc.boolean(),
      keep: fc.boolean(),
      validUntil: instant,
      source: fc.constantFrom('internal', 'external', 'autobiographical', 'validated'),
      author: line(40),
      session: line(40),
      order: fc.integer({ min: 1, max: 1e6 }),
      workspace: line(80),
      citation: fc.record({ session: line(20), ids: fc.array(line(20)), quote: line(60) }),
      derivedFrom: fc.array(id, { maxLength: 3 }),
      why: line(80),
      supersedes: fc.array(id, { maxLength: 3 }),
      supersededBy: fc.array(id, { maxLength: 3 }),
      deprecated: fc.record({ at: instant, by: line(20), why: line(80) }),
      links: fc.array(fc.record({ to: id, relation: line(20), why: line(40) }), { maxLength: 3 }),
      created: instant,
      updated: instant,
      rev: fc.integer({ min: 1, max: 1e6 }),
    },
    { requiredKeys: ['id', 'summary', 'created', 'updated'] },
  )
  .map((draft) => recordSchema.parse(draft))

describe('the file format', () => {
  it('gives back every field of a record it wrote', () => {
    fc.assert(
      fc.property(record, (one) => {
        expect(parse(format(one), facts)).toEqual(one)
      }),
      runs(40),
    )
  })

  it('keeps unknown keys, comments and untouched spelling over a rewrite', () => {
    const text = [
      '---',
      '# my own comment',
      "summary: 'quoted  in my way'",
      'mood: cheerful   # not a key of ours',
      'tags: [a, b]',
      'created: 2026-11-30',
      'extra: { deep: [1, 2] }',
      '---',
      'My body.',
      '',
      '',
    ].join('\n')
    const before = parse(text, facts)
    const after = format({ ...before, status: 'deprecated', rev: 2 }, { record: before, text })
    expect(after).toBe(
      text.replace(
        'created: 2026-11-30\n',
        'status: deprecated\ncreated: 2026-11-30\nupdated: 2026-11-30T00:00:00.000Z\nrev: 2\n',
      ),
    )
    expect(parse(after, facts)).toEqual({ ...before, status: 'deprecated', rev: 2 })
  })

  it('two rewrites in a row change what they change and nothing else', () => {
    fc.assert(
      fc.property(record, line(60), fc.array(line(10), { maxLength: 3 }), (one, summary, tags) => {
        const first = format(one)
        const second = format({ ...one, summary }, { record: one, text: first })
        const third = format({ ...one, summary, tags }, { record: { ...one, summary }, text: second })
        expect(parse(third, facts)).toEqual({ ...one, summary, tags })
      }),
      runs(30),
    )
  })

  it('reads one hand-written line as a record named by its file', () => {
    expect(parse('The kettle whistles at 80 degrees', facts)).toMatchObject({
      id: 'file-name',
      summary: 'The kettle whistles at 80 degrees',
      content: '',
      kind: 'note',
      source: 'internal',
      author: 'person',
      created: '2026-11-30T00:00:00.000Z',
    })
  })

  it('cuts a long first line at 200 characters as its summary and keeps all of it in the content', () => {
    const long = '长'.repeat(250)
    const one = parse(`${long}\nsecond line`, facts)
    expect(one.summary).toBe('长'.repeat(200))
    expect(one.content).toBe(`${long}\nsecond line`)
  })

  it('a rewrite leaves hand-written words where they stand, and keeps the day on which they were written', () => {
    const later = { ...facts, mtimeMs: facts.mtimeMs + 1e9 }
    for (const text of ['# Title\n\nThe rest.\n', '---\ntags: [z]\n---\n# Title\nThe rest.', 'Only a line']) {
      const before = parse(text, facts)
      const after = format(
        { ...before, status: 'deprecated', updated: '2026-12-24T00:00:00.000Z', rev: 2 },
        { record: before, text },
      )
      expect(after).toContain(text.replace(/^---[\s\S]*---\n/, ''))
      expect(after).not.toContain('summary:')
      expect(parse(after, later)).toEqual({
        ...before,
        status: 'deprecated',
        updated: '2026-12-24T00:00:00.000Z',
        rev: 2,
      })
    }
  })

  it('takes one id for a list of ids', () => {
    expect(parse('---\nsupersedes: old-plan\n---\nx', facts).supersedes).toEqual(['old-plan'])
  })

  it('a hand-written file stays valid when its fields change', () => {
    const text = 'First line\n\nThe rest.\n'
    const before = parse(text, facts)
    const after = format({ ...before, status: 'deprecated' }, { record: before, text })
    expect(parse(after, facts)).toEqual({ ...before, status: 'deprecated' })
    const front = '---\ntags: one\n---\nFirst line\nThe rest.'
    const other = parse(front, facts)
    expect(other).toMatchObject({ summary: 'First line', content: 'The rest.', tags: ['one'] })
    const rewritten = format({ ...other, keep: true }, { record: other, text: front })
    expect(parse(rewritten, facts)).toEqual({ ...other, keep: true })
  })

  it.each([
    ['a time that no month has', 'created: 2026-11-31', 'created', /must be an ISO date/],
    ['a truth value for a mapping', 'deprecated: true', 'deprecated', /must be a list of keys and values/],
    ['an unknown layer', 'layer: forever', 'layer', /must be short, long or permanent/],
    ['an address as source', 'source: https://example.org/a', 'source', /must be internal/],
    ['a list of authors', 'author:\n  - A\n  - B', 'author', /must be a text/],
    ['a state of a to-do list', 'status: in-progress', 'status', /must be active/],
    ['a text for a number', 'rev: many', 'rev', /must be a number/],
    ['a path as id', 'id: ../../etc/passwd', 'id', /must be 1 to 64/],
    ['wiki links', 'links: ["[[x]]"]', 'links', /must be/],
    ['33 tags', `tags: [${Array.from({ length: 33 }, (_, n) => `t${n}`).join(', ')}]`, 'tags', /at most 32/],
    ['content beside the body', 'content: x', undefined, undefined],
  ])('a value of another program is kept, not used and named: %s', (_, line, key, wrong) => {
    const text = `---\ntitle: A clip\n${line}\n---\nThe note\n`
    const record = parse(text, facts)
    const plain = parse('---\ntitle: A clip\n---\nThe note\n', facts)
    expect(record).toEqual(plain)
    expect(foreignValues(text)).toEqual(
      key === undefined ? [] : [{ key, line: 3, wrong: expect.stringMatching(wrong ?? /^$/) }],
    )
    const after = format({ ...record, keep: true }, { record, text })
    expect(after).toContain(`\n${line}\n`)
    expect(parse(after, facts)).toEqual({ ...plain, keep: true })
  })

  it('takes what people leave empty for nothing', () => {
    const text = '---\ncreated: ""\ntags:\n  -\n  - one\n  - ""\nkind: ~\nstatus:\n---\nThe note\n'
    expect(parse(text, facts)).toMatchObject({ tags: ['one'], kind: 'note', status: 'active' })
    expect(foreignValues(text)).toEqual([])
  })

  it('reads truth values and numbers as people write them', () => {
    expect(parse('---\nkeep: yes\nconfirmed: False\nrev: 007\n---\nx', facts)).toMatchObject({
      keep: true,
      confirmed: false,
      rev: 7,
    })
  })

  it.each([
    ['a byte order mark', '\ufeff'],
    ['blank lines', '\n \n'],
    ['both', '\ufeff\n'],
  ])('front matter after %s is front matter, and stays where it is', (_, before) => {
    for (const eol of ['\n', '\r\n']) {
      const text = `${before}---\nuid: x\nkind: fact\n---\nThe note\n`.replaceAll('\n', eol)
      const record = parse(text, facts)
      expect(record).toMatchObject({ kind: 'fact', summary: 'The note', content: '' })
      const after = format({ ...record, kind: 'other' }, { record, text })
      expect(after.startsWith(`${before.replaceAll('\n', eol)}---${eol}uid: x${eol}kind: other${eol}`)).toBe(
        true,
      )
      expect(after.match(/^\ufeff?---\r?$/gm)).toHaveLength(2)
      expect(eol === '\n' ? after.includes('\r') : /[^\r]\n/.test(after)).toBe(false)
    }
  })

  it('a rule after a blank line is no front matter', () => {
    expect(parse('\n---\nA thought\n---\nmore\n', facts)).toMatchObject({
      summary: 'A thought',
      content: '---\nA thought\n---\nmore',
    })
  })

  it('leaves TOML alone, and never puts a second block above it', () => {
    const text = '+++\ntitle = "x"\nid = 7\n+++\n\nThe note\n\nmore\n'
    const record = parse(text, facts)
    expect(record).toMatchObject({ id: 'file-name', summary: 'The note', content: 'more' })
    expect(() => explaining(() => format({ ...record, keep: true }, { record, text }))).toThrow(/TOML/)
  })

  it.each([
    ['# A heading', 'A heading'],
    ['### A heading ##', 'A heading'],
    ['#tag and text', '#tag and text'],
  ])('the summary of a note that begins with %s is %s', (first, summary) => {
    expect(parse(`${first}\n\nThe rest.\n`, facts)).toMatchObject({ summary, content: 'The rest.' })
  })

  it.each([
    ['My note', 'My-note'],
    ['v1.2 (draft)', 'v1-2-draft-'],
    ['🫖 tea', '-tea'],
    ['2026.11.30 茶会', '2026-11-30-茶会'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('the id of a file named %s is %s', (stem, expected) => {
    expect(parse('x', { ...facts, stem }).id).toBe(expected)
  })

  it.each([
    ['not closed', '---\nsummary: x\n', /not closed/],
    ['a list', '---\n[a,\nkind: b]\n---\nx', /key: value/],
    ['broken YAML', '---\nsummary: "x\n---\nx', /YAML/],
    ['no text', '---\ntags: [a]\n---\n\n', /neither a summary nor a line/],
    [
      'an alias bomb',
      `---\na: &a [x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\n---\nx`,
      /YAML/,
    ],
  ])('names what is wrong with %s', (_, text, reason) => {
    expect(() => explaining(() => parse(text, facts))).toThrow(reason)
  })

  it.each([
    ['alone', '---\nsummary：水壶\n---\nx', /key: value.*"summary：" has a full-width colon: ： is not :/],
    ['before a key', '---\nsummary：水壶\ntags: [a]\n---\nx', /YAML.*"summary：" has a full-width colon/],
    ['after a key', '---\nstatus: active\nsummary：水壶\n---\nx', /YAML.*"summary：" has a full-width/],
    ['in a list', '---\ntags: ["水"，"壶"]\n---\nx', /YAML.*a list has a full-width comma: ， is not ,/],
  ])('hints at full-width signs, %s, and takes them for nothing else', (_, text, reason) => {
    expect(() => explaining(() => parse(text, facts))).toThrow(reason)
  })

  it('has no word on full-width signs where they are the person’s text', () => {
    expect(parse('---\nsummary: 水壶：八十度，会响\n---\n注意：烫', facts)).toMatchObject({
      summary: '水壶：八十度，会响',
      content: '注意：烫',
    })
  })

  it.each([
    ['empty', Buffer.alloc(0), /empty/],
    ['GBK', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), /UTF-8/],
    ['UTF-16', Buffer.from('text', 'utf16le'), /NUL/],
  ])('does not take %s for text', (_, bytes, reason) => {
    expect(() => explaining(() => decode(bytes))).toThrow(reason)
  })
})
