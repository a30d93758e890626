/**
 * A writer of the crash run: a store of its own on the shared folder, random acts until it is killed.
 * argv: data folder, journal folder, name, the shared ids.
 */

import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { MnemosError } from '../../src/base/errors.ts'
import type { MemoryRecord } from '../../src/record/record.ts'
import type { Act } from '../../src/store/acts.ts'
import { correction, deprecated } from '../../src/store/correction.ts'
import { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { coarseDisk } from '../support/coarse.ts'
import { type Deed, Journal } from './journal.ts'

const [root = '', journals = '', who = '', ...shared] = process.argv.slice(2)
const context = { ...personContext(), author: `test/${who} main` }
const journal = new Journal(journals, who)
const random = (below: number) => Math.floor(Math.random() * below)
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
const withLine = (line: string) => (record: MemoryRecord) => ({
  ...record,
  content: record.content === '' ? line : `${record.content}\n${line}`,
})

const never = new Int32Array(new SharedArrayBuffer(4))
/** Stands still for up to so many milliseconds, half of the time. */
const pause = (ms: number) => {
  if (Math.random() < 0.5) Atomics.wait(never, 0, 0, Math.random() * ms)
}

/** The kernel's own kill -9, where it hurts most: between two files of one act, or between a file and its ledger line. */
const perhapsDie = () => {
  if (Math.random() < 0.015) process.kill(process.pid, 'SIGKILL')
}

/** With coarse times where the run is asked for them. */
const tickMs = Number(process.env.MNEMOS_CRASH_TICK_MS ?? 0)
const base = tickMs > 0 ? coarseDisk(tickMs) : nodeDisk

/** A slow disk: what a kill or an editor can come between takes longer, so that both do. */
const slow: Disk = {
  ...base,
  replace(path, data, options) {
    pause(2)
    base.replace(path, data, {
      ...options,
      beforeRename: () => {
        pause(3)
        options?.beforeRename?.()
        if (Math.random() < 0.2) pause(1)
      },
    })
    perhapsDie()
    pause(4)
  },
  append(path, line) {
    pause(1)
    base.append(path, line)
    perhapsDie()
    pause(2)
  },
}

const store = new Store({
  root,
  config: { ...defaultConfig(), scanEveryMs: 200 },
  clock: systemClock,
  disk: slow,
})

/** Carries out a deed, and notes before and after what became of it. */
async function act(what: Deed, body: () => Promise<string[] | undefined>): Promise<string[]> {
  const note = journal.will(what)
  try {
    const ids = await body()
    note.done(ids === undefined ? {} : { ids })
    return ids ?? what.ids
  } catch (error) {
    if (!(error instanceof MnemosError)) throw error
    note.refused(`${error.code} ${error.message}`)
    return []
  }
}

const addLine = (ids: string[], line: string) =>
  act({ deed: 'lines', ids, line }, async () => {
    await store.commit(
      ids.map((id): Act => ({ act: 'update', id, change: withLine(line) })),
      context,
    )
    return undefined
  })

async function readsItsOwn(id: string, line: string): Promise<void> {
  const { text } = await store.get(id)
  if (!text.includes(line)) throw new Error(`${who} was told that ${line} is in ${id}, and it is not there`)
}

async function step(n: number, mine: string[]): Promise<void> {
  const line = `${who}n${n}e`
  const dice = random(100)
  const id = pick(shared)
  if (dice < 40) {
    const done = await addLine([id], line)
    // What was refused was not told to be there.
    if (done.length > 0 && random(4) === 0) await readsItsOwn(id, line).catch(tolerateAbsence)
  } else if (dice < 55) {
    // One tag a slot, whichever process fills the slot just now.
    const family = `s${who.slice(1).split('x')[0]}v`
    const tag = `${family}${process.hrtime.bigint().toString(36)}`
    await act({ deed: 'tag', ids: [id], family, line: tag }, async () => {
      const change = (record: MemoryRecord) => ({
        ...record,
        tags: [...record.tags.filter((one) => !one.startsWith(family)), tag],
      })
      await store.commit([{ act: 'update', id, change }], context)
      return undefined
    })
  } else if (dice < 75) {
    const ids = [...new Set([id, pick(shared), pick(shared), pick(shared)])]
    await addLine(ids, line)
  } else if (dice < 87 || mine.length === 0) {
    mine.push(
      ...(await act({ deed: 'create', ids: [], line }, async () => {
        const record = {
          summary: `The fact ${line}`,
          content: `It holds that ${line} is so and not otherwise`,
        }
        const { records } = await store.commit([{ act: 'create', record }], context)
        return records.map((one) => one.id)
      })),
    )
  } else if (dice < 95) {
    const old = mine.pop() ?? ''
    const made = store.newId()
    await act({ deed: 'correct', ids: [made, old], line }, async () => {
      await store.commit(
        correction({ id: made, summary: `The better fact ${line}`, why: line }, [old], who),
        context,
      )
      return undefined
    })
  } else if (dice < 97) {
    const old = mine.pop() ?? ''
    await act({ deed: 'deprecate', ids: [old], line }, async () => {
      const change = (record: MemoryRecord) => deprecated(record, new Date().toISOString(), who, line)
      await store.commit([{ act: 'deprecate', id: old, change }], context)
      return undefined
    })
  } else {
    const old = mine.pop() ?? ''
    const gone = (await store.get(old)).record.summary.split(' ').at(-1) ?? ''
    await act({ deed: 'delete', ids: [old], line: gone }, async () => {
      const { left } = await store.delete(old, context)
      if (left.length > 0) throw new MnemosError('STORAGE', `not finished: ${JSON.stringify(left)}`, '')
      return undefined
    })
  }
}

/** The editor takes files away for a moment, and its own save may have met ours: the verifier judges that. */
function tolerateAbsence(error: unknown): void {
  if (!(error instanceof MnemosError)) process.stdout.write(`${String(error)}\n`)
}

process.stdout.write('loaded\n')
await store.refresh()
const mine: string[] = []
for (let n = 1; ; n++) {
  await step(n, mine).catch((error: unknown) => {
    if (error instanceof MnemosError) return
    process.stdout.write(`unforeseen: ${error instanceof Error ? error.stack : String(error)}\n`)
  })
}
