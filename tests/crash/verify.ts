/** What must hold of a data folder after a crash run, seen in its files and held against the journals. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nodeDisk, TEMPORARY_PREFIX } from '../../src/base/disk.ts'
import { ledgerEntrySchema, ledgerId } from '../../src/files/ledger.ts'
import { parse } from '../../src/record/parse.ts'
import { RecordIndex } from '../../src/search/index/record-index.ts'
import { filesBelow } from '../support/files.ts'
import type { Done } from './journal.ts'

export interface Verdict {
  /** Each is a law that does not hold. */
  broken: string[]
  /** What was counted on the way. */
  figures: Record<string, number>
}

interface Held {
  path: string
  text: string
  tags: readonly string[]
  status: string
  supersededBy: readonly string[]
  rev: number
}

export function verify(root: string, deeds: readonly Done[], shared: readonly string[]): Verdict {
  const broken: string[] = []
  const figures: Record<string, number> = {}
  const count = (name: string, by = 1) => {
    figures[name] = (figures[name] ?? 0) + by
  }
  const records = readRecords(root, broken)
  const done = deeds.filter(({ outcome }) => outcome === 'done')
  const ofEditor = (deed: Done) => deed.who.startsWith('ed')
  const hosts = deeds.filter((deed) => !ofEditor(deed))
  const rewrites = deeds.filter(({ what }) => what.deed === 'lines' && what.rewrites)
  const deleted = new Set(done.flatMap(({ what }) => (what.deed === 'delete' ? what.ids : [])))
  const attempted = new Set(deeds.flatMap(({ what }) => (what.deed === 'delete' ? what.ids : [])))

  count('acknowledged by stores', done.filter((deed) => !ofEditor(deed)).length)
  count('saved by the editor', done.filter(ofEditor).length)
  count('refused', deeds.filter(({ outcome }) => outcome === 'refused').length)
  count('cut short by a kill', deeds.filter(({ outcome }) => outcome === 'unknown').length)

  const ends = done.filter((deed) => !ofEditor(deed)).map(({ to }) => to)
  ends.sort((a, b) => a - b)
  const longest = Math.max(0, ...ends.slice(1).map((end, at) => end - (ends[at] ?? end)))
  count('ms: the longest time in which no store acknowledged anything', Math.round(longest / 1e6))

  /** Whether an editor's save of the whole text may have overwritten it: it read the file before, and saved after. */
  const overwritten = (deed: Done, id: string) =>
    rewrites.some((save) => save.what.ids.includes(id) && save.from <= deed.to && save.to >= deed.from)

  for (const deed of done) {
    const { what, who } = deed
    switch (what.deed) {
      case 'lines':
        for (const id of what.ids) {
          if (holdsLine(records.get(id), what.line)) continue
          if (ofEditor(deed)) {
            if (what.rewrites) count('editor saves lost in the gap before a rename')
            else broken.push(`the editor's line ${what.line} is not in ${id}`)
          } else if (overwritten(deed, id)) count('lines of stores overwritten by a save of the editor')
          else broken.push(`${who}: the acknowledged line ${what.line} is not in ${id}`)
        }
        break
      case 'create':
        for (const id of what.ids) {
          const record = records.get(id)
          if (record ? !record.text.includes(what.line) : !attempted.has(id))
            broken.push(`${who}: the acknowledged record ${id} (${what.line}) is not there`)
        }
        break
      case 'correct': {
        const [made = '', ...corrected] = what.ids
        if (!records.has(made)) broken.push(`${who}: the acknowledged correction ${made} is not there`)
        if (corrected.length === 0) broken.push(`${who}: the correction ${made} corrected nothing`)
        for (const old of corrected)
          if (records.get(old)?.status !== 'deprecated')
            broken.push(`${who}: ${old} was corrected and is ${records.get(old)?.status}`)
        break
      }
      case 'deprecate':
        if (records.get(what.ids[0] ?? '')?.status !== 'deprecated')
          broken.push(`${who}: ${what.ids[0]} was deprecated and is not`)
        break
      case 'delete':
        for (const { path, bytes } of filesBelow(root))
          if (bytes.includes(what.line)) broken.push(`${who}: the deleted ${what.line} is in ${path}`)
        break
      case 'tag':
        break
    }
  }
  tagsHold(records, hosts, broken)
  wholeOrNothing(records, hosts, overwritten, broken, count)
  for (const id of deleted) if (records.has(id)) broken.push(`the deleted ${id} is there`)
  for (const id of shared) if (!records.has(id)) broken.push(`the shared record ${id} is not there`)
  oneHead(records, shared, broken)
  nothingLeft(root, broken)
  ledgerWhole(root, hosts, broken, count)
  indexAgrees(root, records, broken)
  count('records', records.size)
  return { broken, figures }
}

const holdsLine = (record: Held | undefined, line: string) => record?.text.split('\n').includes(line) ?? false

function readRecords(root: string, broken: string[]): Map<string, Held> {
  const records = new Map<string, Held>()
  for (const { path, bytes } of filesBelow(join(root, 'memories'))) {
    if (!path.endsWith('.md')) continue
    try {
      const text = bytes.toString('utf8')
      const record = parse(text, { stem: '-', mtimeMs: 0 })
      if (records.has(record.id)) broken.push(`two files hold the id ${record.id}`)
      const { id, tags, status, supersededBy, rev } = record
      records.set(id, { path, text, tags, status, supersededBy, rev })
    } catch (error) {
      broken.push(`${path} is no record: ${String(error)}`)
    }
  }
  return records
}

/** The newest acknowledged tag of each slot, or a later one whose outcome nobody was told. */
function tagsHold(records: Map<string, Held>, deeds: readonly Done[], broken: string[]): void {
  const byPlace = new Map<string, { id: string; family: string; deeds: Done[] }>()
  for (const deed of deeds) {
    if (deed.what.deed !== 'tag' || deed.outcome === 'refused') continue
    const [id = ''] = deed.what.ids
    const { family } = deed.what
    const place = byPlace.get(`${id} ${family}`) ?? { id, family, deeds: [] }
    place.deeds.push(deed)
    byPlace.set(`${id} ${family}`, place)
  }
  for (const { id, family, deeds: all } of byPlace.values()) {
    const last = all.filter(({ outcome }) => outcome === 'done').sort((a, b) => b.to - a.to)[0]
    const allowed = all.filter(
      (deed) => deed === last || (deed.outcome === 'unknown' && deed.from > (last?.to ?? 0)),
    )
    const tags = (records.get(id)?.tags ?? []).filter((tag) => tag.startsWith(family))
    if (last === undefined && tags.length === 0) continue
    if (tags.length !== 1 || !allowed.some(({ what }) => what.line === tags[0]))
      broken.push(`${id} has the tags ${tags.join(', ') || 'none'} and should have ${last?.what.line}`)
  }
}

/** An act of several records, acknowledged or cut short, stands in all of them or in none. */
function wholeOrNothing(
  records: Map<string, Held>,
  deeds: readonly Done[],
  overwritten: (deed: Done, id: string) => boolean,
  broken: string[],
  count: (name: string) => void,
): void {
  for (const deed of deeds) {
    const { what, outcome } = deed
    if (what.deed === 'lines' && what.ids.length > 1) {
      const there = what.ids.filter((id) => holdsLine(records.get(id), what.line))
      count('acts of several records')
      const missing = what.ids.filter((id) => !there.includes(id))
      const explained = missing.every((id) => overwritten(deed, id))
      if (there.length > 0 && missing.length > 0 && !explained)
        broken.push(
          `half an act (${outcome}): ${what.line} is in ${there.join()} and not in ${missing.join()}`,
        )
      if (outcome === 'refused' && there.length > 0 && !deed.reason?.includes('will be finished'))
        broken.push(`refused and written: ${what.line} (${deed.reason})`)
    }
    if (what.deed === 'correct' && outcome !== 'done') {
      // Its id may be known to nobody: the new record is told by its words.
      const made = [...records].find(([, { text }]) =>
        text.includes(`summary: The better fact ${what.line}`),
      )?.[0]
      // Which record it corrects was decided by the store: the head of the chain at that moment.
      const words = made ?? what.line
      const linked = [...records].some(([id, { text }]) => id !== made && text.includes(words))
      if ((made !== undefined) !== linked) broken.push(`half a correction (${outcome}): ${what.line}`)
    }
    if (what.deed === 'lines' && what.ids.length === 1 && outcome === 'refused')
      if (holdsLine(records.get(what.ids[0] ?? ''), what.line))
        broken.push(`refused and written: ${what.line} (${deed.reason})`)
  }
}

function nothingLeft(root: string, broken: string[]): void {
  for (const { path } of filesBelow(root)) {
    if (path.includes(TEMPORARY_PREFIX)) broken.push(`a temporary file is left: ${path}`)
    if (path.startsWith(join(root, 'pending'))) broken.push(`a pending act is left: ${path}`)
  }
  for (const name of readdirSync(root)) if (name.startsWith('.lock-dead')) broken.push(`left: ${name}`)
}

/** Of records that correct each other, each chain has one head: no two corrections hold of one fact. */
function oneHead(records: Map<string, Held>, shared: readonly string[], broken: string[]): void {
  for (const id of shared) {
    const heads = headsFrom(id, records, new Set())
    if (heads.length > 1) broken.push(`two facts hold in place of ${id}: ${heads.join(', ')}`)
  }
}

function headsFrom(id: string, records: Map<string, Held>, seen: Set<string>): string[] {
  const record = records.get(id)
  if (!record || seen.has(id)) return []
  seen.add(id)
  const later = record.supersededBy.flatMap((next) => headsFrom(next, records, seen))
  return record.status === 'active' ? [id, ...later] : later
}

/** Every line is whole, none stands twice, and every acknowledged act has its line. */
function ledgerWhole(
  root: string,
  deeds: readonly Done[],
  broken: string[],
  count: (name: string, by?: number) => void,
): void {
  const seen = new Set<string>()
  const acts = new Map<string, number>()
  for (const { path, bytes } of filesBelow(join(root, 'ledger'))) {
    const text = bytes.toString('utf8')
    if (!text.endsWith('\n')) broken.push(`${path} does not end with a line`)
    for (const line of text.split('\n').filter((one) => one !== '')) {
      count('ledger lines')
      if (seen.has(line)) broken.push(`the ledger says twice: ${line}`)
      seen.add(line)
      const entry = ledgerEntrySchema.safeParse(jsonOr(line))
      // What a kill tore is closed by the next line and stays, unreadable.
      if (!entry.success) count('torn ledger lines')
      else {
        const key = `${entry.data.act} ${entry.data.id}`
        acts.set(key, 1 + (acts.get(key) ?? 0))
      }
    }
  }
  const expected = new Map<string, number>()
  const names = {
    lines: 'update',
    tag: 'update',
    create: 'create',
    correct: 'correct',
    delete: 'delete',
    deprecate: 'deprecate',
  }
  for (const { what, outcome } of deeds) {
    if (outcome !== 'done' || (what.deed === 'deprecate' && what.again === true)) continue
    const ids = what.deed === 'correct' ? what.ids.slice(1) : what.ids
    for (const id of ids) {
      const key = `${names[what.deed]} ${ledgerId(id)}`
      expected.set(key, 1 + (expected.get(key) ?? 0))
    }
  }
  for (const [key, n] of expected)
    if ((acts.get(key) ?? 0) < n) broken.push(`the ledger has ${acts.get(key) ?? 0} lines of ${n}: ${key}`)
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A torn line.
    return undefined
  }
}

/** The index, as it lies there, says of every file what the file says. */
function indexAgrees(root: string, records: Map<string, Held>, broken: string[]): void {
  const file = join(root, 'index', 'index.sqlite')
  if (!existsSync(file)) {
    broken.push('there is no index')
    return
  }
  const index = RecordIndex.open(nodeDisk, file)
  try {
    const rows = new Map(index.files().map((row) => [row.path, row]))
    for (const [id, { path, rev }] of records) {
      const row = rows.get(path.slice(join(root, 'memories').length + 1))
      if (row?.id !== id || row.rev !== rev)
        broken.push(`the index says of ${path}: ${row?.id} rev ${row?.rev}`)
    }
    if (rows.size !== records.size)
      broken.push(`the index has ${rows.size} files, the folder ${records.size}`)
  } finally {
    index.close()
  }
}
