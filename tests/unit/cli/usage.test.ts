/** How a person names a record: by its id, by its file's name, and where it begins with "-". */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerEdit } from '../../../src/answers/edit.ts'
import { ledgerCommand } from '../../../src/cli/ledger.ts'
import { commands } from '../../../src/cli/program.ts'
import { showCommand } from '../../../src/cli/show.ts'
import { usageRemedy } from '../../../src/cli/usage.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { inProcess } from '../../support/cli.ts'
import { tempDir } from '../../support/temp.ts'

async function plainNote() {
  const root = await tempDir('names')
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', 'two words.md'), 'a plain note\n')
  return inProcess(root)
}

describe('F31 names of records', () => {
  it('F31 show finds a note by the name of its file', async () => {
    const { session, said } = await plainNote()
    for (const name of ['two words', 'two-words', ' two words ']) {
      await showCommand({ ...session, json: true }, name)
      expect(said().value).toMatchObject({ id: 'two-words', summary: 'a plain note' })
    }
  })

  it('F31 the ledger tells no revisions of a file that counts none', async () => {
    const { session, said } = await plainNote()
    const found = await session.store.get('two words')
    await answerEdit(session.store, found, Buffer.from('another plain note\n'), personContext())
    await ledgerCommand(session, {})
    expect(said().text).toMatch(/update +two-words {2}person$/)
    await session.store.commit(
      [{ act: 'update', id: 'two-words', change: (record) => ({ ...record, tags: ['x'] }) }],
      personContext(),
    )
    await ledgerCommand(session, { limit: '1' })
    expect(said().text).toContain('rev 1 → 2')
  })

  it.each([
    [['show', '-abc'], '-abc', 'mnemos show -- -abc'],
    [['--json', 'user-memory', 'show', '-tea'], '-tea', 'mnemos user-memory show -- -tea'],
    [['status', '-x'], '-x', undefined],
    [['show', '--all'], '--all', undefined],
  ])('F31 a call %j is told how a name that begins with "-" is given', (words, option, command) => {
    const remedy = usageRemedy(
      commands(() => {}),
      `unknown option '${option}'`,
      words,
    )
    expect(remedy).toContain('See mnemos --help')
    expect(/mnemos (?!--help).*/.exec(remedy)?.[0]).toBe(command)
  })
})
