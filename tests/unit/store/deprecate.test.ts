/** Deprecating: what holds instead must hold, and saying it twice writes nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { deprecateRecord } from '../../../src/store/deprecate.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { openStore } from '../../support/store.ts'

const person = personContext()

async function withRecords() {
  const { store } = await openStore()
  for (const id of ['a', 'b'])
    await store.commit([{ act: 'create', record: { id, summary: `the ${id} road` } }], person)
  return store
}

it('a record that is held no more holds in place of no other', async () => {
  const store = await withRecords()
  await deprecateRecord(store, { id: 'a', why: 'over', supersededBy: 'b' }, person)
  const back = deprecateRecord(store, { id: 'b', why: 'over', supersededBy: 'a' }, person)
  await expect(back).rejects.toThrow('"a" is deprecated and does not hold itself; nothing was changed.')
  expect((await store.get('b')).record.status).toBe('active')
})

it('said twice, nothing is written', async () => {
  const store = await withRecords()
  await deprecateRecord(store, { id: 'a', why: 'over' }, person)
  const before = (await store.get('a')).text
  const { warnings } = await deprecateRecord(store, { id: 'a', why: 'again' }, person)
  expect(warnings).toEqual([expect.stringContaining('that reason stays')])
  expect((await store.get('a')).text).toBe(before)
})

it('its time is that of the act, not that of the question: it may have waited for the lock', async () => {
  const { store, clock } = await openStore()
  for (const id of ['a', 'b'])
    await store.commit([{ act: 'create', record: { id, summary: `the ${id} road` } }], person)
  let waiting: Promise<unknown> | undefined
  await store.locked(async () => {
    waiting = deprecateRecord(store, { id: 'a', why: 'over' }, person)
    await sleep(50)
    clock.at += 20_000
  })
  await waiting
  const { record } = await store.get('a')
  expect(record.deprecated?.at).toBe(record.updated)
})
