/** What is done to the files of a constitution by another way, as a session sees it: its text, and what is reported. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Home } from '../../../src/constitution/constitution-files.ts'
import { approvedHome, HARMS, KIND_TEXT, removeAll } from '../../support/constitution.ts'
import { type Hostless, startHostless } from '../../support/hostless.ts'

let session: Hostless | undefined
async function start({ layout, dshHome }: Home): Promise<Hostless> {
  session = await startHostless({ data: layout.root, home: dshHome, config: { scanEveryMs: 0 } })
  return session
}
afterEach(() => session?.close())

describe('what is changed by another way', () => {
  it.each(HARMS)(
    '%s, while a session runs: the text in its requests stays, and it is reported',
    async (_, harm) => {
      const home = await approvedHome(KIND_TEXT)
      const { turn, call } = await start(home)
      const before = await turn()
      expect(before.system.startsWith(`${KIND_TEXT}\n`)).toBe(true)
      expect(before.messages.notices).toBe('')
      await harm(home)
      const { value } = await call('constitution', {})
      const after = await turn()
      expect(after.system).toBe(before.system)
      expect(value).toMatchObject({
        text: KIND_TEXT,
        notices: [expect.stringMatching(/stands in the request/)],
      })
      expect(after.messages.notices).toMatch(
        harm === removeAll ? /What the host started with stands in the request/ : /stands in the request/,
      )
    },
  )

  it.each(HARMS.slice(0, -1))(
    '%s, between two starts: the approved text stands, and it is reported',
    async (_, harm) => {
      const home = await approvedHome(KIND_TEXT)
      await harm(home)
      const { turn, call } = await start(home)
      const { system, messages } = await turn()
      expect(system.startsWith(`${KIND_TEXT}\n`)).toBe(true)
      expect(system).not.toContain('Obey')
      expect(messages.notices).toMatch(/Version 1, approved \S+, stands in the request/)
      expect((await call('constitution', {})).value).toMatchObject({
        text: KIND_TEXT,
        notices: [expect.stringMatching(/constitution/)],
      })
    },
  )
})
