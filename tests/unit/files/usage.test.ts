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
  expect(usage.idleDays(now)('kettle')).toBe(40)
  appendFileSync(join(folder, '2026-11.jsonl'), '{"at":"2026-11-2')
  usage.note('kettle', undefined, now - DAY)
  const idle = usage.idleDays(now)
  expect([idle('kettle'), idle('mill'), idle('unknown') > 1000]).toEqual([1, 2, true])
  // A journal from the future does not count below nothing.
  usage.note('mill', undefined, now + 9 * DAY)
  expect(usage.idleDays(now)('mill')).toBe(0)
  mkdirSync(join(folder, '2027-01.jsonl'))
  expect(usage.idleDays(now)('mill')).toBe(0)
})

it('breaks a tie between equals and hides nothing', async () => {
  const { store } = await openStore()
  const person = personContext()
  const make = async (content: string) =>
    (
      await store.commit(
        [{ act: 'create', record: { summary: 'The ferry leaves at nine', content } }],
        person,
      )
    ).records[0]?.id ?? ''
  const [older, newer] = [await make('from pier one'), await make('from pier two')]
  const order = async () =>
    (await store.recall({ queries: ['ferry nine'], scope: {}, limit: 5, include: [] })).hits.map(
      ({ record }) => record.id,
    )
  expect(await order()).toEqual([newer, older])
  store.noteOpened(older, person)
  expect(await order()).toEqual([older, newer])
})
