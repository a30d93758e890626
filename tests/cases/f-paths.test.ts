/** Case F31 of issue 11: a path that is told counts from the data folder on, whoever tells it, and never from this machine's root. */
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { exportRecords } from '../../src/answers/export.ts'
import { answerLedger } from '../../src/answers/ledger.ts'
import { answerStatus } from '../../src/answers/status.ts'
import { answerEntries } from '../../src/answers/user-memory.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { reportedBy } from '../support/messages.ts'
import { openStore } from '../support/store.ts'

const person = personContext()

it.skipIf(process.platform === 'win32')('F31 every answer names a file from the data folder on', async () => {
  const { store: first, root } = await openStore()
  await first.commit([{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }], person)
  first.close()
  mkdirSync(join(root, 'user-memory'), { recursive: true })
  writeFileSync(join(root, 'memories', 'broken.md'), '')
  symlinkSync('nowhere', join(root, 'memories', 'gone'))
  writeFileSync(join(root, 'user-memory', 'tea.md'), 'no entry')
  const [month = ''] = readdirSync(join(root, 'ledger'))
  appendFileSync(join(root, 'ledger', month), 'no line of ours\n')
  const { memory, store } = await openStore({ root })
  await memory.open()
  const skipped = ['memories/broken.md', 'memories/gone']
  const status = await answerStatus({ ...memory, language: 'en' }, [])
  expect(status.skipped.map(({ path }) => path)).toEqual(skipped)
  expect((await exportRecords(store)).bad.map(({ path }) => path)).toEqual(skipped)
  expect(answerEntries(memory.userMemory).skipped).toEqual(['user-memory/tea.md'])
  const line = `ledger/${month}:2`
  expect(answerLedger(memory, {}).unreadable.map((bad) => bad.line)).toEqual([line])
  const { findings } = await answerDoctor({
    memory,
    machine: { disk: nodeDisk, dshHome: `${root}-home` },
    profiles: [],
    looksAtProfiles: false,
  })
  const all = [...skipped, 'user-memory/tea.md', line]
  expect(findings.flatMap(({ paths }) => paths).sort()).toEqual(all.toSorted())
  for (const path of all) expect(findings.find(({ paths }) => paths.includes(path))?.sentence).toContain(path)
  for (const sentence of [...findings.map((one) => one.sentence), ...status.problems, ...reportedBy(store)])
    expect(sentence).not.toContain(root)
  store.close()
})
