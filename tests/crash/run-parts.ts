/** What every crash run begins and ends with. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import type { Act } from '../../src/store/acts.ts'
import { Store } from '../../src/store/store.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { filesBelow } from '../support/files.ts'
import { reportedBy } from '../support/messages.ts'
import { readJournals } from './journal.ts'
import { verify } from './verify.ts'

const SHARED = 20

const openStore = (root: string) =>
  new Store({ root, config: { ...defaultConfig(), scanEveryMs: 0 }, clock: systemClock, disk: nodeDisk })

/** The records that all processes work on. */
export async function seed(root: string, count = SHARED): Promise<{ ids: string[]; files: string[] }> {
  const store = openStore(root)
  const ids: string[] = []
  for (let n = 0; n < count; n += SHARED) {
    const acts = Array.from({ length: Math.min(SHARED, count - n) }, (_, k): Act => {
      const record = { summary: `The shared fact number ${n + k}`, content: 'It has a long story.' }
      return { act: 'create', record }
    })
    const { records } = await store.commit(acts, personContext())
    ids.push(...records.map(({ id }) => id))
  }
  store.close()
  const memories = join(root, 'memories')
  const paths = readdirSync(memories, { recursive: true }).map(String)
  return {
    ids,
    files: ids.map((id) => join(memories, paths.find((path) => path.endsWith(`${id}.md`)) ?? '')),
  }
}

/** Opens the folder once more, as the next host does, and prints what holds. @returns whether every law does. */
export async function judge(
  root: string,
  journals: string,
  shared: readonly string[],
  out: (line: string) => void,
  { said = [], killed = new Map() }: { said?: Iterable<string>; killed?: ReadonlyMap<string, number> } = {},
): Promise<boolean> {
  const left = filesBelow(join(root, 'pending')).length
  const store = openStore(root)
  await store.refresh()
  await store.commit([{ act: 'create', record: { summary: 'the last write' } }], personContext())
  const problems = reportedBy(store)
  const { total } = await store.counts()
  store.close()
  const deeds = readJournals(journals, killed)
  const { broken, figures } = verify(root, deeds, shared)
  for (const [name, n] of Object.entries(figures)) out(`  ${n} ${name}`)
  out(`  ${left} acts were pending at the last kill`)
  if (total !== figures.records) broken.push(`counts say ${total}, the folder holds ${figures.records}`)
  const reasons = new Map<string, number>()
  for (const { outcome, reason = '', who } of deeds) {
    if (outcome !== 'refused') continue
    const short = `${who.startsWith('ed') ? 'editor: ' : ''}${reason.replace(/[0-9a-z]{10}/g, '…').slice(0, 110)}`
    reasons.set(short, 1 + (reasons.get(short) ?? 0))
  }
  for (const [reason, n] of reasons) out(`  refused ${n}: ${reason}`)
  for (const problem of problems) out(`  said at the end: ${problem}`)
  for (const text of new Set(said)) broken.push(`a process said: ${text.slice(0, 600)}`)
  for (const text of broken.slice(0, 30)) out(`  BROKEN ${text}`)
  out(broken.length === 0 ? '  every law holds' : `  ${broken.length} laws do not hold`)
  return broken.length === 0
}

/** How many files the index knows, and how many rows were ever written to it: each fill writes a row a file. */
export function openPlain(root: string): { rows: number; highest: number } {
  const db = new Database(join(root, 'index', 'index.sqlite'), { readonly: true })
  try {
    return (
      db
        .prepare<[], { rows: number; highest: number }>(
          'SELECT count(*) AS rows, max(doc) AS highest FROM docs',
        )
        .get() ?? { rows: 0, highest: 0 }
    )
  } finally {
    db.close()
  }
}
