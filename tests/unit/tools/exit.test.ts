/** What a tool says of itself when something is wrong: one sentence, one line. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import { rememberTool } from '../../../src/tools/remember.ts'
import type { ToolEnv } from '../../../src/tools/tool.ts'
import { defineTool } from '../../../src/tools/tool.ts'
import { filesBelow } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'

const envOf = (more: Partial<ToolEnv>) =>
  ({ context: { ...personContext(), role: 'main' }, notices: () => [], ...more }) as ToolEnv

it('what was not foreseen is logged in one line, without a stack', async () => {
  const lines: string[] = []
  const tool = defineTool({
    name: 'broken',
    description: '',
    input: z.strictObject({}),
    output: z.strictObject({}),
    run: async () => {
      throw new TypeError('first\nsecond')
    },
  })
  await expect(callTool(tool, {}, envOf({}), { log: (line) => lines.push(line) })).rejects.toMatchObject({
    code: 'STORAGE',
  })
  expect(lines).toEqual(['broken failed: first second'])
})

it.each([
  ['content', { content: 'a\0b' }],
  ['content', { content: 'a\ud800b' }],
  ['tags', { tags: ['a\0'] }],
  ['links', { links: [{ to: 'x', relation: 'y', why: '\udc00' }] }],
])('remember refuses a broken %s instead of mending it in silence', async (key, args) => {
  const { store, root } = await openStore()
  const call = callTool(rememberTool(store), { summary: 'a fact', ...args }, envOf({}), { log: () => {} })
  await expect(call).rejects.toThrow(`${key} holds NUL or half a character; nothing was written.`)
  expect(filesBelow(`${root}/memories`)).toEqual([])
})
