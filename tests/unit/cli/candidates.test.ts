/** What waits for the person, and their word on it: what the command prints and what is in the files then. */
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { acceptCommand, candidatesCommand, dismissCommand } from '../../../src/cli/candidates.ts'
import { statusCommand } from '../../../src/cli/status.ts'
import { acceptance, dismissal } from '../../../src/self-history/waiting.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { waitingFolder } from '../../support/candidates.ts'
import { inProcess } from '../../support/cli.ts'
import { filesBelow } from '../../support/files.ts'
import { tempDir } from '../../support/temp.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('the host’s shell may neither list them nor decide', async () => {
  const { root } = await waitingFolder()
  const { session } = await inProcess(root)
  vi.stubEnv('DSH_SHELL', '1')
  for (const act of [
    () => candidatesCommand(session),
    () => acceptCommand(session, 'unsure'),
    () => dismissCommand(session, 'unsure', {}),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'REFUSED' })
  expect((await session.store.get('unsure')).record).toMatchObject({ confirmed: false, status: 'active' })
})

describe('candidates', () => {
  it('shows why each one waits, and nothing that could steer a terminal', async () => {
    const { root, write } = await waitingFolder()
    write('steers', 'summary: "a\\e[2Jb"\nstatus: candidate\ncandidateReason: "x\\e[1m"\ncreated: 2026-01-07')
    const { session, said } = await inProcess(root)
    await candidatesCommand(session)
    const lines = said().text.split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[2]).toMatch(/unsure .*2026-01-03 experience, unconfirmed, had met web.* perhaps so/)
    expect(lines[3]).toMatch(/outside .*unconfirmed, external/)
    expect(lines[4]).toContain('a\\u{001B}[2Jb')
    expect(lines[5]).toContain('mnemos accept <id>, mnemos dismiss <id>')
  })

  it('are counted by status', async () => {
    const { root } = await waitingFolder()
    const { session, said } = await inProcess(root)
    await statusCommand(session)
    expect(said().value.waiting).toBe(4)
    expect(said().text).toMatch(/^Waiting +4 +mnemos candidates$/m)
    for (const id of ['untrusted', 'overflow', 'unsure', 'outside']) await dismissCommand(session, id, {})
    await statusCommand(session)
    expect(said().text).not.toContain('Waiting')
  })

  it('says when there is nothing', async () => {
    const { session, said } = await inProcess(await tempDir('store'))
    await candidatesCommand(session)
    expect(said()).toEqual({ value: [], text: 'Nothing waits for a decision.' })
  })
})

describe('accept', () => {
  it.each(['untrusted', 'unsure'])('makes %s count, in the person’s name', async (id) => {
    const { root } = await waitingFolder()
    const { session, said } = await inProcess(root)
    await acceptCommand(session, id)
    const { record, text } = await session.store.get(id)
    expect(record).toMatchObject({
      status: 'active',
      confirmed: true,
      acceptedBy: 'person',
      layer: 'permanent',
      source: 'autobiographical',
    })
    expect(text).not.toContain('candidateReason')
    expect(said().value).toMatchObject({ id, status: 'active', warnings: [] })
    expect(session.store.ledger().entries).toMatchObject([{ act: 'update', by: 'person', rev: [1, 2] }])
    await expect(acceptCommand(session, id)).rejects.toThrow(
      `The record "${id}" waits for no decision (it is active, accepted by person); nothing was changed. What waits: mnemos candidates`,
    )
  })

  it('says when there is no room in view for it', async () => {
    const { root, write } = await waitingFolder()
    for (const n of [1, 2, 3, 4])
      write(`full-${n}`, `kind: identity\nsummary: ${'abcde'.charAt(n).repeat(200)}\ncreated: 2025-01-0${n}`)
    const { session, said } = await inProcess(root)
    await acceptCommand(session, 'overflow')
    expect((await session.store.get('overflow')).record.status).toBe('active')
    expect(said().text).toContain('this entry is stored and not shown')
  })

  it.each(['outside', 'page'])(
    'of the external %s writes a new record; the old one stays external',
    async (id) => {
      const { root } = await waitingFolder()
      const { session, said } = await inProcess(root)
      const before = (await session.store.get(id)).record
      await acceptCommand(session, id)
      const { id: newId } = said().value
      expect(newId).not.toBe(id)
      expect((await session.store.get(newId)).record).toMatchObject({
        kind: before.kind,
        summary: before.summary,
        content: before.content,
        tags: before.tags,
        source: id === 'page' ? 'internal' : 'autobiographical',
        author: 'person',
        acceptedBy: 'person',
        confirmed: true,
        status: 'active',
        derivedFrom: [id],
        supersedes: [id],
      })
      expect((await session.store.get(id)).record).toMatchObject({
        source: 'external',
        status: 'deprecated',
        deprecated: { by: 'person', why: `accepted as ${newId}` },
        supersededBy: [newId],
      })
      expect(session.store.waiting().map((record) => record.id)).not.toContain(id)
      expect(
        session.store
          .ledger()
          .entries.map(({ act }) => act)
          .sort(),
      ).toEqual(['correct', 'create'])
    },
  )

  it('refuses what waits for nothing, and what is not there', async () => {
    const { root } = await waitingFolder()
    const { session } = await inProcess(root)
    await expect(acceptCommand(session, 'plain')).rejects.toMatchObject({
      code: 'REFUSED',
      message:
        'The record "plain" waits for no decision (it is active); nothing was changed. What waits: mnemos candidates',
    })
    await expect(acceptCommand(session, 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(filesBelow(join(root, 'ledger'))).toEqual([])
  })
})

it('a decision holds for the record as it stands when it is written', async () => {
  const { root } = await waitingFolder()
  const { session } = await inProcess(root)
  const decision = { by: 'person' }
  for (const id of ['untrusted', 'outside']) {
    const { record } = await session.store.get(id)
    const decided = [
      acceptance(record, session.store.newId(), decision),
      dismissal(record, 'not so', decision),
    ]
    await dismissCommand(session, id, {})
    for (const acts of decided)
      await expect(session.store.commit(acts, personContext())).rejects.toThrow('waits for no decision')
  }
  expect(filesBelow(join(root, 'memories'))).toHaveLength(6)
})

describe('dismiss', () => {
  it('deprecates it with the reason; it stays readable', async () => {
    const { root } = await waitingFolder()
    const { session, said } = await inProcess(root)
    await dismissCommand(session, 'untrusted', {})
    await dismissCommand(session, 'unsure', { why: 'it is not so' })
    expect(said().text).toBe('Dismissed unsure. It stays readable: mnemos show unsure')
    expect((await session.store.get('untrusted')).record).toMatchObject({
      status: 'deprecated',
      candidateReason: 'untrusted',
      deprecated: { by: 'person', why: 'dismissed by the person' },
    })
    expect((await session.store.get('unsure')).record.deprecated?.why).toBe('it is not so')
    expect(session.store.waiting().map(({ id }) => id)).toEqual(['overflow', 'outside'])
    expect(session.store.ledger().entries.map(({ act, by }) => [act, by])).toEqual(
      Array(2).fill(['deprecate', 'person']),
    )
    await expect(dismissCommand(session, 'unsure', {})).rejects.toMatchObject({ code: 'REFUSED' })
    await expect(dismissCommand(session, 'page', {})).rejects.toThrow('mnemos deprecate page')
    await expect(dismissCommand(session, 'outside', { why: ' ' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})
