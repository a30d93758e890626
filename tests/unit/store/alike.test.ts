/** A deletion names what else holds the same words: what stays on its own is not the deletion's to remove. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deleteCommand } from '../../../src/cli/delete.ts'
import { acceptance } from '../../../src/self-history/waiting.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { inProcess } from '../../support/cli.ts'
import { holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const SENTENCE = 'The staging database listens on port 5433.'
const note = (root: string, name: string, text: string) => {
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', `${name}.md`), text)
}

describe('a deletion', () => {
  it('names another record with the same sentence, however many others share its words', async () => {
    const root = await tempDir('store')
    note(root, 'first', SENTENCE)
    note(root, 'second', `A long note on many things.\n\n${'The mill is old. '.repeat(40)}${SENTENCE}`)
    note(root, '汉字', '预发布数据库的端口是五四三三，见说明')
    for (let n = 0; n < 200; n++)
      note(root, `other-${n}`, `The database on port ${n} listens, and staging is number ${n}`)
    const { session, said } = await inProcess(root)
    await deleteCommand(session, 'first', { yes: true })
    const left = holding(join(root, 'memories'), 'staging database listens')
    expect(left).toEqual([join(root, 'memories', 'second.md')])
    expect(said().value).toMatchObject({ alike: ['memories/second.md'], alikeRecords: ['second'] })
    expect(said().text).toMatch(/^"first" is deleted; another record .*holds words of it, .*\n {2}second\n?$/)
    note(root, '另一条', '我记得：预发布数据库的端口是五四三三。')
    await session.store.refresh()
    await deleteCommand(session, '汉字', { yes: true })
    expect(said().value.alikeRecords).toEqual(['另一条'])
    await deleteCommand(session, 'second', { yes: true })
    expect(said().value).toMatchObject({ alike: [], alikeRecords: [] })
    expect(said().text).toContain('nothing of it is left')
  })

  it('names the external record that an accepted one was made from, and cuts what was made from it', async () => {
    const { root, store } = await openStore()
    const { records } = await store.commit(
      [{ act: 'create', record: { summary: SENTENCE, source: 'external' } }],
      person,
    )
    const [external] = records
    if (!external) throw new Error('nothing was stored')
    const accepted = store.newId()
    await store.commit(acceptance(external, accepted, { by: 'person' }), person)
    const { alike } = await store.delete(accepted, person)
    const [file] = holding(join(root, 'memories'), 'staging database listens')
    expect(alike).toEqual([{ what: 'record', file: file?.slice(root.length + 1), record: external.id }])
    // The other way round the words are cut out of what was made from it, and it is named by nothing.
    const own = (
      await store.commit(
        [{ act: 'create', record: { summary: 'x', content: SENTENCE, derivedFrom: [external.id] } }],
        person,
      )
    ).records[0]
    expect((await store.delete(external.id, person)).alike).toEqual([])
    expect((await store.get(own?.id ?? '')).record.content).toContain('[…]')
    expect(holding(root, 'staging database listens')).toEqual([])
  })

  it('is finished, and says so, where no index can tell', async () => {
    const root = await tempDir('store')
    note(root, 'first', SENTENCE)
    writeFileSync(join(root, 'index'), 'in the way')
    const { store } = await openStore({ root })
    const { alike } = await store.delete('first', person)
    expect(alike).toEqual([{ what: 'unknown', file: 'memories/', reason: expect.stringContaining('index') }])
    expect(holding(join(root, 'memories'), 'staging')).toEqual([])
  })
})
