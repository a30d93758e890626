import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { Ledger } from '../../../src/files/ledger.ts'
import { tempDir } from '../../support/temp.ts'

it('a ledger of an earlier version, which calls a repair `mend`, is read beside new lines', async () => {
  const folder = join(await tempDir('ledger'), 'ledger')
  mkdirSync(folder)
  const line = { at: '2026-11-01T00:00:00.000Z', act: 'mend', id: 'hvmmft4gks', by: 'person', rev: [1, 1] }
  const file = join(folder, '2026-11.jsonl')
  writeFileSync(file, `${JSON.stringify(line)}\n`)
  const ledger = new Ledger(nodeDisk, folder)
  const { entries, bad } = ledger.read()
  expect({ entries, bad }).toEqual({ entries: [{ ...line, act: 'repair' }], bad: [] })
  ledger.append(entries.map((entry) => ({ ...entry, at: '2026-11-02T00:00:00.000Z' })))
  expect(ledger.read().entries.map(({ act }) => act)).toEqual(['repair', 'repair'])
  expect(readFileSync(file, 'utf8')).toMatch(/"act":"mend".*\n.*"act":"repair".*\n$/)
})
