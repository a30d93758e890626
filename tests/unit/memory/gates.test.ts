/** One gate, registered once, sees what every writer would write; and no answer says anything else than the disk. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MnemosError } from '../../../src/base/errors.ts'
import { acceptCommand, dismissCommand } from '../../../src/cli/candidates.ts'
import { deprecateCommand } from '../../../src/cli/deprecate.ts'
import { editCommand } from '../../../src/cli/edit.ts'
import type { Memory } from '../../../src/memory/open.ts'
import type { Gate } from '../../../src/store/admission.ts'
import { type RecordWrite, textsIn, type Write } from '../../../src/store/change.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import type { Question } from '../../../src/tools/question.ts'
import { inProcess } from '../../support/cli.ts'
import { holding } from '../../support/files.ts'
import { memoryDisk, openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const SECRET = 'sk-live-0123456789'

const refusesSecrets: Gate = {
  name: 'secrets',
  check(change) {
    if (change.some((write) => textsIn(write).some(({ text }) => text.includes(SECRET))))
      throw new MnemosError('REFUSED', 'It holds a key; nothing was written.', 'Leave the key out.')
    return undefined
  },
}

/** A gate that changes the records of a change, one by one. */
const rewriting = (rewrite: (write: RecordWrite) => RecordWrite | undefined): Gate => ({
  name: 'rewriting',
  check: (change) => ({
    change: change.flatMap((write): Write[] =>
      write.what === 'record' ? [rewrite(write) ?? []].flat() : [write],
    ),
  }),
})

/** Calls a tool as a main session does, and keeps what the person was asked. */
function caller(memory: Memory) {
  const asked: Question[] = []
  const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
    const tool = memory.tools.find((one) => one.name === name)
    if (!tool) throw new Error(`there is no tool ${name}`)
    const env = {
      context: { ...personContext(), author: 'p/m main', session: { id: 's', ancestors: [] } },
      notices: () => [],
      ask: async (question: Question) => {
        asked.push(question)
        return 'allowed' as const
      },
    }
    return callTool(tool, args, env, { log: (line) => expect(line).toBe('') })
  }
  return { call, asked }
}

const entry = { mode: 'create', name: 'port', type: 'user', summary: 'the port is p5433q' }

afterEach(() => {
  vi.unstubAllEnvs()
})

/** `mnemos edit` with an editor that leaves this text. */
async function editor(text: string): Promise<void> {
  const folder = await tempDir('editor')
  writeFileSync(join(folder, 'text'), text)
  const script = join(folder, 'editor')
  writeFileSync(script, `#!/bin/sh\ncat '${join(folder, 'text')}' > "$1"\n`)
  chmodSync(script, 0o700)
  vi.stubEnv('EDITOR', script)
  vi.stubEnv('VISUAL', '')
}

describe('what a gate refuses reaches the disk by no writer', () => {
  it('of a session: remember, a correction, deprecate, memory_save', async () => {
    const { memory, store, root } = await openStore()
    const { call, asked } = caller(memory)
    const { id } = await call('remember', { summary: 'the port is 5432' })
    store.admission.register(refusesSecrets)
    const refused = /holds a key/
    await expect(call('remember', { summary: `the key is ${SECRET}` })).rejects.toThrow(refused)
    await expect(call('remember', { summary: 'a key', content: SECRET })).rejects.toThrow(refused)
    await expect(call('remember', { summary: 'a key', tags: [SECRET] })).rejects.toThrow(refused)
    await expect(
      call('remember', { summary: 'a link', links: [{ to: id, relation: 'x', why: SECRET }] }),
    ).rejects.toThrow(refused)
    await expect(
      call('remember', { summary: 'the port is p5433q', supersedes: [id], why: SECRET }),
    ).rejects.toThrow(refused)
    await expect(call('deprecate', { id, why: SECRET })).rejects.toThrow(refused)
    await expect(call('memory_save', { ...entry, summary: SECRET })).rejects.toThrow(refused)
    await expect(call('memory_save', { ...entry, details: `more: ${SECRET}` })).rejects.toThrow(refused)
    // The person is not asked for what may not be written.
    expect(asked).toEqual([])
    expect(holding(root, SECRET)).toEqual([])
    expect((await store.get(String(id))).record.status).toBe('active')
  })

  it('of the command line: edit, deprecate, accept, dismiss', async () => {
    const root = await tempDir('store')
    mkdirSync(join(root, 'memories'), { recursive: true })
    const outside = `---\nsummary: a page says\nsource: external\nconfirmed: false\n---\n${SECRET}\n`
    writeFileSync(join(root, 'memories', 'outside.md'), outside)
    writeFileSync(join(root, 'memories', 'unsure.md'), '---\nsummary: perhaps\nconfirmed: false\n---\n')
    writeFileSync(join(root, 'memories', 'plain.md'), 'A plain note\n')
    const { session } = await inProcess(root)
    session.store.admission.register(refusesSecrets)
    const refused = /holds a key/
    await editor(`A plain note\n\n${SECRET}\n`)
    await expect(editCommand(session, 'plain')).rejects.toThrow(refused)
    await expect(deprecateCommand(session, 'plain', { why: SECRET })).rejects.toThrow(refused)
    await expect(dismissCommand(session, 'unsure', { why: SECRET })).rejects.toThrow(refused)
    // Accepting an external record writes its text anew.
    await expect(acceptCommand(session, 'outside')).rejects.toThrow(refused)
    expect(holding(root, SECRET)).toEqual([join(root, 'memories', 'outside.md')])
  })

  it('and a deletion can be refused, and not be turned into something else', async () => {
    const { store, root } = await openStore()
    const { records } = await store.commit([{ act: 'create', record: { summary: 'stays' } }], personContext())
    const id = records[0]?.id ?? ''
    const remove = store.admission.register({
      name: 'keeps',
      check: ([write]) => {
        if (write?.what === 'deletion') throw new MnemosError('REFUSED', 'It is kept.', '')
        return undefined
      },
    })
    await expect(store.delete(id, personContext())).rejects.toThrow('It is kept.')
    remove()
    store.admission.register({ name: 'swallows', check: () => ({ change: [] }) })
    await expect(store.delete(id, personContext())).rejects.toThrow(/does not let/)
    expect(holding(root, 'stays').length).toBeGreaterThan(0)
  })
})

describe('a gate that replaces acts', () => {
  it('keeps the old record and marks it contested: the answer says so, and so does the file', async () => {
    const { memory, store } = await openStore()
    const { call } = caller(memory)
    const { id: old } = await call('remember', { summary: 'the port is 5432' })
    let isWhole = false
    store.admission.register({
      name: 'contest',
      check(change) {
        isWhole ||= change.length === 2
        const [created] = change
        if (created?.what !== 'record') return undefined
        const by = created.next.id
        return {
          change: change.map((write): Write => {
            if (write.what !== 'record') return write
            if (write.act !== 'correct' || !write.previous)
              return { ...write, next: { ...write.next, supersedes: [] } }
            const at = new Date(0).toISOString()
            const next = { ...write.previous, contested: [{ by, at, why: 'a page says otherwise' }] }
            return { ...write, act: 'update', next }
          }),
          warnings: ['Outside text does not remove a record.'],
        }
      },
    })
    const answer = await call('remember', { summary: 'the port is 9999', supersedes: [old] })
    expect(isWhole).toBe(true)
    expect(answer).toMatchObject({
      contested: [old],
      warnings: ['Outside text does not remove a record.'],
    })
    expect(answer).not.toHaveProperty('deprecated')
    const { record } = await store.get(String(old))
    expect(record).toMatchObject({ status: 'active', rev: 2, contested: [{ by: answer.id }] })
    expect((await store.get(String(answer.id))).record.supersedes).toEqual([])
  })

  it('adds a write of another record, which is written with the rest', async () => {
    const { store } = await openStore()
    const person = personContext()
    const [other] = (await store.commit([{ act: 'create', record: { summary: 'the other' } }], person))
      .records
    if (!other) throw new Error('nothing was written')
    store.admission.register({
      name: 'adds',
      check: (change) => ({
        change: [
          ...change,
          { what: 'record', act: 'update', previous: other, next: { ...other, tier: 'cold' } },
        ],
      }),
    })
    const { records } = await store.commit([{ act: 'create', record: { summary: 'the new one' } }], person)
    expect(records.map(({ summary }) => summary)).toEqual(['the new one', 'the other'])
    expect((await store.get(other.id)).record).toMatchObject({ tier: 'cold', rev: 2, created: other.created })
  })

  it('cannot set times or revisions, nor change one record twice', async () => {
    const { store, clock } = await openStore()
    const person = personContext()
    store.admission.register(
      rewriting((write) => ({
        ...write,
        next: {
          ...write.next,
          rev: 77,
          created: '1999-01-01T00:00:00.000Z',
          updated: '1999-01-01T00:00:00.000Z',
        },
      })),
    )
    const [made] = (await store.commit([{ act: 'create', record: { summary: 'one' } }], person)).records
    expect(made?.rev).toBe(1)
    expect(Date.parse(made?.created ?? '')).toBeLessThanOrEqual(clock.at)
    expect(made?.created.slice(0, 4)).toBe('2026')
    const change = {
      act: 'update' as const,
      id: made?.id ?? '',
      change: (now: typeof made & object) => ({ ...now }),
    }
    const [again] = (await store.commit([change], person)).records
    expect(again).toMatchObject({ rev: 2, created: made?.created })
    await expect(store.commit([change, change], person)).rejects.toThrow(/twice in one change/)
  })

  it('makes nothing of a change: then nothing is written, and the gate has its say', async () => {
    const { memory, store, root } = await openStore()
    const { call } = caller(memory)
    store.admission.register({ name: 'drops', check: () => ({ change: [], warnings: ['Not today.'] }) })
    await expect(call('remember', { summary: 'unwanted' })).rejects.toThrow('Nothing was written. Not today.')
    expect(holding(root, 'unwanted')).toEqual([])
  })

  it('changes an entry of the user memory: the person is shown what it made of it, and that is written', async () => {
    const { memory, store, root } = await openStore()
    const { call, asked } = caller(memory)
    store.admission.register({
      name: 'masks',
      check: (change) => ({
        change: change.map((write) =>
          write.what === 'entry'
            ? {
                ...write,
                texts: { ...write.texts, summary: write.texts.summary?.replaceAll('p5433q', '####') ?? '' },
              }
            : write,
        ),
        warnings: ['A number was masked.'],
      }),
    })
    const answer = await call('memory_save', entry)
    expect(answer).toMatchObject({ saved: true, warnings: expect.arrayContaining(['A number was masked.']) })
    expect(JSON.stringify(asked)).toContain('the port is ####')
    expect(JSON.stringify(asked)).not.toContain('p5433q')
    expect(holding(root, 'p5433q')).toEqual([])
    expect(holding(root, 'the port is ####')).toHaveLength(1)
  })

  it('that changes its mind while the person is asked lets nothing be written that they were not shown', async () => {
    const { memory, store, root } = await openStore()
    const { call } = caller(memory)
    let n = 0
    store.admission.register({
      name: 'fickle',
      check: (change) => ({
        change: change.map((write) =>
          write.what === 'entry' ? { ...write, texts: { ...write.texts, details: `${n++}` } } : write,
        ),
      }),
    })
    await expect(call('memory_save', entry)).rejects.toThrow(/changed after it was shown/)
    expect(holding(root, 'p5433q')).toEqual([])
  })
})

it('no answer differs from the disk, whatever a gate makes of a change', async () => {
  const rewrites: ((write: RecordWrite) => RecordWrite | undefined)[] = [
    (write) => write,
    (write) => ({ ...write, next: { ...write.next, summary: 'rewritten' } }),
    (write) => ({ ...write, next: { ...write.next, status: 'candidate', candidateReason: 'untrusted' } }),
    (write) => ({ ...write, next: { ...write.next, source: 'external', layer: 'short' } }),
    (write) => (write.act === 'create' ? write : undefined),
    (write) => (write.act === 'create' ? undefined : write),
    (write) => (write.previous ? { ...write, next: write.previous } : write),
    (write) => ({ ...write, next: { ...write.next, supersedes: [], supersededBy: [] } }),
  ]
  // Each before itself and two others. In memory: that answers and files agree is not a matter of the disk.
  for (const [at, first] of rewrites.entries())
    for (const step of [0, 1, 3]) {
      const second = rewrites[(at + step) % rewrites.length] ?? first
      const { memory, store } = await openStore({ disk: memoryDisk() })
      const { call } = caller(memory)
      const { id: old } = await call('remember', { summary: 'the old fact' })
      store.admission.register(rewriting(first))
      store.admission.register(rewriting(second))
      for (const [name, args] of [
        ['remember', { summary: 'the new fact', supersedes: [old] }],
        ['deprecate', { id: old, why: 'it was wrong' }],
      ] as const) {
        const answer = await call(name, args).catch((error: unknown) => {
          expect(error).toBeInstanceOf(MnemosError)
          return undefined
        })
        if (!answer) continue
        const { id, status, layer, source, deprecated, supersededBy } = answer
        const { record } = await store.get(String(id))
        expect(record.status).toBe(status)
        if (layer !== undefined)
          expect({ layer: record.layer, source: record.source }).toEqual({ layer, source })
        if (supersededBy !== undefined) expect(record.supersededBy).toEqual(supersededBy)
        for (const one of (deprecated as string[] | undefined) ?? []) {
          const { record: other } = await store.get(one)
          expect(other).toMatchObject({ status: 'deprecated', supersededBy: [id] })
        }
      }
      store.close()
    }
})
