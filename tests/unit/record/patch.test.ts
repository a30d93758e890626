/** A change of ours changes the fields that changed, and no other byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { FRONT_OPTIONS, patchFront } from '../../../src/record/patch.ts'
import { runs } from '../../support/runs.ts'

const ORDER = ['id', 'summary', 'tags', 'status', 'created', 'rev']
const patch = (front: string, fields: Record<string, unknown>, order = ORDER) =>
  patchFront(
    front,
    Object.entries(fields).map(([key, value]) => ({ key, value })),
    order,
  )

describe('what stands there stays', () => {
  it.each([
    ['long numbers', 'uid: 20231231235959680\nstatus: x\n'],
    ['a zero and a sign in front', 'card: 0755\nphone: +86 138 0000 0000\nstatus: x\n'],
    ['a template', 'title: {{title}}\ndate: {{date:YYYY-MM-DD}}\nstatus: x\n'],
    ['dates and times', 'date: 2026-11-30\nat: 2026-11-30 08:00:00 +8\nstatus: x\n'],
    ['numbers in other notations', 'a: 0x1F\nb: 1_000\nc: 1e3\nd: .5\ne: 12:30:45\nstatus: x\n'],
    ['truth values and nothing', 'a: yes\nb: NO\nc: ~\nd: null\ne:\nstatus: x\n'],
    ['quotes', `a: 'it''s'\nb: "tab\\t"\n"q k": v\n'r k': w\nstatus: x\n`],
    ['comments', '# first\na: 1 # one\n\n# before status\nstatus: x\n# last\n'],
    ['anchors and aliases', 'a: &n [1, 2]\nb: *n\nstatus: x\n'],
    ['block texts', 'a: |\n  one\n    two\n\nb: >-\n  folded\n  text\nstatus: x\n'],
    ['tags of YAML', 'a: !!str 5\nb: !own y\nstatus: x\n'],
    ['an indented mapping', '  a: 0755\n  status: x\n'],
    ['tabs between', 'a:\t0755\nstatus:\tx\n'],
    ['full-width signs', 'a: 全角：冒号，逗号\ntags: [一，二]\nstatus: x\n'],
    ['nested mappings', 'a:\n  b:\n    - c: 007\n      d: [ 1,2 ]\nstatus: x\n'],
    ['an explicit key', '? a\n: 0755\nstatus: x\n'],
  ])('%s', (_, front) => {
    for (const eol of ['\n', '\r\n']) {
      const text = front.replaceAll('\n', eol)
      const after = text.replace(/(status:[ \t]*)x/, '$1deprecated').replace('status:\t', 'status: ')
      expect(patch(text, { status: 'deprecated' })).toBe(after)
      // A new field is a line of its own, and taking it out again is the text from before.
      const more = patch(text, { why: 'because' })
      expect(more?.replace(new RegExp(` *why: because${eol}`), '')).toBe(text)
      expect(patch(more ?? '', { why: undefined })).toBe(text)
    }
  })

  it('keeps the comment behind a value, and a list on its line', () => {
    const front = 'tags: [a, 0755] # mine\nstatus: active # for now\n'
    expect(patch(front, { tags: ['a', '0755', 'b'], status: 'archived' })).toBe(
      'tags: [a, 0755, b] # mine\nstatus: archived # for now\n',
    )
  })

  it('keeps the items of a list, with their comments and spelling', () => {
    const front = 'tags:\n  - a # one\n  - "b"\n  - 0755\nstatus: x\n'
    expect(patch(front, { tags: ['a', 'b', '0755', 'c'] })).toBe(
      'tags:\n  - a # one\n  - "b"\n  - 0755\n  - c\nstatus: x\n',
    )
    expect(patch(front, { tags: ['b', '0755'] })).toBe('tags:\n  - "b"\n  - 0755\nstatus: x\n')
  })

  it('puts a new field after the nearest that goes before it', () => {
    expect(patch('id: a\ntitle: x\nrev: 1\n', { summary: 'z' })).toBe('id: a\nsummary: z\ntitle: x\nrev: 1\n')
    expect(patch('title: x\n', { rev: 2 })).toBe('rev: 2\ntitle: x\n')
    expect(patch('', { rev: 2, id: 'a' })).toBe('id: a\nrev: 2\n')
    expect(patch('# only a comment\n', { rev: 2 })).toBe('# only a comment\nrev: 2\n')
    expect(patch('title: x', { why: 'z' })).toBe('title: x\nwhy: z\n')
  })

  it('writes a text so that every program reads it as one', () => {
    for (const text of ['0755', 'true', 'no', '2026-11-30', '~', '', '1e3', '0x1F', 'null', '12:30:45']) {
      const front = patch('', { summary: text }) ?? ''
      for (const schema of ['core', 'yaml-1.1'] as const)
        expect(parseDocument(front, { schema }).toJS()).toEqual({ summary: text })
    }
  })

  it('gives the aliases of an anchor that goes its value', () => {
    expect(patch('tags: &t [a, b]\nother: *t\n', { tags: ['c'] })).toBe('tags: [c]\nother: [a, b]\n')
    expect(patch('a: 1\ntags: &t\n  - x\nother:\n  - *t\n', { tags: undefined })).toBe(
      'a: 1\nother:\n  - [x]\n',
    )
  })

  it('changes a front matter in braces within them', () => {
    expect(patch('{id: 007, status: x}\n', { status: 'z', rev: 3 })).toBe('{id: 007, status: z, rev: 3}\n')
    expect(patch('{id: 007, status: x}\n', { status: undefined })).toBe('{id: 007}\n')
    expect(patch('{id: 007, status: x}\n', { id: undefined })).toBe('{status: x}\n')
    expect(patch('{}\n', { id: 'a' })).toBe('{id: a}\n')
  })
})

/** A piece of front matter as people write it: one key with its lines, or a comment or blank line. */
interface Piece {
  key: string | undefined
  text: string
}

const RAW = [
  '1',
  '0755',
  '+86138',
  '20231231235959680',
  '1.50',
  '2026-11-30',
  '2026-11-30T08:00:00+08:00',
  'yes',
  'True',
  'null',
  '~',
  '',
  'plain words',
  "'it''s'",
  '"a \\"b\\" \\u00e9"',
  '{{title}}',
  '[a, 0755, "c, d"]',
  '[]',
  '{a: 1, b: [2]}',
  '全角：冒号，逗号',
  'https://example.org/a?b=c#d',
  '[[a wiki link]]',
  '|\n  a block\n    of text',
  '>-\n  folded\n  text',
  '\n  - one\n  - 0755 # two\n  - "three"',
  '\n  nested: 007\n  more:\n    - x',
  'value # with a comment',
  '!!str 5',
  '&anchor 0755',
]
const pieces: fc.Arbitrary<Piece[]> = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'tags', 'status', 'id', 'rev', 'k-1', 'über', '键'), {
    minLength: 1,
    maxLength: 7,
  })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((key) =>
        fc
          .record({
            raw: fc.constantFrom(...RAW),
            before: fc.constantFrom('', '# a comment\n', '\n', '# x: y\n\n'),
          })
          .map(({ raw, before }): Piece[] => {
            const text = raw.startsWith('\n') || raw === '' ? `${key}:${raw}\n` : `${key}: ${raw}\n`
            return [...(before === '' ? [] : [{ key: undefined, text: before }]), { key, text }]
          }),
      ),
    ),
  )
  .map((all) => all.flat())
  // One anchor only, or the document is another one.
  .filter((all) => all.filter(({ text }) => text.includes('&anchor')).length < 2)

const value = fc.oneof(
  fc.constantFrom('new words', '0755', 'true', '', 'a: b # c', '- x', '全角：值', 'line', '"'),
  fc.array(fc.constantFrom('x', '0755', 'one', 'b c'), { maxLength: 3 }),
  fc.constant(7),
)

describe('any front matter as people write it', () => {
  it('after any change differs in exactly the fields that changed', () => {
    fc.assert(
      fc.property(
        pieces,
        fc.array(fc.tuple(fc.nat(), fc.option(value, { nil: undefined })), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (all, picks, crlf) => {
          const eol = crlf ? '\r\n' : '\n'
          const written = all.map((piece) => ({ ...piece, text: piece.text.replaceAll('\n', eol) }))
          const keyed = written.filter(({ key }) => key !== undefined)
          const wanted = new Map(picks.map(([n, to]) => [keyed[n % keyed.length]?.key ?? '', to]))
          const front = written.map(({ text }) => text).join('')
          const out = patch(front, Object.fromEntries(wanted))
          if (out === undefined) throw new Error('it could not be changed')
          // Every piece that was not changed stands there, byte for byte and in its order.
          let at = 0
          for (const [n, { key, text }] of written.entries()) {
            if (key === undefined || !wanted.has(key)) {
              expect(out.slice(at, at + text.length)).toBe(text)
              at += text.length
            } else if (wanted.get(key) !== undefined) {
              const rest = written.slice(n + 1).find((one) => one.key === undefined || !wanted.has(one.key))
              const later = rest ? written.slice(n + 1).indexOf(rest) : -1
              const between = written.slice(n + 1, later < 0 ? undefined : n + 1 + later)
              // What lies between two unchanged pieces is the changed fields alone; it is read below.
              if (between.every((one) => wanted.get(one.key ?? '') === undefined)) {
                const end = rest ? out.indexOf(`${eol}${rest.text}`, at) + eol.length : out.length
                expect(out.slice(at, end)).toMatch(new RegExp(`^${key}:`))
                at = end
              } else {
                at =
                  out.indexOf(
                    `\n${between.find((one) => wanted.get(one.key ?? '') !== undefined)?.key}:`,
                    at,
                  ) + 1
              }
            }
          }
          expect(at).toBe(out.length)
          const read = parseDocument(out, FRONT_OPTIONS)
          expect(read.errors).toEqual([])
          for (const [key, to] of wanted) {
            const now: unknown = read.toJS()?.[key]
            expect(now).toEqual(to === undefined ? undefined : typeof to === 'number' ? String(to) : to)
          }
        },
      ),
      runs(300),
    )
  })
})
