/** Case D17 of issue 11: the disk of a data folder goes while a host runs, or while nobody has noted yet that it was used. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { openSession } from '../../src/cli/session.ts'
import { initialise } from '../../src/constitution/approve.ts'
import { noteProfile, readProfiles } from '../../src/files/profiles.ts'
import { explained } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { CHEAP, PASSPHRASE } from '../support/constitution.ts'
import { reportedBy } from '../support/messages.ts'
import { openStore, type TestStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const TEA = { name: 'tea', type: 'user' as const, summary: 'Likes tea', details: '' }

/** What a stick's mount point is without the stick. */
const STATES = ['an empty folder', 'no folder'] as const

function unmount(root: string, state: (typeof STATES)[number]): void {
  renameSync(root, `${root}-stick`)
  if (state === 'an empty folder') mkdirSync(root)
}
function mount(root: string): void {
  rmSync(root, { recursive: true, force: true })
  renameSync(`${root}-stick`, root)
}
/** What was made where the folder was; empty where there is nothing. */
const madeIn = (root: string): string[] =>
  existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : []

const remember = ({ store }: Pick<TestStore, 'store'>, summary: string) =>
  store.commit([{ act: 'create', record: { summary } }], person)

async function saveTea({ memory: { userMemory } }: Pick<TestStore, 'memory'>): Promise<unknown> {
  return userMemory.save(await userMemory.prepare('create', TEA, person), person)
}

const approve = ({ memory }: Pick<TestStore, 'memory'>) =>
  initialise(memory.home, { text: 'Be kind.', language: 'en' }, PASSPHRASE, { cost: CHEAP })

/** What is stored first in a new folder. */
const FIRST: Record<string, (opened: TestStore) => Promise<unknown>> = {
  'a record': (opened) => remember(opened, 'The kettle is blue'),
  'an entry of the user memory': saveTea,
}

describe.each(STATES)('D17 a disk that goes in the first session, and leaves %s', (state) => {
  it.each(Object.keys(FIRST))('after %s: nothing is made there by anything', async (first) => {
    const opened = await openStore()
    const { memory, store, root } = opened
    await FIRST[first]?.(opened)
    unmount(root, state)
    const refused: unknown[] = []
    const attempt = async (what: () => unknown) => {
      try {
        await what()
      } catch (error) {
        refused.push(explained(error))
      }
    }
    await attempt(() => remember(opened, 'A lamp'))
    await attempt(() => store.recall({ queries: ['kettle'], scope: {}, limit: 5, include: [] }))
    await attempt(() => memory.atTurnStart())
    await attempt(() => memory.settle())
    store.noteOpened('kettle', person)
    await attempt(() => saveTea(opened))
    await attempt(() => approve(opened))
    await attempt(() => store.rebuildIndex())
    await attempt(() => store.recall({ queries: ['kettle'], scope: {}, limit: 5, include: [] }))
    await attempt(() => store.delete('kettle', person))
    memory.examine()
    expect(madeIn(root)).toEqual([])
    expect(reportedBy(store).join(' ')).toContain('Mount it')
    for (const error of refused)
      expect(error).toMatchObject({ message: expect.stringMatching(/Mount it|just now/) })
    mount(root)
    await remember(opened, 'A lamp')
    expect(reportedBy(store)).toEqual([])
    store.close()
    const { store: again } = await openStore({ root })
    expect(again.entries().length + again.ledger().entries.length).toBeGreaterThanOrEqual(2)
    expect(again.ledger().entries.map(({ act }) => act)).not.toContain('vanish')
    again.close()
  })

  it('is known in the next session too', async () => {
    const root = await tempDir('stick')
    await noteProfile(nodeDisk, `${root}-home`, 'web', { dataDir: root })
    const first = await openStore({ root })
    await remember(first, 'The kettle is blue')
    first.store.close()
    expect(readProfiles(nodeDisk, `${root}-home`).profiles.web?.used).toBe(true)
    unmount(root, state)
    const next = await openStore({ root })
    await next.memory.open()
    await expect(remember(next, 'A lamp')).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(madeIn(root)).toEqual([])
    next.store.close()
  })

  it('is known in the next session where a constitution is all that was stored', async () => {
    const root = await tempDir('stick')
    await noteProfile(nodeDisk, `${root}-home`, 'web', { dataDir: root })
    const first = await openStore({ root })
    await approve(first)
    first.store.close()
    unmount(root, state)
    const next = await openStore({ root })
    await expect(remember(next, 'A lamp')).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(madeIn(root)).toEqual([])
    next.store.close()
  })

  it('is no reason to refuse a folder that nothing was ever stored in', async () => {
    const opened = await openStore()
    unmount(opened.root, state)
    await remember(opened, 'A lamp')
    expect(madeIn(opened.root)).toContain('version')
    opened.store.close()
  })

  it('is what every command says, with no advice to make anything in its place', async () => {
    const root = await tempDir('stick')
    const environment = { DSH_HOME: `${root}-home` }
    await noteProfile(nodeDisk, environment.DSH_HOME, 'web', { dataDir: root })
    const first = await openStore({ root })
    await remember(first, 'The kettle is blue')
    first.store.close()
    unmount(root, state)
    for (const asked of [{ profile: 'web' }, { data: root }]) {
      const refused: unknown = await openSession(asked, environment).catch(explained)
      expect(refused).toMatchObject({ code: 'READ_ONLY', remedy: expect.stringMatching(/^Mount it/) })
      expect(String(refused)).not.toMatch(/make the folder|--forget-absent ./)
    }
    expect(madeIn(root)).toEqual([])
  })

  it('is what the doctor finds, also with --fix', async () => {
    const root = await tempDir('stick')
    const dshHome = `${root}-home`
    await noteProfile(nodeDisk, dshHome, 'web', { dataDir: root })
    const first = await openStore({ root })
    await remember(first, 'The kettle is blue')
    first.store.close()
    unmount(root, state)
    const { memory } = await openStore({ root })
    const machine = { disk: nodeDisk, dshHome }
    const request = { memory, machine, profiles: ['web'], looksAtProfiles: true }
    for (const fix of [false, true]) {
      const { findings, healthy, repaired } = await answerDoctor({ ...request, fix })
      expect([healthy, repaired]).toEqual([false, []])
      // Nothing of what is there instead is judged, nor repaired.
      expect(findings.map(({ code }) => code)).toEqual(['NOT_MOUNTED'])
    }
    expect(madeIn(root)).toEqual([])
    memory.close()
  })
})

/** Some hundred steps in all, each tried on a folder of its own. */
const MANY_MS = 60_000
const MAKING = ['append', 'overwrite', 'touch', 'replace', 'folder', 'makeFolder', 'rename']

it.each<[string, (opened: TestStore) => Promise<unknown>]>([
  ['remember', (opened) => remember(opened, 'A lamp')],
  ['memory_save', saveTea],
  ['delete', (opened) => opened.store.delete('kettle', person)],
  ['approve', approve],
])(
  'D17 a disk that goes between any two steps of %s: nothing is made',
  async (_, act) => {
    for (let at = 1; ; at++) {
      let n = 0
      let root: string | undefined
      let isGone = false
      const disk: Disk = new Proxy(nodeDisk, {
        get(real, name) {
          const call: unknown = Reflect.get(real, name)
          if (typeof call !== 'function') return call
          return (...given: unknown[]) => {
            // Between the last look and the making of a file there is nothing that a program can do.
            if (root !== undefined && !MAKING.includes(String(name)) && ++n === at) {
              unmount(root, 'an empty folder')
              isGone = true
            }
            return Reflect.apply(call, real, given)
          }
        },
      })
      const opened = await openStore({ disk, config: { lockTimeoutMs: 200 } })
      await opened.store.commit(
        [{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }],
        person,
      )
      root = opened.root
      await act(opened).catch(() => undefined)
      root = undefined
      opened.store.close()
      if (!isGone) break
      expect(madeIn(opened.root), `gone before step ${at}`).toEqual([])
    }
  },
  MANY_MS,
)
