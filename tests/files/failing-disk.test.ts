/** A real disk that fails at every step of a write in turn: what was said of the write is what lies there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../src/record/parse.ts'
import { correction } from '../../src/store/correction.ts'
import { filesBelow } from '../support/files.ts'
import { failingDisk, openStore } from '../support/store.ts'
import { person } from './folder.ts'

const records = (root: string) =>
  filesBelow(join(root, 'memories')).map(({ path, bytes }) =>
    parse(bytes.toString(), { stem: path.slice(-13, -3), mtimeMs: 0 }),
  )

async function withOne() {
  const opened = await openStore()
  const { records: made } = await opened.store.commit(
    [{ act: 'create', record: { summary: 'the old fact' } }],
    person,
  )
  return { ...opened, id: made[0]?.id ?? '' }
}

describe('an act of several records', () => {
  it.each([
    ['fails once', false],
    ['dies', true],
  ])(
    'is whole or nothing, at whichever step the disk %s, and after the next start too',
    async (_, forGood) => {
      let failAt = 0
      for (let done = false; !done; ) {
        failAt++
        const { root, id, store } = await withOne()
        store.close()
        const { disk, calls } = failingDisk(failAt, 'EIO', forGood)
        const { store: shaky } = await openStore({ root, disk })
        const acts = correction({ id: shaky.newId(), summary: 'the new fact', why: 'better' }, [id], 'person')
        const outcome = await shaky.commit(acts, person).then(
          () => 'stored',
          (error: Error) => error.message,
        )
        done = calls() < failAt
        shaky.close()
        const { store: again } = await openStore({ root })
        const state = records(root)
          .map(({ summary, status }) => `${summary}: ${status}`)
          .sort()
        const whole = ['the new fact: active', 'the old fact: deprecated']
        const nothing = ['the old fact: active']
        expect([whole, nothing]).toContainEqual(state)
        // What was said holds: stored is on disk, and "nothing was changed" means it.
        if (outcome === 'stored') expect(state).toEqual(whole)
        else if (/nothing was changed/.test(outcome)) expect(state).toEqual(nothing)
        else expect(outcome).toMatch(/will be finished as soon as the disk allows/)
        expect(filesBelow(join(root, 'pending'))).toEqual([])
        expect(filesBelow(root).filter(({ path }) => path.includes('mnemos-tmp'))).toEqual([])
        again.close()
      }
      expect(failAt).toBeGreaterThan(6)
    },
  )
})

describe('a write of one record', () => {
  it.each(['ENOSPC', 'EIO'])('that meets %s says that nothing was changed, and nothing was', async (code) => {
    for (let failAt = 1; ; failAt++) {
      const { root, id, store } = await withOne()
      store.close()
      const { disk, calls } = failingDisk(failAt, code)
      const { store: shaky } = await openStore({ root, disk })
      const before = readFileSync((await shaky.get(id)).file, 'utf8')
      const outcome = await shaky
        .commit([{ act: 'update', id, change: (record) => ({ ...record, summary: 'changed' }) }], person)
        .then(
          ({ warnings }) => ['stored', ...warnings].join(' '),
          (error: Error) => error.message,
        )
      const now = readFileSync((await shaky.get(id)).file, 'utf8')
      if (outcome.startsWith('stored')) expect(now).toContain('summary: changed')
      else {
        expect(outcome).toMatch(/nothing was changed/)
        expect(now).toBe(before)
      }
      expect(filesBelow(root).filter(({ path }) => path.includes('mnemos-tmp'))).toEqual([])
      shaky.close()
      if (calls() < failAt) break
    }
  })
})
