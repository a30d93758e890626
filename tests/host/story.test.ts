/** One record's life, through the host's own agent loop and the real files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holding } from '../support/files.ts'
import { type MnemosHarness, startMnemos } from '../support/mnemos.ts'

let harness: MnemosHarness | undefined
afterEach(async () => {
  await harness?.dispose()
  harness = undefined
  vi.unstubAllEnvs()
})

describe('the life of one record', () => {
  it('is remembered, found from another session, corrected, and deleted with the person’s word', async () => {
    const asked: string[] = []
    harness = await startMnemos({
      approval: ({ reason }) => {
        asked.push(reason ?? '')
        return 'allowed-once'
      },
    })
    const first = await harness.newAgent()
    const stored = await harness.call(first, 'remember', {
      summary: 'The staging database listens on port 5433',
      content: 'Seen in the compose file of the billing service.',
      tags: ['staging'],
      why: 'the person said so',
    })
    expect(stored).toMatchObject({
      isError: false,
      value: { status: 'active', layer: 'long', source: 'internal' },
    })
    const { id } = stored.value

    const second = await harness.newAgent()
    const found = await harness.call(second, 'recall', { query: 'which port does staging use' })
    expect(found.value.hits[0]).toMatchObject({ id, summary: 'The staging database listens on port 5433' })
    expect(found.value.hits[0].matched.map((match: { term: string }) => match.term)).toContain('port')
    const opened = await harness.call(second, 'open', { id })
    expect(opened.value).toMatchObject({
      content: 'Seen in the compose file of the billing service.',
      author: 'scripted/scripted main',
      session: 'session-1',
      order: 1,
      why: 'the person said so',
      citation: { session: 'session-1' },
    })
    expect(readFileSync(join(harness.data, opened.value.file), 'utf8')).toContain(
      'summary: The staging database listens on port 5433\n',
    )

    const corrected = await harness.call(second, 'remember', {
      summary: 'The staging database listens on port 6543',
      supersedes: [id],
      why: 'it moved',
    })
    expect(corrected.value).toMatchObject({ deprecated: [id] })
    const again = await harness.call(second, 'recall', { query: 'staging database port' })
    expect(again.value.hits.map((hit: { id: string }) => hit.id)).toEqual([corrected.value.id])
    expect(again.value.leftOut).toEqual({ deprecated: 1 })
    const old = await harness.call(second, 'open', { id })
    expect(old.value).toMatchObject({
      status: 'deprecated',
      deprecated: { why: 'it moved' },
      chain: { later: [{ id: corrected.value.id, status: 'active' }], earlier: [] },
    })

    const gone = await harness.call(second, 'delete', { id, why: 'no longer wanted' })
    expect(gone).toMatchObject({ isError: false, value: { deleted: true } })
    // "The staging database listens on port" stands in the correction too, and that is said.
    expect(gone.value.stays).toEqual([corrected.value.id])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('The staging database listens on port 5433')
    expect(holding(harness.data, '5433')).toEqual([])
    // A word that only the deleted record had; one that the living record has too stays, in its file and in the index.
    expect(holding(harness.data, 'compose')).toEqual([])
    expect(holding(harness.data, 'listens')).toHaveLength(2)
    expect(await harness.call(second, 'open', { id })).toMatchObject({ isError: true, code: 'DELETED' })
  })
})
