/** How much `open` reads, and what it says of where a record lies. */
import { expect, it } from 'vitest'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import { openTool } from '../../../src/tools/open.ts'
import { openStore } from '../../support/store.ts'

const person = personContext()
const env = { context: person, notices: () => [], ask: async () => 'nobody' as const }

async function withRecords(...contents: string[]) {
  const { store, root } = await openStore({ config: { openMaxChars: 200 } })
  const ids: string[] = []
  for (const content of contents) {
    const { records } = await store.commit([{ act: 'create', record: { summary: 'x', content } }], person)
    ids.push(records[0]?.id ?? '')
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape; a wrong path fails the test.
  const open = (args: object): Promise<any> => callTool(openTool(store), args, env, { log: () => {} })
  return { open, ids, root }
}

it('reads as much as is asked for, also more than the default', async () => {
  const { open, ids } = await withRecords('a'.repeat(1_000))
  expect(await open({ id: ids[0] })).toMatchObject({ content: 'a'.repeat(200), more: 800, next: 200 })
  expect((await open({ id: ids[0], maxChars: 900 })).content).toHaveLength(900)
  expect((await open({ id: ids[0], maxChars: 5_000 })).content).toHaveLength(1_000)
})

it('shares what is asked for among several records, and says of each what is left', async () => {
  const { open, ids } = await withRecords('a'.repeat(150), 'b'.repeat(150), 'c'.repeat(150))
  const { records } = await open({ ids })
  expect(
    records.map(({ content, more = 0 }: { content: string; more?: number }) => [content.length, more]),
  ).toEqual([
    [150, 0],
    [50, 100],
    [0, 150],
  ])
})

it('names the file within the data folder, and nothing of the machine', async () => {
  const { open, ids, root } = await withRecords('x')
  const answer = await open({ id: ids[0] })
  expect(answer.file).toBe(`memories/2026/11/${ids[0]}.md`)
  expect(JSON.stringify(answer)).not.toContain(root)
})
