/** A gate that takes one half of a change out, or reads all of a person's edit: nothing half done, nothing unseen. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerAccept } from '../../../src/answers/candidates.ts'
import { MnemosError } from '../../../src/base/errors.ts'
import type { NewRecord } from '../../../src/store/acts.ts'
import type { RecordWrite } from '../../../src/store/change.ts'
import { textsIn } from '../../../src/store/change.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()

async function withTwo() {
  const { memory, store, root } = await openStore()
  const call = (name: string, args: object): Promise<{ id: string }> => {
    const tool = memory.tools.find((one) => one.name === name)
    if (!tool) throw new Error(`there is no tool ${name}`)
    const env = { context: person, notices: () => [], ask: async () => 'allowed' as const }
    return callTool(tool, args, env, { log: () => {} }) as never
  }
  const a = (await call('remember', { summary: 'the port is 1', source: 'external' })).id
  const b = (await call('remember', { summary: 'the harbour is closed' })).id
  const files = () => filesBelow(join(root, 'memories')).map(({ path, bytes }) => [path, bytes.toString()])
  return { store, call, a, b, files }
}

const ACTS: RecordWrite['act'][] = ['create', 'correct', 'deprecate', 'update']

it.each(ACTS)('a gate that takes out each "%s" leaves no half of a linked change', async (taken) => {
  const { store, call, a, b, files } = await withTwo()
  store.admission.register({
    name: 'takes out',
    check: (change) => ({ change: change.filter((write) => write.what !== 'record' || write.act !== taken) }),
  })
  const before = files()
  const refused: string[] = []
  for (const act of [
    () => call('remember', { summary: 'the port is 2', supersedes: [a] }),
    () => answerAccept(store, a, person),
    () => call('deprecate', { id: a, why: 'over', supersededBy: b }),
  ])
    await act().catch((error: MnemosError) => refused.push(error.code))
  // Where something was refused nothing of it is on disk; every link leads to what names it back.
  if (refused.length === 3) expect(files()).toEqual(before)
  const records = await Promise.all(store.ids().map(async (id) => (await store.get(id)).record))
  for (const { id, supersededBy, supersedes } of records) {
    for (const next of supersededBy) expect(records.find((one) => one.id === next)?.supersedes).toContain(id)
    for (const old of supersedes) {
      expect(records.find((one) => one.id === old)?.supersededBy).toContain(id)
      expect(records.find((one) => one.id === old)?.status).toBe('deprecated')
    }
  }
  expect(refused).toContain('REFUSED')
})

it.each<[string, Partial<NewRecord>]>([
  ['supersedes', { supersedes: ['one'] }],
  ['supersededBy', { supersededBy: ['one'] }],
  ['derivedFrom', { derivedFrom: ['one'] }],
  ['links', { links: [{ to: 'one', relation: 'near', why: '' }] }],
  ['contested', { contested: [{ by: 'one', at: '2026-11-30T00:00:00.000Z', why: 'w' }] }],
])('a record that names in %s what a gate takes out is not written', async (_, naming) => {
  const { store, files } = await withTwo()
  store.admission.register({
    name: 'takes out',
    check: (change) => ({
      change: change.filter((write) => write.what !== 'record' || write.next.id !== 'one'),
    }),
  })
  const before = files()
  const both: NewRecord[] = [
    { id: 'one', summary: 'the one' },
    { id: 'other', summary: 'the other', ...naming },
  ]
  const committed = store.commit(
    both.map((record) => ({ act: 'create' as const, record })),
    person,
  )
  await expect(committed).rejects.toMatchObject({ code: 'REFUSED' })
  expect(files()).toEqual(before)
})

it.each([
  ['an unknown key', (base: string) => base.replace('tags', 'apikey: hunter2\ntags')],
  ['a comment', (base: string) => base.replace('tags', '# hunter2\ntags')],
  ['the tail of a long summary', (base: string) => base.replace('plain one', `${'x'.repeat(200)} hunter2`)],
  ['a fourth question', (base: string) => base.replace('tags', 'askedAs: [a, b, c, hunter2]\ntags')],
])('a person’s edit shows the gates %s', async (_, change) => {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'))
  const base = '---\nsummary: plain one\ntags: [a]\n---\nbody\n'
  writeFileSync(join(root, 'memories', 'n.md'), base)
  const { store } = await openStore({ root })
  store.admission.register({
    name: 'secrets',
    check(writes) {
      if (writes.some((write) => textsIn(write).some(({ text }) => text.includes('hunter2'))))
        throw new MnemosError('REFUSED', 'It holds a key.', '')
      return undefined
    },
  })
  await expect(store.commit([{ act: 'edit', id: 'n', base, mine: change(base) }], person)).rejects.toThrow(
    'It holds a key.',
  )
  expect(holding(root, 'hunter2')).toEqual([])
})

it('what a gate made of an edit is told, its content too', async () => {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'))
  const base = '---\nsummary: plain one\n---\nbody\n'
  writeFileSync(join(root, 'memories', 'n.md'), base)
  const { store } = await openStore({ root })
  store.admission.register({
    name: 'rewrites',
    check: (change) => ({
      change: change.map((write) =>
        write.what === 'record' ? { ...write, next: { ...write.next, content: 'cut' } } : write,
      ),
    }),
  })
  const { warnings } = await store.commit(
    [{ act: 'edit', id: 'n', base, mine: base.replace('body', 'another body') }],
    person,
  )
  expect(warnings).toEqual(['The field "content" is stored as "cut".'])
})
