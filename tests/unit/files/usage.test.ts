import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { Usage } from '../../../src/files/usage.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const DAY = 86_400_000

it('tells how long a record was not opened, over months and torn lines', async () => {
  const folder = await tempDir('usage')
  const usage = new Usage(nodeDisk, folder)
  const now = Date.UTC(2026, 10, 30)
  usage.note('kettle', undefined, now - 40 * DAY)
  usage.note('mill', 's', now - 2 * DAY)
  const made = now - 50 * DAY
  expect(usage.idleDays(now)('kettle', made)).toBe(40)
  appendFileSync(join(folder, '2026-11.jsonl'), '{"at":"2026-11-2')
  usage.note('kettle', undefined, now - DAY)
  const idle = usage.idleDays(now)
  expect([idle('kettle', made), idle('mill', made), idle('unknown', made)]).toEqual([1, 2, 50])
  // A use that is still to come is none.
  usage.note('mill', undefined, now + 9 * DAY)
  expect(usage.idleDays(now)('mill', made)).toBe(2)
  mkdirSync(join(folder, '2026-10.jsonl.d'))
  expect(usage.idleDays(now)('mill', made)).toBe(2)
})

it('breaks a tie between equals and hides nothing', async () => {
  const { store, clock } = await openStore()
  const person = personContext()
  const make = async (content: string) =>
    (
      await store.commit(
        [{ act: 'create', record: { summary: 'The ferry leaves at nine', content } }],
        person,
      )
    ).records[0]?.id ?? ''
  const older = await make('from pier one')
  clock.at += 2 * DAY
  const newer = await make('from pier two')
  const order = async () =>
    (await store.recall({ queries: ['ferry nine'], scope: {}, limit: 5, include: [] })).hits.map(
      ({ record }) => record.id,
    )
  expect(await order()).toEqual([newer, older])
  clock.at += 2 * DAY
  store.noteOpened(older, person)
  expect(await order()).toEqual([older, newer])
})
