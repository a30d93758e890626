/** The commands on a store in this process: what they print, and what is in the files then. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deprecateCommand } from '../../../src/cli/deprecate.ts'
import { ledgerCommand } from '../../../src/cli/ledger.ts'
import { rebuildIndexCommand } from '../../../src/cli/rebuild-index.ts'
import { recentCommand } from '../../../src/cli/recent.ts'
import { correction } from '../../../src/store/correction.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { inProcess } from '../../support/cli.ts'
import { filesBelow, holding } from '../../support/files.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const note = (root: string, id: string, text: string) => {
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', `${id}.md`), text)
}

describe('recent', () => {
  it('shows the newest first, with --all those of every status', async () => {
    const { root, store } = await openStore()
    for (const summary of ['first', 'second', 'third'])
      await store.commit([{ act: 'create', record: { summary } }], person)
    const { records } = await store.commit(
      correction(
        { id: store.newId(), summary: 'fourth' },
        [(await store.recent(1, ['active']))[0]?.id ?? ''],
        'person',
      ),
      person,
    )
    expect(records).toHaveLength(2)
    store.close()
    const { session, said } = await inProcess(root)
    const summaries = () => said().value.map(({ summary }: { summary: string }) => summary)
    await recentCommand(session, {})
    expect(summaries()).toEqual(['fourth', 'second', 'first'])
    expect(said().text.split('\n')).toHaveLength(3)
    await recentCommand(session, { all: true, limit: '2' })
    expect(summaries()).toEqual(['fourth', 'third'])
    await expect(recentCommand(session, { limit: '0' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('shows a file as it stands, not as the index knew it', async () => {
    const root = await tempDir('store')
    note(root, 'kettle', 'The kettle whistles')
    const { session, said } = await inProcess(root)
    note(root, 'kettle', 'The kettle sings')
    await recentCommand(session, {})
    expect(said().text).toContain('The kettle sings')
  })
})

describe('deprecate', () => {
  it('marks the record and ties it to what holds instead', async () => {
    const root = await tempDir('store')
    note(root, 'old', 'The mill is old')
    note(root, 'new', 'The mill is new')
    const { session, said } = await inProcess(root)
    await deprecateCommand(session, 'old', { why: 'rebuilt', by: 'new' })
    expect(said().value).toEqual({ id: 'old', status: 'deprecated', supersededBy: ['new'], warnings: [] })
    expect((await session.store.get('old')).record.deprecated).toMatchObject({ by: 'person', why: 'rebuilt' })
    expect((await session.store.get('new')).record.supersedes).toEqual(['old'])
    await deprecateCommand(session, 'old', { why: 'again' })
    expect(said().text).toContain('that reason stays')
    await expect(deprecateCommand(session, 'new', { why: ' ' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    await expect(deprecateCommand(session, 'new', { why: 'x', by: 'new' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    await expect(deprecateCommand(session, 'new', { why: 'x', by: 'none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await session.store.get('new')).record.status).toBe('active')
  })
})

describe('ledger', () => {
  it('is read by id, time and act, also where lines of it are torn', async () => {
    const root = await tempDir('store')
    note(root, 'kettle', 'The kettle whistles')
    const { session, said } = await inProcess(root)
    await session.store.commit([{ act: 'create', record: { summary: 'made' } }], person)
    await session.store.commit(
      [{ act: 'update', id: 'kettle', change: (one) => ({ ...one, keep: true }) }],
      person,
    )
    const [file] = filesBelow(join(root, 'ledger'))
    appendFileSync(file?.path ?? '', '{"at":"2026-\n{"foreign":true}\n')
    writeFileSync(
      join(root, 'ledger', '2020-02.jsonl'),
      `${JSON.stringify({ at: '2020-02-03T00:00:00.000Z', act: 'create', id: '23456789bc', by: 'person', rev: [null, 1] })}\n`,
    )
    const acts = () => said().value.entries.map(({ act }: { act: string }) => act)
    await ledgerCommand(session, {})
    expect(acts()).toEqual(['update', 'create', 'create'])
    expect(said().value.unreadable).toMatchObject([{ reason: 'torn' }, { reason: 'foreign' }])
    expect(said().text).toMatch(/2 lines of the ledger cannot be read: \d{4}-\d{2}\.jsonl:3 \(torn\)/)
    await ledgerCommand(session, { id: 'kettle' })
    expect(acts()).toEqual(['update'])
    // Its name is in the answer, by the record that is there, and in no file of the ledger.
    expect(said().value.entries).toMatchObject([{ id: expect.stringMatching(/^h:/), name: 'kettle' }])
    expect(said().text).toContain('  kettle  ')
    expect(holding(join(root, 'ledger'), 'kettle')).toEqual([])
    await ledgerCommand(session, { until: '2020-02-03' })
    expect(said().value.entries).toMatchObject([{ id: '23456789bc' }])
    await ledgerCommand(session, { since: '2020-02-04', act: 'create' })
    expect(acts()).toEqual(['create'])
    await ledgerCommand(session, { limit: '1' })
    expect([acts(), said().value.more]).toEqual([['update'], 2])
    await expect(ledgerCommand(session, { since: 'yesterday' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})

describe('rebuild-index', () => {
  it('drops the index and fills it from the files', async () => {
    const root = await tempDir('store')
    note(root, 'kettle', 'The kettle whistles')
    ;(await inProcess(root)).session.store.close()
    const index = () => filesBelow(join(root, 'index')).map(({ bytes }) => bytes.toString('base64'))
    const { session, said } = await inProcess(root)
    const found = async () =>
      (await session.store.recall({ queries: ['kettle'], scope: {}, limit: 5, include: [] })).hits.length
    const before = index()
    await rebuildIndexCommand(session)
    expect(said().value).toMatchObject({ records: 1, ms: expect.any(Number) })
    expect(index()).not.toEqual(before)
    expect(await found()).toBe(1)
    expect(holding(join(root, 'ledger'), 'vanish')).toEqual([])
  })
})
