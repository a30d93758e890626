/** The user memory on the command line: what the person writes, lists and reads, and what lies in the folder then. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { addEntryCommand, listEntriesCommand, showEntryCommand } from '../../../src/cli/user-memory.ts'
import { inProcess } from '../../support/cli.ts'
import { filesBelow } from '../../support/files.ts'
import { tempDir } from '../../support/temp.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const TEA = { type: 'user', summary: 'Drinks tea, never coffee.' }

it('adds, lists and shows an entry; only --overwrite replaces one', async () => {
  const root = await tempDir('store')
  const { session, said } = await inProcess(root)
  await listEntriesCommand(session)
  expect(said().value).toEqual({ entries: [], skipped: [] })
  await addEntryCommand(session, 'tea', { ...TEA, details: 'Green.' })
  const file = join(root, 'user-memory/tea.md')
  expect(said().value).toMatchObject({ name: 'tea', saved: true, file })
  expect(readFileSync(file, 'utf8')).toBe(
    '---\nname: tea\ntype: user\nsummary: Drinks tea, never coffee.\n---\n\nGreen.\n',
  )
  await expect(addEntryCommand(session, 'tea', { ...TEA, summary: 'Coffee.' })).rejects.toThrow(/already/)
  await addEntryCommand(session, 'tea', { ...TEA, details: 'Green.', overwrite: true })
  expect(said().value.saved).toBe(false)
  await addEntryCommand(session, 'tea', { ...TEA, summary: 'Coffee now.', overwrite: true })
  await showEntryCommand(session, 'tea')
  expect(said().value).toMatchObject({ summary: 'Coffee now.', details: '', file })
  await listEntriesCommand(session)
  expect(said().text).toMatch(/tea.*user.*Coffee now\./)
  const ledger = filesBelow(join(root, 'ledger')).map(({ bytes }) => bytes.toString())
  expect(ledger.join('').match(/"act":"user-memory"/g)).toHaveLength(2)
})

it('refuses the host’s shell, an unknown type and a name that is a path', async () => {
  const { session } = await inProcess(await tempDir('store'))
  await expect(addEntryCommand(session, 'tea', { ...TEA, type: 'wish' })).rejects.toThrow(/reference/)
  await expect(addEntryCommand(session, '../tea', TEA)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(showEntryCommand(session, '../tea')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  vi.stubEnv('DSH_SHELL', '1')
  await expect(addEntryCommand(session, 'tea', TEA)).rejects.toMatchObject({ code: 'REFUSED' })
})
