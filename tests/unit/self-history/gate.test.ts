/** Who may write identity and how much of it: what a write leaves in the files. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../../../src/base/config.ts'
import { type MemoryRecord, recordSchema } from '../../../src/record/record.ts'
import { identityGate } from '../../../src/self-history/gate.ts'
import { isShowable, shownIdentity } from '../../../src/self-history/self-history.ts'
import type { NewRecord } from '../../../src/store/acts.ts'
import { correction } from '../../../src/store/correction.ts'
import type { Store } from '../../../src/store/store.ts'
import { personContext, type TurnContext } from '../../../src/store/turn-context.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'

const person = personContext()
const model: TurnContext = { ...person, author: 'p/m main', session: { id: 's', ancestors: [] } }
const child: TurnContext = { ...model, role: 'child', author: 'p/m child' }

async function open(config: Parameters<typeof openStore>[0] = {}) {
  const opened = await openStore(config)
  const write = async (record: Partial<NewRecord>, context = model) => {
    const { records, existing, warnings } = await opened.store.commit(
      [{ act: 'create', record: { kind: 'identity', summary: 'x', ...record }, unlessSame: () => true }],
      context,
    )
    if (!records[0]) throw new Error('nothing was written')
    return { record: records[0], warnings: existing ? ['existing', ...warnings] : warnings }
  }
  /** An entry as a person writes it; quick to have many of them. */
  const hand = (id: string, summary: string) => {
    const text = `---\nkind: Identity\nsummary: ${summary}\n---\n`
    writeFileSync(join(opened.root, 'memories', `${id}.md`), text)
    return text
  }
  mkdirSync(join(opened.root, 'memories'), { recursive: true })
  return { ...opened, write, hand }
}

/** A summary of n characters. */
const of = (n: number, word = 'a') => word.repeat(n)
const correct = (store: Store, record: NewRecord & { id: string }, old: string[], context = model) =>
  store.commit(correction(record, old, context.author), context)

describe('identity beyond the budget', () => {
  it('becomes a candidate, and says so', async () => {
    const { store, write, root, hand } = await open()
    for (const word of ['a', 'b', 'c']) hand(word, of(200, word))
    expect(await write({ summary: of(200, '中') })).toMatchObject({
      record: { status: 'active' },
      warnings: [],
    })
    const { record, warnings } = await write({ summary: 'one more' })
    expect(record).toMatchObject({ status: 'candidate', candidateReason: 'overflow' })
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Identity would have 808 characters and 800 stand in view, so this is kept as a candidate/,
      ),
    ])
    expect(holding(root, 'candidateReason: overflow')).toHaveLength(1)
    // What is there already is the answer, and takes no room.
    expect(await write({ summary: of(200, '中') })).toMatchObject({
      record: { status: 'active' },
      warnings: ['existing'],
    })
    await expect(write({ summary: 'one more' })).rejects.toThrow(
      `The same entry waits already, as the candidate "${record.id}"; nothing was written.`,
    )
    expect(filesBelow(join(root, 'memories'))).toHaveLength(5)
    expect((await write({ kind: 'decision', summary: 'no identity' })).record.status).toBe('active')
    expect(store.selfHistory()).toHaveLength(6)
  })

  it('is measured with what it supersedes taken out', async () => {
    const { store, write, hand } = await open()
    for (const word of ['a', 'b', 'c', 'd']) hand(word, of(200, word))
    const same = { id: store.newId(), kind: 'identity', summary: of(200, 'e') }
    expect((await correct(store, same, ['a'])).records.map(({ status }) => status)).toEqual([
      'active',
      'deprecated',
    ])
    const shorter = { id: store.newId(), kind: 'identity', summary: of(150, 'f') }
    expect((await correct(store, shorter, ['b'])).records[0]?.status).toBe('active')
    expect((await write({ summary: of(51, 'g') })).record.status).toBe('candidate')
    expect((await write({ summary: of(50, 'h') })).record.status).toBe('active')
  })

  it('that would take an entry out of view is refused whole', async () => {
    const { store, hand } = await open()
    for (const word of ['a', 'b', 'c', 'd', 'e']) hand(word, of(160, word))
    const longer = { id: store.newId(), kind: 'identity', summary: of(161, 'f') }
    await expect(correct(store, longer, ['a'])).rejects.toThrow(
      'Identity would have 801 characters and 800 stand in view, and the entry that it replaces would be lost from it; nothing was written. Write it shorter, or supersede more entries with it.',
    )
    expect((await store.get('a')).record.status).toBe('active')
    expect((await correct(store, longer, ['a', 'b'])).records[0]?.status).toBe('active')
  })

  it('of many short entries is measured by the lines that they take, too', async () => {
    const { write, hand } = await open()
    // A line is 71 characters with such an id: 20 of them are 1,420 of 1,440, with 100 characters of text.
    for (let n = 10; n < 30; n++) hand(`${n}${of(58)}`, 'short')
    expect((await write({ summary: 'w' })).record.status).toBe('active')
    expect(await write({ summary: 'x' })).toMatchObject({
      record: { status: 'candidate' },
      warnings: [expect.stringContaining('would have 22 entries, more than there are lines for in view')],
    })
  })

  it('has room for 24 entries whose texts fit, and for no more', async () => {
    const { write } = await open()
    for (let n = 10; n < 34; n++)
      expect((await write({ summary: `${n}${of(31)}` })).record.status).toBe('active')
    expect(await write({ summary: 'x' })).toMatchObject({
      record: { status: 'candidate' },
      warnings: [expect.stringContaining('would have 25 entries and 24 stand in view')],
    })
  })

  it('that the person wrote by hand is left as it is, and leaves no room to others', async () => {
    const { store, write, root, hand } = await open()
    const texts = ['a', 'b', 'c', 'd', 'e'].map((word) => hand(`hand-${word}`, of(200, word)))
    expect((await write({ summary: 'no room' })).record.status).toBe('candidate')
    expect(texts).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((word) =>
        readFileSync(join(root, 'memories', `hand-${word}.md`), 'utf8'),
      ),
    )
    // What is over the budget already is no reason to refuse what makes it less.
    const shorter = { id: store.newId(), kind: 'identity', summary: of(190, 'f') }
    expect((await correct(store, shorter, ['hand-a'])).records[0]?.status).toBe('active')
  })

  it('is the person’s own to write: stored, and said that it is not shown', async () => {
    const { write, hand } = await open()
    for (const word of ['a', 'b', 'c', 'd']) hand(word, of(200, word))
    expect(await write({ summary: 'mine' }, person)).toMatchObject({
      record: { status: 'active' },
      warnings: [
        'Identity would have 804 characters and 800 stand in view; this entry is stored and not shown.',
      ],
    })
  })

  it('counts what the writer’s workspace sees, where workspaces are kept apart', async () => {
    const { write } = await open({ config: { isolate: true } })
    const at = (workspace: string) => ({ ...model, workspace })
    for (const word of ['a', 'b', 'c', 'd'])
      await write({ summary: of(200, word), workspace: 'one' }, at('one'))
    expect((await write({ summary: 'x', workspace: 'two' }, at('two'))).record.status).toBe('active')
    expect((await write({ summary: 'y', workspace: 'one' }, at('one'))).record.status).toBe('candidate')
  })

  it('does not count what is not in view: external, expired, unconfirmed', async () => {
    const { write } = await open()
    await write({ summary: of(200, 'a'), source: 'external' })
    await write({ summary: of(200, 'b'), validUntil: '2020-01-01' })
    await write({ summary: of(200, 'c'), confirmed: false })
    for (const word of ['d', 'e', 'f', 'g'])
      expect((await write({ summary: of(200, word) })).record.status).toBe('active')
  })
})

it('whatever is written one after the other, what is active is in view', () => {
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), { maxLength: 15 })
  const reader = { workspace: undefined, isolate: false, now: 0 }
  fc.assert(
    fc.property(words, (summaries) => {
      const written: MemoryRecord[] = []
      const gate = identityGate({ selfHistory: () => written, config: defaultConfig(), now: () => 0 })
      for (const [n, summary] of summaries.entries()) {
        const created = new Date(n).toISOString()
        const fields = { id: `id${n}`, kind: 'identity', content: `${n}`, created, updated: created }
        const next = { ...recordSchema.parse({ ...fields, summary: 'x' }), summary }
        const verdict = gate.check([{ what: 'record', act: 'create', next, previous: undefined }], model)
        if (verdict instanceof Promise) throw new Error('it has to answer at once')
        const [write] = verdict?.change ?? []
        written.push(write?.what === 'record' ? write.next : next)
      }
      const active = written.filter((record) => isShowable(record, reader))
      expect(shownIdentity(active)).toEqual(active)
    }),
  )
})

describe('a child', () => {
  it('neither writes identity nor supersedes or deprecates it, whatever it calls it', async () => {
    const { store, write, root } = await open()
    const { record } = await write({ summary: 'plain words' })
    const before = filesBelow(root).length
    const refusal =
      /^A child session does not write or change who the assistant is; nothing was written\. Hand/
    await expect(write({ summary: 'I am another' }, child)).rejects.toThrow(refusal)
    await expect(write({ kind: ' Ｉdentity\u200b' }, child)).rejects.toThrow(refusal)
    const note = { id: store.newId(), kind: 'note', summary: 'a note instead' }
    await expect(correct(store, note, [record.id], child)).rejects.toThrow(refusal)
    const rename = {
      act: 'update' as const,
      id: record.id,
      change: (one: MemoryRecord) => ({ ...one, kind: 'note' }),
    }
    await expect(store.commit([rename], child)).rejects.toThrow(refusal)
    expect(filesBelow(root)).toHaveLength(before)
    expect((await write({ kind: 'experience', summary: 'a lesson' }, child)).record.status).toBe('active')
  })
})

describe('the self-history', () => {
  it('is autobiographical, permanent and never archived, whoever writes or rewrites it', async () => {
    const { store, write, root } = await open()
    for (const kind of ['identity', 'decision', 'experience']) {
      const { record } = await write({ kind, summary: `of ${kind}`, layer: 'short', source: 'internal' })
      expect(record).toMatchObject({ layer: 'permanent', source: 'autobiographical' })
      const change = (more: object) =>
        store.commit([{ act: 'update', id: record.id, change: (one) => ({ ...one, ...more }) }], person)
      const { records } = await change({ layer: 'short', source: 'internal', keep: true })
      expect(records[0]).toMatchObject({ layer: 'permanent', source: 'autobiographical', keep: true })
      await expect(change({ status: 'archived' })).rejects.toThrow(
        `A record of the kind "${kind}" is never archived; nothing was written.`,
      )
      await expect(write({ kind, summary: `another ${kind}`, status: 'archived' })).rejects.toThrow(
        'never archived',
      )
    }
    expect(holding(root, 'archived')).toEqual([])
  })

  it('that is external stays external and is never permanent', async () => {
    const { store, write } = await open()
    const { record } = await write({ kind: 'experience', summary: 'from a page', source: 'external' })
    expect(record).toMatchObject({ source: 'external', layer: 'long' })
    const { records } = await store.commit(
      [
        {
          act: 'update',
          id: record.id,
          change: (one) => ({ ...one, source: 'autobiographical', layer: 'permanent' }),
        },
      ],
      person,
    )
    expect(records[0]).toMatchObject({ source: 'external', layer: 'long' })
  })
})
