/** What a hostile tester found once: each stays closed. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { Pending } from '../../../src/files/pending.ts'
import { noteProfile, readProfiles } from '../../../src/files/profiles.ts'
import { UnreadableText } from '../../../src/record/fault.ts'
import { parse } from '../../../src/record/parse.ts'
import { segment } from '../../../src/search/index/segment.ts'
import type { Store } from '../../../src/store/store.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { explainingLater } from '../../support/messages.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const remember = async (store: Store, record: { summary: string } & Record<string, unknown>) =>
  (await store.commit([{ act: 'create', record }], person)).records[0]?.id ?? ''
const find = async (store: Store, text: string) =>
  (await store.recall({ queries: [text], scope: {}, limit: 20, include: [] })).hits.map(
    ({ record }) => record.id,
  )
const write = (root: string, name: string, text: string) => {
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', name), text)
}

describe('a deletion that was interrupted', () => {
  it('spares what the person wrote under that name since', async () => {
    const root = await tempDir('store')
    write(root, 'kettle.md', 'The old kettle')
    let broken = true
    const disk: Disk = {
      ...nodeDisk,
      append: (path, line) => {
        if (broken && path.includes('ledger'))
          throw Object.assign(new Error('EIO: made to fail'), { code: 'EIO' })
        nodeDisk.append(path, line)
      },
    }
    const { store } = await openStore({ root, disk })
    await store.delete('kettle', person).catch(() => undefined)
    expect(existsSync(join(root, 'memories', 'kettle.md'))).toBe(false)
    expect(filesBelow(join(root, 'pending'))).toHaveLength(1)
    // The clock of the store stands in the past of the files: what is written now is newer.
    write(root, 'kettle.md', 'The new kettle')
    broken = false
    await remember(store, { summary: 'something else' })
    expect(filesBelow(join(root, 'pending'))).toEqual([])
    expect(readFileSync(join(root, 'memories', 'kettle.md'), 'utf8')).toBe('The new kettle')
    expect((await store.get('kettle')).record.summary).toBe('The new kettle')
  })

  it('takes the text out of acts that could not be finished', async () => {
    const folder = await tempDir('pending')
    const pending = new Pending(nodeDisk, folder)
    const act = (paths: string[]) => ({
      writes: paths.map((path) => ({ path, before: null, after: `text of ${path}` })),
      deletes: [],
      ledger: [],
    })
    pending.note('one', act(['gone.md']))
    pending.note('both', act(['gone.md', 'kept.md']))
    pending.erase([{ paths: ['gone.md'] }])
    expect(holding(folder, 'text of gone')).toEqual([])
    expect(pending.list().map((left) => left.act?.writes.map(({ path }) => path))).toEqual([['kept.md']])
  })

  it('takes the broken file of that name with it, and every copy', async () => {
    const root = await tempDir('store')
    write(root, 'plan.md', 'The secret plan of May')
    write(
      root,
      'plan (conflict).md'.replace(' (conflict)', '-copy'),
      '---\nid: plan\n---\nThe secret plan of June',
    )
    mkdirSync(join(root, 'memories', 'old'))
    writeFileSync(join(root, 'memories', 'old', 'plan.md'), '---\nsummary: The secret plan of April\n')
    const { store, clock } = await openStore({ root })
    clock.at = Date.now() + 1000
    const found = await store.get('plan')
    expect(found.copies.map(({ summary }) => summary)).toHaveLength(1)
    await store.delete('plan', person, { shown: found.shown })
    expect(holding(root, 'secret plan')).toEqual([])
  })

  it('is refused when a copy appeared after the person was asked', async () => {
    const root = await tempDir('store')
    write(root, 'plan.md', 'The plan')
    const { store } = await openStore({ root })
    const { shown } = await store.get('plan')
    write(root, 'another.md', '---\nid: plan\n---\nAnother plan')
    await expect(store.delete('plan', person, { shown })).rejects.toThrow('was changed after it was shown')
  })

  it('does not bar a name for years because a record claimed to be from the future', async () => {
    const root = await tempDir('store')
    write(root, 'oracle.md', '---\ncreated: 2099-01-01\n---\nIt will rain')
    const { store, clock } = await openStore({ root })
    const text = readFileSync(join(root, 'memories', 'oracle.md'))
    await store.delete('oracle', person)
    writeFileSync(join(root, 'memories', 'oracle.md'), text)
    await expect(store.get('oracle')).rejects.toThrow()
    clock.at = Date.now() + 1000
    write(root, 'oracle.md', `---\ncreated: ${new Date(clock.at).toISOString()}\n---\nIt rained`)
    expect((await store.get('oracle')).record.summary).toBe('It rained')
  })
})

describe('the index', () => {
  it('takes no reading of a file that was changed or deleted since', async () => {
    const root = await tempDir('store')
    write(root, 'a.md', 'the heron of March')
    write(root, 'b.md', 'the stork of March')
    const { store: clean } = await openStore({ root })
    const meddle = new Map<string, () => void>()
    const { store: late } = await openStore({
      root,
      disk: {
        ...nodeDisk,
        read: (path, limit) => {
          const bytes = nodeDisk.read(path, limit)
          for (const [name, action] of meddle) {
            if (!path.endsWith(name)) continue
            meddle.delete(name)
            action()
          }
          return bytes
        },
      },
    })
    write(root, 'a.md', 'the heron of April')
    write(root, 'b.md', 'the stork of April')
    meddle.set('a.md', () => write(root, 'a.md', 'the heron of May, seen again'))
    meddle.set('b.md', () => rmSync(join(root, 'memories', 'b.md')))
    await late.refresh()
    late.close()
    expect(holding(join(root, 'index'), 'april')).toEqual([])
    expect(await find(clean, 'May')).toEqual(['a'])
    expect(await find(clean, 'stork')).toEqual([])
  })
})

describe('a read-only place', () => {
  it('is searched all the same, and said to be read-only', async () => {
    const { store, root } = await openStore()
    const id = await remember(store, { summary: 'a fact on a medium' })
    store.close()
    const refuse = () => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    }
    const { store: still } = await openStore({
      root,
      disk: { ...nodeDisk, writable: refuse, replace: refuse, append: refuse, remove: refuse },
    })
    expect(still.readOnly).toMatchObject({
      code: 'UNUSABLE',
      why: expect.stringMatching(/cannot be written/),
    })
    expect(await find(still, 'medium')).toEqual([id])
    await expect(
      explainingLater(still.commit([{ act: 'create', record: { summary: 'x' } }], person)),
    ).rejects.toThrow('Nothing was changed')
  })
})

describe('text that a file or a parser stumbles over', () => {
  it.each([
    'it moved\u2028---',
    'a\n---\nb',
    '--- ',
    '\u2029---\u2029id: x',
    '...\n---',
    '# not a comment\n---',
  ])('comes back as it was from every field: %j', async (text) => {
    const { store } = await openStore()
    const id = await remember(store, {
      summary: 'plain',
      why: text,
      content: text,
      links: [{ to: 'x', relation: 'r', why: text }],
      citation: { session: 's', ids: [text], quote: text },
    })
    const { record } = await store.get(id)
    expect(record).toMatchObject({
      why: text.trim(),
      content: text,
      links: [{ why: text }],
      citation: { quote: text },
    })
    expect(record.rev).toBe(1)
  })

  /** Each of them filled up to the limits; with a little more a parser takes longer than a test may. */
  const within: [string, string][] = [
    ['open flow lists', 'k: ['.padEnd(2_000, '[')],
    ['open flow maps', '{a: '.repeat(680)],
    ['balanced lists', `k: ${'['.repeat(1_000)}${']'.repeat(1_000)}`],
    ['closing brackets', `k: ${']'.repeat(2_000)}`],
    ['empty lists', `k: [${'[],'.repeat(680)}]`],
    ['lists in a line', '- '.repeat(2_000)],
    ['explicit keys', '? '.repeat(2_000)],
    ['explicit keys in a flow map', 'k: {? '.padEnd(2_000, '{? ')],
    ['tags', `k: ${'!a '.repeat(2_000)}`],
    ['anchors', `k: ${'&a '.repeat(2_000)}`],
    ['anchors by name', Array.from({ length: 660 }, (_, n) => `- &a${n} x`).join('\n')],
    ['aliases', `a: &a x\nk: [${'*a,'.repeat(1_000)}]`],
    ['keys in a flow map', `{${Array.from({ length: 2_000 }, (_, n) => `longkey${n}`).join(',')}}`],
    ['keys', Array.from({ length: 1_000 }, (_, n) => `k${n}:`).join('\n')],
    ['one key many times', 'k:\n'.repeat(1_000)],
    ['deep indentation', Array.from({ length: 240 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['quotes', '"'.repeat(2_000)],
    ['unknown escapes', `k: "${'\\q'.repeat(2_000)}"`],
    ['commas', `k: [${','.repeat(2_000)}`],
    ['lines in an open list', `k: [\n${'x\n'.repeat(2_000)}`],
    ['bytes', `k: "${'x'.repeat(32_000)}"`],
  ]
  it.each(within)('with as many %s in its front matter as the limits allow is read', (_, front) => {
    let fault = ''
    try {
      parse(`---\n${front}\n---\nx`, { stem: 's', mtimeMs: 0 })
    } catch (error) {
      fault = error instanceof UnreadableText ? error.fault.code : String(error)
    }
    expect(fault).not.toMatch(/TOO/)
  })

  it.each([
    ['signs', `k: ${'['.repeat(2_049)}`, 'FRONT_TOO_MANY_SIGNS'],
    ['bytes', `k: "${'x'.repeat(33_000)}"`, 'FRONT_TOO_LARGE'],
    ['letters of three bytes', `k: ${'长'.repeat(11_000)}`, 'FRONT_TOO_LARGE'],
  ])('with more %s in its front matter than that is not read', (_, front, code) => {
    expect(() => parse(`---\n${front}\n---\nx`, { stem: 's', mtimeMs: 0 })).toThrow(
      expect.objectContaining({ fault: expect.objectContaining({ code }) }),
    )
  })

  // Where these are not refused the test takes longer than it may.
  it('that is made to be slow is not', () => {
    expect(segment('1.'.repeat(200_000)).length).toBeLessThan(100)
    expect(() =>
      parse(`---\n${Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')}\n---\nx`, {
        stem: 's',
        mtimeMs: 0,
      }),
    ).toThrow(/front too large/)
    expect(() =>
      parse(`---\nk:\n${Array.from({ length: 9000 }, (_, n) => `- &a${n} x`).join('\n')}\n---\nx`, {
        stem: 's',
        mtimeMs: 0,
      }),
    ).toThrow()
  })
})

describe('a note of an unfinished act', () => {
  it.each([
    '../escaped.md',
    '/tmp/escaped.md',
    'a/../../escaped.md',
    '..\\escaped.md',
    'version',
    'C:/x.md',
    'a\0.md',
  ])('cannot reach %j', async (path) => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'pending'))
    writeFileSync(
      join(root, 'pending', 'evil.json'),
      JSON.stringify({
        writes: [{ path, before: null, after: 'escaped' }],
        deletes: [{ id: 'x', at: '2027-01-01', paths: [path] }],
        ledger: [],
      }),
    )
    await openStore({ root })
    expect(readFileSync(join(root, 'version'), 'utf8')).toBe('1\n')
    for (const place of [join(root, 'escaped.md'), join(root, '..', 'escaped.md'), '/tmp/escaped.md']) {
      expect([place, existsSync(place)]).toEqual([place, false])
    }
  })
})

describe('a listing', () => {
  it('puts no superseded record before the one that replaced it', async () => {
    const { store } = await openStore()
    const newer = await remember(store, { summary: 'the plan as it holds', tags: ['plan'] })
    const older = await remember(store, {
      summary: 'the plan as it was',
      tags: ['plan'],
      supersededBy: [newer],
      status: 'deprecated',
    })
    const { hits } = await store.recall({
      queries: [],
      scope: { tags: ['plan'] },
      limit: 5,
      include: ['deprecated'],
    })
    expect(hits.map(({ record }) => record.id)).toEqual([newer, older])
  })
})

it('one damaged entry of profiles.json takes no other with it', async () => {
  const home = await tempDir('home')
  mkdirSync(join(home, 'mnemos'))
  const file = join(home, 'mnemos', 'profiles.json')
  writeFileSync(file, JSON.stringify({ profiles: { web: { dataDir: '/web' }, bad: {}, worse: 7 } }))
  expect(readProfiles(nodeDisk, home).profiles).toEqual({ web: { dataDir: '/web' } })
  await noteProfile(nodeDisk, home, 'headless', { dataDir: '/headless' })
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).sort()).toEqual(['headless', 'web'])
})

it('a summary that nobody can see is refused', async () => {
  const { store } = await openStore()
  for (const summary of ['\u200b', '\u2800\u00ad', '\u2060'])
    await expect(store.commit([{ act: 'create', record: { summary } }], personContext())).rejects.toThrow(
      'must hold something that can be seen',
    )
  store.close()
})
