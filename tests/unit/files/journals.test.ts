/** Ledger, tombstones and use journal: a line that is torn or foreign is named, and stops nothing. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { Ledger, type LedgerEntry, ledgerId } from '../../../src/files/ledger.ts'
import { Tombstones } from '../../../src/files/tombstones.ts'
import { Usage } from '../../../src/files/usage.ts'
import { tempDir } from '../../support/temp.ts'

const AT = '2026-11-30T00:00:00.000Z'
const create = (id: string): LedgerEntry => ({ at: AT, act: 'create', id, by: 'person', rev: [null, 1] })
const BAD = '{"at":"2026-11-3\n{"other":"program"}\n\n'

it('a ledger tells what it can read, names the rest, and is completed without repeating a line', async () => {
  const folder = await tempDir('ledger')
  const file = join(folder, '2026-11.jsonl')
  const ledger = new Ledger(nodeDisk, folder)
  ledger.append([create('ferry')])
  appendFileSync(file, BAD)
  // What a process wrote before it was killed: a whole line, and half of the next.
  const half = readFileSync(file, 'utf8').slice(0, 40)
  appendFileSync(file, half)
  ledger.complete([create('ferry'), create('mill')])
  const { entries, bad } = ledger.read()
  expect(entries.map(({ id }) => id)).toEqual([ledgerId('ferry'), ledgerId('mill')])
  expect(bad).toEqual([
    { line: 'ledger/2026-11.jsonl:2', reason: 'torn' },
    { line: 'ledger/2026-11.jsonl:3', reason: 'foreign' },
    { line: 'ledger/2026-11.jsonl:5', reason: 'torn' },
  ])
})

it('tombstones before and after a bad line count, and the line is named', async () => {
  const root = await tempDir('tombstones')
  const file = join(root, 'tombstones.jsonl')
  new Tombstones(nodeDisk, layoutOf(root)).add('ferry', AT, [])
  appendFileSync(file, BAD)
  new Tombstones(nodeDisk, layoutOf(root)).add('mill', AT, [])
  const tombstones = new Tombstones(nodeDisk, layoutOf(root))
  tombstones.refresh()
  expect(['ferry', 'mill', 'kettle'].map((id) => tombstones.deletedAt(id))).toEqual([AT, AT, undefined])
  expect(tombstones.damage()?.lines).toEqual([
    { line: 'tombstones.jsonl:2', reason: 'torn' },
    { line: 'tombstones.jsonl:3', reason: 'foreign' },
  ])
})

it('a use before and after a bad line counts', async () => {
  const folder = await tempDir('usage')
  const now = Date.parse(AT)
  writeFileSync(join(folder, '2026-11.jsonl'), `${JSON.stringify({ at: AT, id: ledgerId('ferry') })}\n${BAD}`)
  const usage = new Usage(nodeDisk, folder)
  usage.note('mill', undefined, now)
  const idle = usage.idleDays(now)
  expect([idle('ferry', 0), idle('mill', 0)]).toEqual([0, 0])
})
