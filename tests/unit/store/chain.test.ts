/** Corrections of corrections: one truth stays, whatever id of the chain was named. */
import { describe, expect, it } from 'vitest'
import type { Act, NewRecord } from '../../../src/store/acts.ts'
import { correction } from '../../../src/store/correction.ts'
import type { Store } from '../../../src/store/store.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { callTool } from '../../../src/tools/exit.ts'
import { rememberTool } from '../../../src/tools/remember.ts'
import { openStore } from '../../support/store.ts'

const env = { context: personContext(), notices: () => [], ask: async () => 'nobody' as const }

async function start() {
  const { store } = await openStore()
  const remember = async (
    args: object,
  ): Promise<{ id: string; warnings?: string[]; deprecated?: string[] }> =>
    (await callTool(rememberTool(store), args, env, { log: () => {} })) as never
  const active = async (ids: string[]) => {
    const all = await Promise.all(ids.map(async (id) => (await store.get(id)).record))
    return all.filter(({ status }) => status === 'active').map(({ id }) => id)
  }
  return { store, remember, active }
}

describe('superseding a record that has a successor', () => {
  it('goes to the head of the chain, says so, and leaves one that is held', async () => {
    const { store, remember, active } = await start()
    const a = await remember({ summary: 'the port is 5432' })
    const b = await remember({ summary: 'the port is 5433', supersedes: [a.id] })
    const c = await remember({ summary: 'the port is 5434', supersedes: [b.id] })
    const d = await remember({ summary: 'the port is 5435', supersedes: [a.id] })
    expect(d.deprecated).toEqual([c.id])
    expect(d.warnings).toEqual([
      `"${a.id}" had a successor already: this corrects "${c.id}", the head of its chain.`,
    ])
    expect(await active([a.id, b.id, c.id, d.id])).toEqual([d.id])
    expect((await store.get(a.id)).record.supersededBy).toEqual([b.id])
  })

  it('corrects the record itself where its successor was deleted', async () => {
    const { store, remember, active } = await start()
    const a = await remember({ summary: 'the port is 5432' })
    const b = await remember({ summary: 'the port is 5433', supersedes: [a.id] })
    await store.delete(b.id, personContext())
    const c = await remember({ summary: 'the port is 5434', supersedes: [a.id] })
    expect(c.warnings).toBeUndefined()
    expect((await store.get(a.id)).record.supersededBy).toContain(c.id)
    expect(await active([a.id, c.id])).toEqual([c.id])
  })

  it('corrects every head where the chain has several', async () => {
    const { store, remember, active } = await start()
    const a = await remember({ summary: 'both at once' })
    const person = personContext()
    const record = (id: string, summary: string): NewRecord & { id: string } => ({ id, summary })
    await store.commit(correction(record('left', 'the left half'), [a.id], 'person'), person)
    await store.commit(correction(record('right', 'the right half'), [a.id], 'person'), person)
    const b = await remember({ summary: 'one again', supersedes: [a.id] })
    expect(b.deprecated?.sort()).toEqual(['left', 'right'])
    expect(await active([a.id, 'left', 'right', b.id])).toEqual([b.id])
  })
})

it('a correction whose new record would only wait is refused: the old one is held on', async () => {
  const { store, remember } = await start()
  const a = await remember({ summary: 'the port is 5432' })
  store.admission.register({
    name: 'doubts',
    check: (change) => ({
      change: change.map((write) =>
        write.what === 'record' && write.act === 'create'
          ? { ...write, next: { ...write.next, status: 'candidate', candidateReason: 'untrusted' } }
          : write,
      ),
    }),
  })
  await expect(remember({ summary: 'the port is 1', supersedes: [a.id] })).rejects.toThrow(
    /would only be a candidate/,
  )
  expect((await store.get(a.id)).record.status).toBe('active')
  expect(store.ids()).toEqual([a.id])
})

it('two sessions that correct one record at once leave one truth', async () => {
  const { store, root } = await openStore()
  const other = (await openStore({ root })).store
  const call = (
    of: Store,
    args: object,
  ): Promise<{ id: string; deprecated?: string[]; warnings?: string[] }> =>
    callTool(rememberTool(of), args, env, { log: () => {} }) as never
  const first = await call(store, { summary: 'the gate code is 1111' })
  const both = await Promise.all([
    call(store, { summary: 'the gate code is 2222', supersedes: [first.id] }),
    call(other, { summary: 'the gate code is 3333', supersedes: [first.id] }),
  ])
  await store.refresh()
  const records = await Promise.all(both.map(async ({ id }) => (await store.get(id)).record))
  expect(records.filter(({ status }) => status === 'active')).toHaveLength(1)
  const later = both.find(({ deprecated }) => deprecated?.[0] !== first.id)
  const earlier = both.find((one) => one !== later)
  expect(later?.deprecated).toEqual([earlier?.id])
  expect(later?.warnings?.[0]).toContain('the head of its chain')
})

it('a chain of any length has one head', async () => {
  const { store, remember, active } = await start()
  const ids = Array.from({ length: 61 }, (_, n) => `step-${n}`)
  // All at once: that each correction leaves such a chain is tested above.
  await store.commit(
    ids.map((id, n): Act => {
      const [before, after] = [ids[n - 1], ids[n + 1]]
      return {
        act: 'create',
        record: {
          id,
          summary: `step ${n} of the long road`,
          ...(before === undefined ? {} : { supersedes: [before] }),
          ...(after === undefined ? {} : { status: 'deprecated', supersededBy: [after] }),
        },
      }
    }),
    personContext(),
  )
  const last = await remember({ summary: 'the end of the road', supersedes: [ids[0]] })
  expect(last.deprecated).toEqual([ids.at(-1)])
  expect(await active([...ids, last.id])).toEqual([last.id])
  expect(store.ids()).toHaveLength(62)
})
