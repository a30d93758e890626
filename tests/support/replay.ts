/**
 * Power cuts: acts on a disk in memory, cut at every step, and everything that was not fsynced by then lost, kept, or any one
 * of it lost or kept alone. After each cut the folder is opened as by the next start, and the laws are looked at.
 */
import { createHash } from 'node:crypto'
import { defaultConfig } from '../../src/base/config.ts'
import { diskOver } from '../../src/base/disk.ts'
import { initialise, update } from '../../src/constitution/approve.ts'
import type { Home } from '../../src/constitution/constitution-files.ts'
import { standing } from '../../src/constitution/standing.ts'
import { type Memory, openMemory } from '../../src/memory/open.ts'
import type { Act } from '../../src/store/acts.ts'
import { correction } from '../../src/store/correction.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { CHEAP, PASSPHRASE } from './constitution.ts'
import { type Change, ModelCalls, type Moment } from './model-calls.ts'

const ROOT = '/data'
const HOME = '/home'
const person = personContext()
const SECRET = 'marmalade'

interface Opened {
  calls: ModelCalls
  memory: Memory
  home: Home
}

let clock = Date.UTC(2026, 10, 30)
const now = () => clock++

function openOn(calls: ModelCalls): Opened {
  const disk = diskOver(calls)
  const memory = openMemory({
    root: ROOT,
    config: { ...defaultConfig(), scanEveryMs: 0 },
    clock: { now },
    disk,
    dshHome: HOME,
    environment: {},
  })
  return { calls, memory, home: { ...memory.home, now } }
}

const create = (id: string, summary: string): Act => ({ act: 'create', record: { id, summary } })
const summaryOf = async ({ memory }: Opened, id: string) => (await memory.store.find(id))?.summary

export interface TriedAct {
  name: string
  prepare?(opened: Opened): Promise<unknown>
  act(opened: Opened): Promise<unknown>
  /**
   * What does not hold.
   * @param done whether the act was acknowledged.
   * @param isKilled only the process ended: nothing that it had written is lost, and the ledger has a line of all that is there.
   */
  broken(opened: Opened, done: boolean, isKilled: boolean): Promise<string[]>
}

export const ACTS: readonly TriedAct[] = [
  {
    name: 'the first record of a folder',
    act: ({ memory }) => memory.store.commit([create('kettle', 'A kettle')], person),
    async broken(opened, done, isKilled) {
      const summary = await summaryOf(opened, 'kettle')
      if (done && summary !== 'A kettle') return ['the acknowledged record is not there']
      const isExpected = done || (isKilled && summary !== undefined)
      return inLedger(opened, 'create') || !isExpected ? [] : ['the record is not in the ledger']
    },
  },
  {
    name: 'a correction',
    prepare: ({ memory }) => memory.store.commit([create('old', 'The old fact')], person),
    act: ({ memory }) =>
      memory.store.commit(
        correction({ id: 'next', summary: 'The new fact', why: 'it was wrong' }, ['old'], 'person'),
        person,
      ),
    async broken(opened, done) {
      const [old, next] = await Promise.all(['old', 'next'].map((id) => opened.memory.store.find(id)))
      const isWhole = old?.status === 'deprecated' && next !== undefined
      const isNothing = old?.status === 'active' && next === undefined
      if (done ? !isWhole : !isWhole && !isNothing) return [`old is ${old?.status}, new is ${next?.status}`]
      return isWhole && !inLedger(opened, 'correct') ? ['the correction is not in the ledger'] : []
    },
  },
  {
    name: 'a deletion',
    prepare: ({ memory }) =>
      memory.store.commit([create('secret', `The ${SECRET} is in the cupboard`)], person),
    act: async ({ memory }) => {
      const { left } = await memory.store.delete('secret', person)
      // The model has no index that could be wiped, and none that holds anything.
      if (left.length > 0) throw new Error(JSON.stringify(left))
    },
    async broken(opened, done) {
      const isThere = (await opened.memory.store.find('secret')) !== undefined
      if (!done && isThere) return []
      if (isThere) return ['the deleted record is there']
      const holding = [...opened.calls.files()].filter(([, bytes]) => bytes.includes(SECRET))
      if (holding.length > 0) return [`the deleted text is in ${holding.map(([path]) => path).join()}`]
      if (!inLedger(opened, 'delete')) return ['the deletion is not in the ledger']
      // A sync brings the file back.
      const disk = diskOver(opened.calls)
      disk.folder(`${ROOT}/memories/2026/11`)
      for (const [path, bytes] of deletedFiles) disk.replace(path, bytes)
      return (await opened.memory.store.find('secret')) === undefined ? [] : ['a restored copy is there']
    },
  },
  {
    name: 'the first entry of the user memory',
    prepare: ({ memory }) => memory.store.commit([create('kettle', 'A kettle')], person),
    async act({ memory }) {
      const entry = { name: 'tea', type: 'user' as const, summary: 'Likes tea', details: '' }
      await memory.userMemory.save(await memory.userMemory.prepare('create', entry, person), person)
    },
    async broken(opened, done, isKilled) {
      const { memory, calls } = opened
      memory.userMemory.look()
      const entry = memory.userMemory.entries.find(({ name }) => name === 'tea')
      const left = [...calls.files().keys()].filter((path) => path.includes('user-memory/.'))
      if (left.length > 0) return [`left: ${left.join()}`]
      if (done && entry?.summary !== 'Likes tea') return ['the acknowledged entry is not there']
      const isExpected = done || (isKilled && entry !== undefined)
      return inLedger(opened, 'user-memory') || !isExpected ? [] : ['the entry is not in the ledger']
    },
  },
  {
    name: 'an edit',
    prepare: ({ memory }) => memory.store.commit([create('kettle', 'A kettle')], person),
    act: ({ memory }) =>
      memory.store.commit(
        [{ act: 'update', id: 'kettle', change: (record) => ({ ...record, summary: 'A blue kettle' }) }],
        person,
      ),
    async broken(opened, done, isKilled) {
      const summary = await summaryOf(opened, 'kettle')
      const expected = done ? ['A blue kettle'] : ['A kettle', 'A blue kettle']
      if (!expected.includes(summary ?? '')) return [`the record is ${summary}`]
      const isExpected = done || (isKilled && summary === 'A blue kettle')
      return inLedger(opened, 'update') || !isExpected ? [] : ['the edit is not in the ledger']
    },
  },
  {
    name: 'the first constitution',
    act: ({ home }) => initialise(home, { text: 'Be kind.', language: 'en' }, PASSPHRASE, { cost: CHEAP }),
    async broken(opened, done) {
      await opened.memory.settle()
      const { state, approved } = standing(opened.home, 'en')
      if (done && approved?.text !== 'Be kind.') return [`the constitution is ${state}`]
      return state === 'lost' ? ['the constitution is lost'] : []
    },
  },
  {
    name: 'an update of the constitution',
    prepare: ({ home }) =>
      initialise(home, { text: 'Be kind.', language: 'en' }, PASSPHRASE, { cost: CHEAP }),
    act: ({ home }) => update(home, { text: 'Be kind and brief.', language: 'en' }, PASSPHRASE),
    async broken(opened, done) {
      await opened.memory.settle()
      const { state, approved } = standing(opened.home, 'en')
      const expected = done ? ['Be kind and brief.'] : ['Be kind.', 'Be kind and brief.']
      return expected.includes(approved?.text ?? '')
        ? []
        : [`the constitution is ${state}: ${approved?.text}`]
    },
  },
]

const inLedger = ({ memory }: Opened, act: string) =>
  memory.store.ledger().entries.some((entry) => entry.act === act)
let deletedFiles: [string, Buffer][] = []

/** Every choice of what was not fsynced: all lost, all kept, each one alone kept, each one alone lost. */
function* choices(changes: readonly Change[]): Iterable<(change: Change, at: number) => boolean> {
  yield () => false
  yield () => true
  if (changes.length < 2) return
  for (const alone of changes.keys()) {
    yield (_, at) => at === alone
    yield (_, at) => at !== alone
  }
}

/** The machine starts again, so that no process holds a lock. */
function withoutLocks(calls: ModelCalls): ModelCalls {
  for (const folder of [ROOT, `${HOME}/mnemos`]) {
    for (const { name } of diskOver(calls).list(folder) ?? []) {
      if (!name.startsWith('.lock')) continue
      for (const { name: mark } of calls.list(`${folder}/${name}`)) calls.rmdir(`${folder}/${name}/${mark}`)
      calls.rmdir(`${folder}/${name}`)
    }
  }
  return calls
}

const digest = (calls: ModelCalls, isStrict: boolean) => {
  const hash = createHash('sha256').update(String(isStrict))
  for (const [path, bytes] of [...calls.files()].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(path).update('\0').update(bytes).update('\0')
  return hash.digest('hex')
}

export interface Replayed {
  cuts: number
  /** Different states that were looked at. */
  states: number
  /** A sentence for each state that breaks a law. */
  broken: string[]
}

/** Cuts an act at every step, and looks at everything that may be left. */
export async function replay({ prepare, act, broken }: TriedAct): Promise<Replayed> {
  let calls = new ModelCalls()
  if (prepare) {
    const before = openOn(calls)
    await before.memory.open()
    await prepare(before)
    before.memory.close()
    calls = withoutLocks(calls).settled()
  }
  deletedFiles = [...calls.files()].filter(([, bytes]) => bytes.includes(SECRET))
  const moments: { moment: Moment; done: boolean; after: string }[] = []
  const opened = openOn(calls)
  calls.onChange = (after) => moments.push({ moment: calls.moment(), done: false, after })
  await opened.memory.open()
  await act(opened)
  calls.onChange = () => {}
  moments.push({ moment: calls.moment(), done: true, after: 'the answer' })
  opened.memory.close()

  const seen = new Set<string>()
  const wrong: string[] = []
  for (const { moment, done, after } of moments) {
    for (const isKept of choices(moment.changes)) {
      const left = withoutLocks(ModelCalls.after(moment, isKept)).settled()
      const isKilled = moment.changes.every(isKept)
      const state = digest(left, done || isKilled)
      if (seen.has(state)) continue
      seen.add(state)
      const again = openOn(left)
      await again.memory.open()
      const said = [
        ...(await broken(again, done, isKilled).catch((error: unknown) => [`thrown: ${String(error)}`])),
        ...again.memory.store
          .bad()
          .flatMap(({ path, fault }) =>
            fault.code === 'RESTORED_COPY' ? [] : [`${path} is skipped: ${fault.code}`],
          ),
      ]
      again.memory.close()
      if (said.length === 0) continue
      const lost = moment.changes.filter((change, at) => !isKept(change, at)).map(({ what }) => what)
      wrong.push(`cut after ${after}, lost ${lost.join(', ') || 'nothing'}: ${said.join('; ')}`)
    }
  }
  return { cuts: moments.length, states: seen.size, broken: wrong }
}
