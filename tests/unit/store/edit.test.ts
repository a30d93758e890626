/** A person's edit of a file: it is what they wrote, and nobody else's change is lost by it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { MnemosError } from '../../../src/base/errors.ts'
import type { Store } from '../../../src/store/store.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { filesBelow } from '../../support/files.ts'
import { explainingLater } from '../../support/messages.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const NOTE = 'The kettle whistles at 80 degrees\n\nIt is old.\nIt is red.\n'
const FRONT = [
  '---',
  '# my own comment',
  "summary: 'The mill   is old'",
  'mood: cheerful   # not a key of ours',
  'tags: [a, b]',
  'rev: 3',
  'updated: 2026-01-01',
  '---',
  'First line.',
  '',
  'Last line.',
  '',
].join('\n')

async function withFile(text: string) {
  const root = await tempDir('store')
  const file = join(root, 'memories', 'mill.md')
  mkdirSync(join(root, 'memories'))
  writeFileSync(file, text)
  const { store } = await openStore({ root })
  return { root, file, store, now: () => readFileSync(file, 'utf8') }
}
const edit = (store: Store, base: string, mine: string) =>
  store.commit([{ act: 'edit', id: 'mill', base, mine }], person)
const ledger = (root: string) =>
  filesBelow(join(root, 'ledger')).flatMap(({ bytes }) =>
    bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )

describe('an edit that nobody else met', () => {
  it('is the file to the letter, but for the revision and time that the file counts itself', async () => {
    const { root, store, now } = await withFile(FRONT)
    const mine = FRONT.replace('First line.', 'Another line.').replace('cheerful  ', 'gloomy')
    const { records } = await edit(store, FRONT, mine)
    expect(now()).toBe(
      mine.replace('rev: 3', 'rev: 4').replace('2026-01-01', records[0]?.updated ?? 'missing'),
    )
    expect(ledger(root)).toMatchObject([{ act: 'update', by: 'person', rev: [3, 4] }])
  })

  it('leaves a plain note plain', async () => {
    const { root, store, now } = await withFile(NOTE)
    await edit(store, NOTE, NOTE.replace('80', '90'))
    expect(now()).toBe(NOTE.replace('80', '90'))
    expect((await store.get('mill')).record.summary).toBe('The kettle whistles at 90 degrees')
    expect(ledger(root)).toMatchObject([{ act: 'update', rev: [1, 1] }])
  })

  it('counts a revision whose line the person took away', async () => {
    const { store, now } = await withFile(FRONT)
    await edit(store, FRONT, FRONT.replace('rev: 3\n', ''))
    expect(now()).toMatch(/^rev: 4$/m)
  })

  it('makes a plain note of a file whose front matter the person took away', async () => {
    const { root, store, now } = await withFile(FRONT)
    await edit(store, FRONT, NOTE)
    expect(now()).toBe(NOTE)
    expect(ledger(root)).toMatchObject([{ act: 'update', rev: [3, 1] }])
  })

  it('that changes nothing writes nothing', async () => {
    const { root, store, now } = await withFile(FRONT)
    expect((await edit(store, FRONT, FRONT)).existing).toBe(true)
    expect(now()).toBe(FRONT)
    expect(ledger(root)).toEqual([])
  })

  it.each([
    ['broken YAML', FRONT.replace('tags: [', 'tags: [['), /YAML/],
    ['a wrong type', FRONT.replace('rev: 3', 'rev: many'), /rev: /],
    ['another id', FRONT.replace('mood:', 'id: windmill\nmood:'), /cannot rename "mill" to "windmill"/],
    ['more than a file holds', `${FRONT}${'x'.repeat(1024 * 1024)}`, /at most 1048576/],
    [
      'a comment beyond what a file holds',
      FRONT.replace('# my', `# ${'x'.repeat(1024 * 1024)}`),
      /larger than 32768 bytes/,
    ],
  ])('is refused with %s, and the file stays', async (_, mine, reason) => {
    const { root, store, now } = await withFile(FRONT)
    await expect(explainingLater(edit(store, FRONT, mine))).rejects.toThrow(reason)
    expect(now()).toBe(FRONT)
    expect(ledger(root)).toEqual([])
  })

  it('cannot give a record the creation time of its deleted namesake, which would take it away', async () => {
    const { store, file } = await withFile(NOTE)
    const { created } = (await store.get('mill')).record
    await store.delete('mill', person)
    const text = '---\ncreated: 2027-06-01T00:00:00.000Z\n---\nBuilt anew\n'
    writeFileSync(file, text)
    await expect(edit(store, text, text.replace('2027-06-01T00:00:00.000Z', created))).rejects.toThrow(
      /was deleted on/,
    )
    expect((await store.get('mill')).text).toBe(text)
  })
})

describe('an edit passes the gates like every write', () => {
  it('and what one refuses is not in the file', async () => {
    const { store, now } = await withFile(FRONT)
    store.admission.register({
      name: 'test',
      check: ([write]) => {
        if (write?.what !== 'record') throw new Error('a record is edited')
        expect(write.act).toBe('update')
        if (write.next.content.includes('secret'))
          throw new MnemosError('REFUSED', 'There is a secret in it.', '')
        return undefined
      },
    })
    await expect(edit(store, FRONT, FRONT.replace('Last', 'secret'))).rejects.toThrow('a secret in it')
    expect(now()).toBe(FRONT)
  })

  it('and external stays external, which is reported', async () => {
    const text = FRONT.replace('rev: 3', 'source: external\nrev: 3')
    const { store, now } = await withFile(text)
    const { warnings } = await edit(store, text, text.replace('source: external', 'source: internal'))
    expect(now()).toMatch(/^source: external$/m)
    expect(warnings).toEqual(['The field "source" is stored as "external".'])
  })
})

describe('an edit that met another', () => {
  it('takes over what a tool changed meanwhile, and keeps comments and unknown keys of both', async () => {
    const { store, now } = await withFile(FRONT)
    await store.commit(
      [{ act: 'update', id: 'mill', change: (one) => ({ ...one, tags: ['a', 'b', 'c'] }) }],
      person,
    )
    const mine = FRONT.replace('cheerful  ', 'gloomy').replace('# my own', '# still my own')
    const { merged, records } = await edit(store, FRONT, mine)
    expect(merged).toEqual({ conflicts: [] })
    expect(records[0]).toMatchObject({ tags: ['a', 'b', 'c'], rev: 5 })
    expect(now()).toContain('# still my own comment\n')
    expect(now()).toMatch(/^mood: gloomy +# not a key of ours$/m)
    expect(now()).toContain('\nLast line.\n')
  })

  it('keeps a key and a comment that only the other one wrote, also where lines do not fit', async () => {
    const { store, file, now } = await withFile(FRONT)
    // Both touch the tags' line, so lines alone cannot be merged.
    writeFileSync(file, FRONT.replace('tags: [a, b]', '# theirs\ntags: [a, b, theirs]\ncolour: blue'))
    const { merged } = await edit(store, FRONT, FRONT.replace('tags: [a, b]', 'tags: [b, mine]'))
    expect(merged).toEqual({ conflicts: [] })
    expect((await store.get('mill')).record.tags).toEqual(['b', 'mine', 'theirs'])
    expect(now()).toContain('colour: blue')
    expect(now()).toContain('# theirs\n')
    expect(now()).toContain('# my own comment')
  })

  it('keeps both texts of an unknown key and of a line, and says so', async () => {
    const { store, file, now } = await withFile(FRONT)
    writeFileSync(file, FRONT.replace('cheerful', 'calm').replace('Last line.', 'Their end.'))
    const { merged } = await edit(
      store,
      FRONT,
      FRONT.replace('cheerful', 'gloomy').replace('Last', 'My last'),
    )
    expect(merged?.conflicts.map(({ field }) => field).sort()).toEqual(['content', 'mood'])
    for (const text of ['calm', 'gloomy', 'Their end.', 'My last line.']) expect(now()).toContain(text)
  })

  it('leaves a plain note plain even in conflict', async () => {
    const { store, file, now } = await withFile(NOTE)
    writeFileSync(file, NOTE.replace('80', '85').replace('red', 'green'))
    const { merged } = await edit(store, NOTE, NOTE.replace('80', '90').replace('old', 'ancient'))
    expect(merged?.conflicts.map(({ field }) => field)).toContain('summary')
    expect(now()).not.toContain('---')
    for (const text of ['85 degrees', '90 degrees', 'green', 'ancient']) expect(now()).toContain(text)
  })

  it('also where an editor saves in the last moment before the file is replaced', async () => {
    const { root, store, file, now } = await withFile(FRONT)
    store.close()
    let saves = 1
    const { store: raced } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        replace: (path, data, options) =>
          nodeDisk.replace(path, data, {
            ...options,
            beforeRename: () => {
              if (path === file && saves-- > 0) writeFileSync(file, FRONT.replace('cheerful', 'calm'))
              options?.beforeRename?.()
            },
          }),
      },
    })
    const { merged } = await edit(raced, FRONT, FRONT.replace('Last', 'My last'))
    expect(merged).toEqual({ conflicts: [] })
    expect(now()).toContain('mood: calm')
    expect(now()).toContain('My last line.')
  })

  it('is told when the record is gone meanwhile', async () => {
    const { store } = await withFile(FRONT)
    await store.delete('mill', person)
    await expect(edit(store, FRONT, `${FRONT}more\n`)).rejects.toMatchObject({ code: 'DELETED' })
  })
})
