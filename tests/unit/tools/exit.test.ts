/** What a tool says of itself when something is wrong: one sentence, one line. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { MnemosError } from '../../../src/base/errors.ts'
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
])('remember refuses a broken %s instead of repairing it silently', async (key, args) => {
  const { store, root } = await openStore()
  const call = callTool(rememberTool(store), { summary: 'a fact', ...args }, envOf({}), { log: () => {} })
  await expect(call).rejects.toThrow(`${key} holds NUL or half a character; nothing was written.`)
  expect(filesBelow(`${root}/memories`)).toEqual([])
})

const answering = (run: () => unknown, output: z.ZodObject = z.looseObject({})) =>
  defineTool({
    name: 'probe',
    description: '',
    input: z.strictObject({}),
    output,
    run: async () => run() as never,
  })

it.each([
  ['an answer', () => ({ text: `half ${'😀'.slice(0, 1)}`, list: ['\udc00'] })],
  [
    'an error',
    () => {
      throw new MnemosError('NOT_FOUND', `There is no "${'😀'.slice(0, 1)}".`, '\ud800')
    },
  ],
  [
    'an unforeseen error',
    () => {
      throw new Error(`broken ${'😀'.slice(0, 1)}`)
    },
  ],
])('%s never holds half a character', async (_, run) => {
  const said = await callTool(answering(run), {}, envOf({}), { log: () => {} }).then(
    (answer) => Object.values(answer).flat().join(''),
    (error: MnemosError) => error.message,
  )
  expect(said).toContain('\ufffd')
  expect(said.isWellFormed()).toBe(true)
})

it('an answer of another shape than the tool declares is logged and passed on', async () => {
  const lines: string[] = []
  const tool = answering(() => ({ n: 'one' }), z.strictObject({ n: z.number() }))
  expect(await callTool(tool, {}, envOf({}), { log: (line) => lines.push(line) })).toEqual({ n: 'one' })
  expect(lines).toEqual([expect.stringMatching(/^probe answered in another shape than it declares: n: /)])
})
