/** The seams that later parts hang on, each tried by a second user: a gate, a place that holds text, a part. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MnemosError } from '../../../src/base/errors.ts'
import type { Gate } from '../../../src/store/admission.ts'
import { textsIn } from '../../../src/store/change.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { type Reader, View } from '../../../src/view/view.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'

const person = personContext()
const create = (summary: string) => [{ act: 'create' as const, record: { summary } }]

describe('a second gate', () => {
  const noCodenames: Gate = {
    name: 'codenames',
    check(change) {
      if (change.some((write) => textsIn(write).some(({ text }) => text.includes('Manhattan')))) {
        throw new MnemosError(
          'REFUSED',
          'It names a codename; nothing was written.',
          'Leave the codename out.',
        )
      }
      return {
        change: change.map((write) =>
          write.what === 'record'
            ? { ...write, next: { ...write.next, tags: [...write.next.tags, 'checked'] } }
            : write,
        ),
        warnings: ['It was checked for codenames.'],
      }
    },
  }

  it('refuses, changes and annotates every write, whoever makes it', async () => {
    const { store, root } = await openStore()
    const remove = store.admission.register(noCodenames)
    await expect(store.commit(create('Manhattan begins'), person)).rejects.toThrow(
      'It names a codename; nothing was written. Leave the codename out.',
    )
    expect(filesBelow(root).filter(({ path }) => path.endsWith('.md'))).toEqual([])
    const { records, warnings } = await store.commit(create('a plain fact'), person)
    expect(records[0]?.tags).toEqual(['checked'])
    expect(warnings).toEqual(['It was checked for codenames.'])
    await expect(
      store.commit(
        [
          {
            act: 'update',
            id: records[0]?.id ?? '',
            change: (record) => ({ ...record, summary: 'Manhattan' }),
          },
        ],
        person,
      ),
    ).rejects.toThrow('codename')
    expect(holding(root, 'Manhattan')).toEqual([])
    remove()
    await store.commit(create('Manhattan is an island'), person)
  })

  it('that breaks is no open door', async () => {
    const { store, root } = await openStore()
    store.admission.register({
      name: 'broken',
      check: () => {
        throw new TypeError('undefined is not a function')
      },
    })
    await expect(store.commit(create('secret'), person)).rejects.toThrow('The check "broken" failed')
    expect(holding(root, 'secret')).toEqual([])
  })

  it('cannot let through what the limits refuse, when it changes the record after them', async () => {
    const { store, root } = await openStore()
    store.admission.register({
      name: 'too long',
      check: (change) => ({
        change: change.map((write) =>
          write.what === 'record' ? { ...write, next: { ...write.next, summary: 'x'.repeat(500) } } : write,
        ),
      }),
    })
    await expect(store.commit(create('short'), person)).rejects.toThrow(/at most 200/)
    expect(holding(root, 'xxxx')).toEqual([])
  })

  it('sees who writes: session, role, author and exposure', async () => {
    const { store } = await openStore()
    const seen: unknown[] = []
    store.admission.register({
      name: 'watch',
      check: ([write], context) => {
        const act = write?.what === 'record' ? write.act : undefined
        seen.push([act, context.role, context.author, context.session?.id, context.exposure.tainted()])
        return undefined
      },
    })
    await store.commit(create('one'), {
      ...person,
      role: 'child',
      author: 'p/m child',
      session: { id: 's', ancestors: ['t'] },
    })
    expect(seen).toEqual([['create', 'child', 'p/m child', 's', false]])
  })
})

describe('a second place that holds record text', () => {
  it('is cleared when a record is deleted, and one that fails is named and tried again', async () => {
    const { store, root } = await openStore()
    const cards = join(root, 'cards')
    mkdirSync(cards)
    let failures = 1
    store.places.register({
      name: 'fact cards',
      erase: (deleted) => {
        if (failures-- > 0) throw new Error('the cards are locked')
        for (const { id } of deleted) writeFileSync(join(cards, `${id}.txt`), '')
      },
    })
    const { records } = await store.commit(create('a fact that a card repeats'), person)
    const id = records[0]?.id ?? ''
    writeFileSync(join(cards, `${id}.txt`), 'card: a fact that a card repeats')
    const deleted = await store.delete(id, person)
    expect(deleted).toMatchObject({
      erased: ['records made from it', 'record files', 'unfinished changes', 'search index'],
      left: [{ place: 'fact cards', reason: 'the cards are locked' }],
    })
    expect(holding(root, 'card repeats')).toHaveLength(1)
    await store.commit(create('the next write'), person)
    expect(holding(root, 'card repeats')).toEqual([])
  })
})

describe('a second part of the view', () => {
  const view = () => {
    const failed: string[] = []
    return {
      failed,
      view: new View(
        () => 'en',
        (name, reason) => failed.push(`${name}: ${reason}`),
      ),
    }
  }
  const main: Reader = { role: 'main', workspace: undefined }
  const messages = (one: View, context: Reader) =>
    one
      .parts('message')
      .map((part) => ({ name: part.name, text: one.draw(part, context) }))
      .filter(({ text }) => text !== '')

  it('stands in its place, in its order, for its audience', () => {
    const { view: one } = view()
    one.register({ name: 'late', place: 'message', audience: ['main'], order: 2, text: () => 'late' })
    const remove = one.register({
      name: 'early',
      place: 'message',
      audience: ['main', 'child'],
      order: 1,
      text: ({ role }) => `early for ${role}`,
    })
    one.register({ name: 'empty', place: 'message', audience: ['main'], order: 0, text: () => '  ' })
    one.register({ name: 'system', place: 'system', audience: ['main'], order: 0, text: () => 'head' })
    expect(messages(one, main)).toEqual([
      { name: 'early', text: 'early for main' },
      { name: 'late', text: 'late' },
    ])
    expect(messages(one, { ...main, role: 'child' })).toEqual([{ name: 'early', text: 'early for child' }])
    expect(messages(one, { ...main, role: 'job' })).toEqual([])
    expect(one.parts('system').map(({ name }) => name)).toEqual(['system'])
    remove()
    expect(messages(one, main)).toEqual([{ name: 'late', text: 'late' }])
  })

  it('that fails shows what it showed before, and the others are not tainted', () => {
    const { view: one, failed } = view()
    let broken = false
    one.register({
      name: 'shaky',
      place: 'message',
      audience: ['main'],
      order: 1,
      text: () => {
        if (broken) throw new Error('cannot draw')
        return 'steady'
      },
    })
    one.register({ name: 'other', place: 'message', audience: ['main'], order: 2, text: () => 'other' })
    const before = messages(one, main)
    broken = true
    expect(messages(one, main)).toEqual(before)
    expect(failed).toEqual(['shaky: cannot draw'])
  })
})
