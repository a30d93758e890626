/** The tool `deprecate` and `mnemos deprecate` refuse the same, in the same words. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deprecateCommand } from '../../../src/cli/deprecate.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import { inProcess } from '../../support/cli.ts'
import { tempDir } from '../../support/temp.ts'

const COMPOSED = 'caf\u00e9'
const DECOMPOSED = 'cafe\u0301'

async function bothWays() {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'))
  for (const name of [COMPOSED, 'other']) writeFileSync(join(root, 'memories', `${name}.md`), `The ${name}`)
  const { session, said } = await inProcess(root)
  const deprecateTool = session.memory.tools.find(({ name }) => name === 'deprecate')
  if (!deprecateTool) throw new Error('there is no tool deprecate')
  const env = { context: personContext(), notices: () => [], ask: async () => 'nobody' as const }
  return [
    (id: string, why: string, by?: string) =>
      callTool(deprecateTool, { id, why, supersededBy: by }, env, { log: () => {} }),
    async (id: string, why: string, by?: string) => {
      await deprecateCommand(session, id, by === undefined ? { why } : { why, by })
      return said().value
    },
  ] as const
}

it('no reason, and a record in its own place', async () => {
  for (const deprecate of await bothWays()) {
    await expect(deprecate('nothing', ' ')).rejects.toThrow('A deprecation needs a reason.')
    for (const id of [COMPOSED, DECOMPOSED])
      await expect(deprecate(id, 'gone', COMPOSED)).rejects.toThrow('A record cannot supersede itself.')
  }
})

it('an earlier reason stays, and a warning says so', async () => {
  const [tool, command] = await bothWays()
  expect(await tool(DECOMPOSED, 'gone')).toEqual({ id: COMPOSED, status: 'deprecated' })
  expect(await command(COMPOSED, 'again', 'other')).toEqual({
    id: COMPOSED,
    status: 'deprecated',
    supersededBy: ['other'],
    warnings: [expect.stringMatching(/^It was deprecated already on .*; that reason stays\.$/)],
  })
})
