/** Any act of several records, cut off anywhere: by a call that fails, or by a death after which nothing reaches the disk. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Disk } from '../../src/base/disk.ts'
import { ledgerEntrySchema } from '../../src/files/ledger.ts'
import { parse } from '../../src/record/parse.ts'
import type { Act } from '../../src/store/acts.ts'
import { deprecated } from '../../src/store/correction.ts'
import type { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { failingDisk, type MemoryDisk, memoryDisk, openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const OLD = ['ha2', 'hb3', 'hc4', 'hd5', 'he6']
const AT = '2026-11-30T00:00:00.000Z'

/** What an act does to one record, by its place among {@link OLD}. */
type Part = { does: 'create' | 'update' | 'deprecate' | 'correct'; which: number }
type Deed = { deed: 'commit'; parts: Part[] } | { deed: 'delete'; which: number }

const part = fc.record({
  does: fc.constantFrom('create' as const, 'update' as const, 'deprecate' as const, 'correct' as const),
  which: fc.nat(OLD.length - 1),
})
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(part, { minLength: 1, maxLength: 5, selector: ({ which }) => which })
      .map((parts) => ({ deed: 'commit' as const, parts })),
  },
  { weight: 1, arbitrary: fc.nat(OLD.length - 1).map((which) => ({ deed: 'delete' as const, which })) },
)

function actsOf({ does, which }: Part): Act[] {
  const id = OLD[which] ?? ''
  const made: Act = { act: 'create', record: { id: `new${which}`, summary: `made beside ${id}` } }
  switch (does) {
    case 'create':
      return [made]
    case 'update':
      return [{ act: 'update', id, change: (record) => ({ ...record, tags: ['changed'] }) }]
    case 'deprecate':
      return [{ act: 'deprecate', id, change: (record) => deprecated(record, AT, 'person', 'no longer') }]
    case 'correct':
      return [
        made,
        { act: 'correct', id, change: (record) => deprecated(record, AT, 'person', 'better', `new${which}`) },
      ]
  }
}

const perform = (store: Store, what: Deed): Promise<unknown> =>
  what.deed === 'delete'
    ? store.delete(OLD[what.which] ?? '', person)
    : store.commit(what.parts.flatMap(actsOf), person)

/** Every file below a folder of any disk. */
function filesOn(disk: Disk, folder: string): string[] {
  return (disk.list(folder) ?? []).flatMap(({ name, kind }) =>
    kind === 'folder' ? filesOn(disk, `${folder}/${name}`) : [`${folder}/${name}`],
  )
}

/** What the records say, without the times at which they were written. */
const stateOf = (disk: Disk, root: string): string[] =>
  filesOn(disk, `${root}/memories`)
    .map((path) => parse(disk.read(path)?.toString() ?? '', { stem: 'x', mtimeMs: 0 }))
    .map(({ id, summary, status, tags, rev, supersededBy }) =>
      JSON.stringify([id, summary, status, tags, rev, supersededBy]),
    )
    .sort()

async function withRecords(root: string): Promise<MemoryDisk> {
  const disk = memoryDisk()
  const { store } = await openStore({ root, disk })
  await store.commit(
    OLD.map((id): Act => ({ act: 'create', record: { id, summary: `the fact ${id}` } })),
    person,
  )
  store.close()
  return disk
}

describe('any act, cut off anywhere', () => {
  it('stands whole or not at all, as it was answered, and leaves nothing behind', async () => {
    const root = await tempDir('whole')
    const start = await withRecords(root)
    await fc.assert(
      fc.asyncProperty(deed, fc.nat(), fc.boolean(), async (what, at, dead) => {
        // The same act on a sound disk: its state before and after, and in how many steps.
        const sound = failingDisk(Number.POSITIVE_INFINITY, 'EIO', false, memoryDisk(start))
        const before = stateOf(sound.disk, root)
        const { store: first } = await openStore({ root, disk: sound.disk })
        const opening = sound.calls()
        await perform(first, what)
        const after = stateOf(sound.disk, root)
        const step = opening + 1 + (at % (sound.calls() - opening))
        first.close()

        const real = memoryDisk(start)
        const { disk, failed } = failingDisk(step, 'EIO', dead, real)
        const { store } = await openStore({ root, disk })
        const said = await perform(store, what).then(
          () => 'done',
          (error: Error) => error.message,
        )
        const atOnce = stateOf(real, root)
        store.close()
        expect(failed()).toBeDefined()

        const { store: again } = await openStore({ root, disk: real })
        const state = stateOf(real, root)
        expect([before, after]).toContainEqual(state)
        // To one who lives on, what was said holds; a dead process said nothing.
        if (said === 'done') expect(state).toEqual(after)
        else if (!dead && /nothing was changed/.test(said)) expect([atOnce, state]).toEqual([before, before])
        else expect(said).toMatch(dead ? /./ : /will be finished as soon as the disk allows/)
        expect(filesOn(real, `${root}/pending`)).toEqual([])
        const lines = filesOn(real, `${root}/ledger`).flatMap((path) =>
          (real.read(path)?.toString() ?? '').trim().split('\n'),
        )
        expect(new Set(lines).size).toBe(lines.length)
        const whole = lines
          .filter((line) => line.endsWith('}'))
          .map((line) => ledgerEntrySchema.parse(JSON.parse(line)))
        expect(lines.length - whole.length).toBeLessThanOrEqual(1)
        again.close()
      }),
      { numRuns: 40 },
    )
  }, 30_000)
})
