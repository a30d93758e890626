/** Issue 11, C: what was deleted stays deleted, nothing that Mnemos copied of it stays, and the answer is true. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { deleteCommand } from '../../src/cli/delete.ts'
import { examineJournals } from '../../src/doctor/journals.ts'
import { repairFolder } from '../../src/doctor/repair.ts'
import { layoutOf } from '../../src/files/layout.ts'
import { Tombstones } from '../../src/files/tombstones.ts'
import { openMemory } from '../../src/memory/open.ts'
import { deletionSentence, problemSentence } from '../../src/messages/messages.ts'
import { idSchema, recordSchema } from '../../src/record/record.ts'
import { textsOf, withTexts } from '../../src/record/texts.ts'
import { correction } from '../../src/store/correction.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { inProcess } from '../support/cli.ts'
import { holding } from '../support/files.ts'
import { openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const DAY = 86_400_000
const YEARS = 3650 * DAY
type Opened = Awaited<ReturnType<typeof openStore>>

/** A folder with one hand-written file that is a record. */
async function withNote(name: string, text: string, at = Date.UTC(2026, 9, 1, 8, 0, 0, 123)) {
  const root = await tempDir('deleted')
  mkdirSync(join(root, 'memories'), { recursive: true })
  const file = join(root, 'memories', name)
  const put = (mtimeMs = at) => {
    writeFileSync(file, text)
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000)
  }
  put()
  return { root, file, put, at }
}

/** What is there in a process of its own at a time. */
async function seenAt(root: string, now: number) {
  const { store } = await openStore({ root, now: () => now })
  const ids = (await store.recent(99, ['active'])).map(({ id }) => id)
  const skipped = store.bad().map(({ fault }) => fault.code)
  store.close()
  return { ids, skipped }
}

const NOW = Date.UTC(2026, 10, 30)
const CLOCKS = [NOW - YEARS, NOW, NOW + YEARS]

describe('B7 a restored copy is known by what it is', () => {
  it.each(CLOCKS)(
    'B7 deleted at %d it is dead under every clock, and its name is not barred',
    async (when) => {
      const { root, file, put } = await withNote('kettle.md', '---\ncreated: 2026-12-24\n---\nThe kettle\n')
      const { store } = await openStore({ root, now: () => when })
      await store.delete('kettle', person)
      put()
      for (const now of CLOCKS)
        expect(await seenAt(root, now)).toEqual({ ids: [], skipped: ['RESTORED_COPY'] })
      for (const day of ['2016-01-01', '2026-12-23', '2036-01-01']) {
        writeFileSync(file, `---\ncreated: ${day}\n---\nAnother kettle\n`)
        for (const now of CLOCKS) expect((await seenAt(root, now)).ids).toEqual(['kettle'])
      }
    },
  )

  it('B7 a file without created is known by its time, as a coarser clock keeps it too', async () => {
    const { root, put, at } = await withNote('kettle.md', 'The kettle\n')
    const { store } = await openStore({ root, now: () => NOW - YEARS })
    await store.delete('kettle', person)
    // As it was, without a fraction or rounded up, and as exFAT, tar and FAT keep it.
    for (const time of [at, at + 1, at - 1, at - 3, at - 123, Math.floor(at / 2000) * 2000]) {
      put(time)
      expect([time, await seenAt(root, NOW)]).toEqual([time, { ids: [], skipped: ['RESTORED_COPY'] }])
    }
    // Written anew, or copied without its time.
    for (const time of [at + 2, at + 877, at + DAY, at - DAY]) {
      put(time)
      expect([time, (await seenAt(root, NOW)).ids]).toEqual([time, ['kettle']])
    }
  })

  it('B7 each deletion of one name counts, and the tombstone keeps every copy', async () => {
    const { root, file, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nOne\n')
    writeFileSync(join(root, 'memories', 'copy.md'), '---\nid: kettle\ncreated: 2026-10-02\n---\nCopy\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    const second = '---\ncreated: 2026-10-03\n---\nTwo\n'
    writeFileSync(file, second)
    await store.delete('kettle', person)
    const lines = readFileSync(join(root, 'tombstones.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).created.length)).toEqual([2, 1])
    for (const text of [second, '---\ncreated: 2026-10-02\n---\nCopy\n']) {
      writeFileSync(file, text)
      expect((await seenAt(root, NOW)).ids).toEqual([])
    }
    put()
    expect((await seenAt(root, NOW)).ids).toEqual([])
  })

  it('B7 a tombstone of an earlier version keeps its rule', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nOne\n')
    const { createHash } = await import('node:crypto')
    const id = `h:${createHash('sha256').update('kettle').digest('hex').slice(0, 24)}`
    writeFileSync(
      join(root, 'tombstones.jsonl'),
      `${JSON.stringify({ id, at: '2026-11-01T00:00:00.000Z', created: ['2026-12-24T00:00:00.000Z'] })}\n`,
    )
    expect((await seenAt(root, NOW)).ids).toEqual([])
    const put = (day: string) =>
      writeFileSync(join(root, 'memories', 'kettle.md'), `---\ncreated: ${day}\n---\nOne\n`)
    put('2026-12-24')
    expect((await seenAt(root, NOW)).ids).toEqual([])
    put('2026-11-02')
    expect((await seenAt(root, NOW)).ids).toEqual(['kettle'])
  })

  it('B7 a record of the time before can be deleted after a deletion under a clock that was ahead', async () => {
    const { root, put, file } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nOne\n')
    const ahead = await openStore({ root, now: () => NOW + YEARS })
    await ahead.store.delete('kettle', person)
    ahead.store.close()
    const text = '---\ncreated: 2026-10-05\n---\nTwo\n'
    writeFileSync(file, text)
    const { store } = await openStore({ root, now: () => NOW })
    expect((await store.delete('kettle', person)).left).toEqual([])
    expect(() => statSync(file)).toThrow()
    expect(readFileSync(join(root, 'tombstones.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)
    writeFileSync(file, text)
    expect((await seenAt(root, NOW)).ids).toEqual([])
    put()
    expect((await seenAt(root, NOW)).ids).toEqual([])
  })
})

describe('C10 a deletion that was done', () => {
  it('C10 leaves no row in the index, in the same process and in the next', async () => {
    const { root, store } = await openStore()
    const { records } = await store.commit(
      [{ act: 'create', record: { summary: 'The harbour closes at nine in the evening' } }],
      person,
    )
    await store.delete(records[0]?.id ?? '', person)
    // Looked at again once its folder counts as settled: the next process will not list it.
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 10_000)
    await store.refresh()
    expect(store.bad()).toEqual([])
    store.close()
    const next = openMemory({
      ...{ root, config: defaultConfig(), clock: systemClock, disk: nodeDisk },
      ...{ dshHome: `${root}-home`, environment: {} },
    })
    await next.store.atTurnStart()
    vi.useRealTimers()
    expect([next.store.bad(), next.store.problems()]).toEqual([[], []])
  })
})

/** A deletion whose record said these words, and what stands in the other files afterwards. */
const SECRET = 'the vault code is nine seven three one'
const made = async (store: Opened['store'], record: Parameters<typeof correction>[0] | { summary: string }) =>
  (await store.commit([{ act: 'create', record }], person)).records[0]?.id ?? ''

describe('C11 what Mnemos copied', () => {
  it('C11 finds the texts of a record by its schema, those of a field that is new too', () => {
    const schema = recordSchema.extend({
      motto: z.string().optional(),
      remarks: z.array(z.looseObject({ by: idSchema, words: z.string() })).default([]),
      moods: z.record(z.string(), z.string()).optional(),
    })
    const record = schema.parse({
      id: 'kettle',
      summary: 'A summary',
      motto: 'A motto',
      remarks: [{ by: 'someone', words: 'Some words', odd: ['An odd one'] }],
      moods: { today: 'fair' },
      tags: ['a-tag'],
      links: [{ to: 'mill', relation: 'near', why: 'a reason' }],
      session: 'session-one',
      created: '2026-11-30',
      updated: '2026-11-30',
      validUntil: '2026-11-30',
    })
    expect(new Set(textsOf(schema, record))).toEqual(
      new Set([
        ...['note', 'A summary', 'A motto', 'Some words', 'odd', 'An odd one', 'today', 'fair', 'a-tag'],
        ...['near', 'a reason'],
      ]),
    )
    const loud = withTexts(schema, record, (text) => text.toUpperCase())
    expect(loud).toMatchObject({ motto: 'A MOTTO', remarks: [{ by: 'someone', words: 'SOME WORDS' }] })
    expect([loud.id, loud.session, loud.created, loud.layer]).toEqual([
      ...[record.id, record.session, record.created, record.layer],
    ])
  })

  it('C11 every text of a derived record, its links, tags and unknown keys lose the copied words', async () => {
    const { root, store } = await openStore()
    const source = await made(store, { summary: SECRET })
    mkdirSync(join(root, 'memories'), { recursive: true })
    const file = join(root, 'memories', 'derived.md')
    writeFileSync(
      file,
      `---
summary: A summary of ${SECRET}
derivedFrom: [${source}]
tags: [${SECRET}, plain]
askedAs: [is it so that ${SECRET}]
why: because ${SECRET}
candidateReason: since ${SECRET}
kind: note
links:
  - to: mill
    relation: near
    why: for ${SECRET}
citation: { session: s, ids: [a], quote: said ${SECRET} }
deprecated: { at: 2026-11-30, by: person, why: but ${SECRET} }
mood: I feel that ${SECRET}
nested: { deep: [{ "${SECRET}": 1, other: "${SECRET}" }] }
author: person
---
The content: ${SECRET}
`,
    )
    await store.refresh()
    await store.delete(source, person)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('seven')
    expect(text).toMatch(/mood: "?I feel that \[…\]/)
    const { record } = await store.get('derived')
    expect(record).toMatchObject({ rewrite: true, tags: ['[…]', 'plain'], derivedFrom: [source] })
    expect(record.links[0]).toMatchObject({ to: 'mill', relation: 'near', why: 'for […]' })
    expect(holding(root, 'seven')).toEqual([])
  })

  it.each([
    ['a long reason', 'the vault code was changed by the new tenant'],
    ['a short one', 'it moved'],
  ])('C11 %s that was copied into what it corrected goes with the correction', async (_, why) => {
    const { root, store } = await openStore()
    const old = await made(store, { summary: 'The harbour closes at nine' })
    const id = store.newId()
    await store.commit(correction({ id, summary: 'The harbour closes at ten', why }, [old], 'person'), person)
    const before = (await store.get(old)).record
    expect(before.deprecated?.why).toBe(why)
    await store.delete(id, person)
    const { record } = await store.get(old)
    expect(record).toMatchObject({
      deprecated: { ...before.deprecated, by: 'person', why: '[…]' },
      rewrite: false,
    })
    expect(record.summary).toBe(before.summary)
    expect(holding(root, why)).toEqual([])
  })

  it('C11 a reason that the person gave for the old record stays with it', async () => {
    const { store } = await openStore()
    const old = await made(store, { summary: 'The harbour closes at nine' })
    const id = store.newId()
    const acts = correction({ id, summary: 'It closes at ten', why: 'the sign says so' }, [old], 'person')
    await store.commit(acts, person)
    await store.delete(old, person)
    expect((await store.get(id)).record.why).toBe('the sign says so')
  })
})

/** Damage to what tells of deletions; each leaves the record's own file put back. */
const DAMAGE: [string, (root: string) => void][] = []
const tombs = (root: string) => join(root, 'tombstones.jsonl')
const text = (root: string) => readFileSync(tombs(root), 'utf8')
const damage = (name: string, act: (root: string) => void) => DAMAGE.push([name, act])
damage('a byte order mark', (root) => writeFileSync(tombs(root), `\ufeff${text(root)}`))
damage('UTF-16 with its mark', (root) =>
  writeFileSync(tombs(root), Buffer.from(`\ufeff${text(root)}`, 'utf16le')),
)
damage('UTF-16 without', (root) => writeFileSync(tombs(root), Buffer.from(text(root), 'utf16le')))
damage('UTF-16, the other byte first', (root) =>
  writeFileSync(tombs(root), Buffer.from(`\ufeff${text(root)}`, 'utf16le').swap16()),
)
damage('a torn last line', (root) => writeFileSync(tombs(root), text(root).slice(0, -30)))
damage('a torn first line', (root) => writeFileSync(tombs(root), text(root).slice(7)))
damage('junk before it on its line', (root) => writeFileSync(tombs(root), `\u0000\u0007xx${text(root)}`))
damage('junk around it', (root) =>
  writeFileSync(tombs(root), `<<<<<<< HEAD\n${text(root)}=======\n\u0000\u0001\n>>>>>>> theirs\n`),
)
damage('old Macintosh line ends', (root) => writeFileSync(tombs(root), text(root).replaceAll('\n', '\r')))
damage('zeros of a power cut', (root) => writeFileSync(tombs(root), Buffer.alloc(200)))
damage('an empty file', (root) => writeFileSync(tombs(root), ''))
damage('its removal', (root) => rmSync(tombs(root)))
damage('lines run together', (root) => writeFileSync(tombs(root), text(root).replaceAll('\n', '')))
damage('an older version of it', (root) =>
  writeFileSync(tombs(root), '{"id":"h:abc","at":"2026-01-01T00:00:00.000Z"}\n'),
)
damage('a conflict copy of a browser', (root) => {
  copyFileSync(tombs(root), join(root, 'tombstones (1).jsonl'))
  writeFileSync(tombs(root), '')
  rmSync(join(root, 'ledger'), { recursive: true })
})
damage('a conflict copy of Syncthing', (root) => {
  renameSync(tombs(root), join(root, 'tombstones.sync-conflict-20261201-080000-ABCDEFG.jsonl'))
  rmSync(join(root, 'ledger'), { recursive: true })
})
damage('a link in its place', (root) => {
  rmSync(tombs(root))
  symlinkSync('/dev/null', tombs(root))
})
damage('a folder in its place', (root) => {
  rmSync(tombs(root))
  mkdirSync(tombs(root))
})

describe('C12 tombstones survive damage', () => {
  it.each(DAMAGE)('C12 %s: deleted records stay dead', async (_, act) => {
    const { root, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    store.close()
    act(root)
    put()
    expect((await seenAt(root, NOW)).ids).toEqual([])
  })

  it.each(DAMAGE)(
    'C12 %s, and no ledger: dead or reported, in the view and by the doctor',
    async (_, act) => {
      const { root, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
      const { store } = await openStore({ root })
      await store.delete('kettle', person)
      store.close()
      const ledger = (readdirSync(join(root, 'ledger'))[0] ?? '').toString()
      const before = readFileSync(join(root, 'ledger', ledger), 'utf8')
      act(root)
      rmSync(join(root, 'ledger'), { recursive: true, force: true })
      // The ledger's own line is damaged in the same way.
      mkdirSync(join(root, 'ledger'))
      writeFileSync(join(root, 'ledger', ledger), before.slice(0, -8))
      put()
      const next = await openStore({ root })
      const isDead = (await next.store.recent(9, ['active'])).length === 0
      const isReported = next.store.problems().some(({ code }) => code === 'TOMBSTONES')
      next.store.close()
      const tombstones = new Tombstones(nodeDisk, layoutOf(root))
      tombstones.refresh()
      const isFound = examineJournals(nodeDisk, layoutOf(root), tombstones).some(({ code }) =>
        code.startsWith('TOMBSTONE'),
      )
      expect([isDead || (isReported && isFound), isReported]).toEqual([true, isFound])
    },
  )
})

describe('C12 the report and its end', () => {
  const HALF = '{"id":"h:0123456789abcdef01234567","at":"2026-1'

  it('C12 names the lines in the view and ends with doctor --fix, which keeps the damaged file', async () => {
    const { root, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    appendFileSync(tombs(root), `${HALF}\n`)
    await store.refresh()
    const [problem] = store.problems()
    if (!problem) throw new Error('nothing is reported')
    expect(problemSentence(problem)).toMatch(/tombstones\.jsonl:2.*mnemos doctor/)
    await store.repair((parts, held) => repairFolder(parts, store.layout, held))
    expect(store.problems()).toEqual([])
    expect(holding(root, HALF).map((path) => basename(path))).toEqual([
      expect.stringMatching(/^deletions\.damaged-\d+T\d+Z\.jsonl$/),
    ])
    put()
    expect(await seenAt(root, NOW)).toEqual({ ids: [], skipped: ['RESTORED_COPY'] })
  })

  it('C12 a deletion that the ledger alone knows is reported, and written again by doctor --fix', async () => {
    const { root, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    store.close()
    rmSync(tombs(root))
    const next = await openStore({ root })
    expect(next.store.problems().map(({ code }) => code)).toEqual(['TOMBSTONES'])
    await next.store.repair((parts, held) => repairFolder(parts, next.store.layout, held))
    expect(next.store.problems()).toEqual([])
    expect(text(root)).toContain('"at"')
    rmSync(join(root, 'ledger'), { recursive: true })
    put()
    expect((await seenAt(root, NOW)).ids).toEqual([])
  })

  it('C12 a line that was cut off and written again is no damage', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    writeFileSync(tombs(root), `${text(root).slice(0, 60)}\n${text(root)}`)
    await store.refresh()
    expect(store.problems()).toEqual([])
  })

  it('C12 the ledger bars nothing that its tombstone does not', async () => {
    const { root, file } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    writeFileSync(file, '---\ncreated: 2026-09-01\n---\nAn older one\n')
    expect((await seenAt(root, NOW)).ids).toEqual(['kettle'])
  })

  it('C12 doctor --fix of a restored copy bars no other note of that name', async () => {
    const { root, file, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    put()
    writeFileSync(join(root, 'memories', 'new.md'), '---\nid: kettle\ncreated: 2026-10-09\n---\nNew\n')
    await store.refresh()
    await store.repair((parts, held) => repairFolder(parts, store.layout, held))
    expect(() => statSync(file)).toThrow()
    expect((await seenAt(root, NOW)).ids).toEqual(['kettle'])
  })

  it('C12 a deletion goes on in a file that an editor saved as UTF-16', async () => {
    const { root, put } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    writeFileSync(join(root, 'memories', 'mill.md'), '---\ncreated: 2026-10-01\n---\nThe mill\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    writeFileSync(tombs(root), Buffer.from(`\ufeff${text(root)}`, 'utf16le'))
    await store.refresh()
    await store.delete('mill', person)
    expect(text(root).trim().split('\n')).toHaveLength(2)
    expect(store.problems()).toEqual([])
    put()
    expect((await seenAt(root, NOW)).ids).toEqual([])
  })
})

describe('C13 names with the accent apart', () => {
  const apart = 'cafe\u0301'

  it.each([apart, 'caf\u00e9'])('C13 cases/nfd: mnemos delete %s deletes it', async (name) => {
    const root = await tempDir('deleted')
    mkdirSync(join(root, 'memories'))
    copyFileSync(
      join(import.meta.dirname, 'input', 'nfd', `${apart}.md`),
      join(root, 'memories', `${apart}.md`),
    )
    const { session, said } = await inProcess(root)
    await deleteCommand(session, name, { yes: true })
    expect(said().value).toMatchObject({ deleted: true, left: [] })
    expect(readdirSync(join(root, 'memories'))).toEqual([])
  })

  it('C13 a file that cannot be read goes with the record of its name', async () => {
    const root = await tempDir('deleted')
    mkdirSync(join(root, 'memories', 'old'), { recursive: true })
    writeFileSync(join(root, 'memories', `${apart}.md`), 'kettle\n')
    writeFileSync(join(root, 'memories', 'old', `${apart}.md`), '---\nkind: not closed\n')
    const { store } = await openStore({ root })
    await store.delete(apart, person)
    expect(holding(join(root, 'memories'), '')).toEqual([])
  })
})

describe('C14 files of others', () => {
  it('C14 trash, versions, swap files, backups, copies and repositories are named', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const left = [
      'memories/.trash/kettle.md',
      '.stversions/memories/kettle~20261130-080000.md',
      'memories/kettle.md~',
      'memories/.kettle.md.swp',
      'memories/#kettle.md#',
      'memories/kettle.md.bak',
      'memories/kettle (1).md',
      '.git/config',
      '../.hg/store',
      // Other names.
      'memories/kettle-drum.md',
      'memories/teakettle.md~',
      'memories/.trash/pot.md',
    ]
    for (const path of left) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), 'A short note\n')
    }
    const { store } = await openStore({ root })
    const { others, left: undone } = await store.delete('kettle', person)
    expect(undone).toEqual([])
    const named = others
      .filter(({ file }) => !/^(?:\.\.\/){2}/.test(file))
      .map(({ file, what }) => [file, what])
    expect(named).toEqual([
      ['../.hg', 'history'],
      ['.git', 'history'],
      ['.stversions/memories/kettle~20261130-080000.md', 'named'],
      ['memories/#kettle.md#', 'named'],
      ['memories/.kettle.md.swp', 'named'],
      ['memories/.trash/kettle.md', 'named'],
      ['memories/kettle (1).md', 'named'],
      ['memories/kettle.md.bak', 'named'],
      ['memories/kettle.md~', 'named'],
    ])
    rmSync(join(root, '..', '.hg'), { recursive: true })
  })

  it.skipIf(process.getuid?.() === 0)('C14 says what could not be looked at', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    mkdirSync(join(root, 'closed'))
    chmodSync(join(root, 'closed'), 0)
    const { store } = await openStore({ root })
    const deleted = await store.delete('kettle', person)
    chmodSync(join(root, 'closed'), 0o700)
    expect(deletionSentence({ id: 'kettle', ...deleted })).toMatch(/what closed \(.*\) holds is not known/)
  })

  it('C14 nothing is left is said only where all of it was looked at', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const unlistable = join(root, 'closed')
    mkdirSync(unlistable)
    const disk = {
      ...nodeDisk,
      list: (path: string) => {
        if (path === unlistable) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
        return nodeDisk.list(path)
      },
    }
    const { store } = await openStore({ root, disk })
    const sentence = deletionSentence({ id: 'kettle', ...(await store.delete('kettle', person)) })
    expect(sentence).toContain('what closed (EACCES) holds is not known')
    expect(sentence).not.toContain('nothing')
  })
})

describe('C15 the answer', () => {
  it('C15 is one sentence and a list of ids, however much stays', async () => {
    const root = await tempDir('deleted')
    mkdirSync(join(root, 'memories'))
    const words = 'The staging database of the billing service listens on port 5433.'
    for (let n = 0; n < 40; n++) writeFileSync(join(root, 'memories', `note-${n}.md`), `${n}. ${words}\n`)
    const { session, said } = await inProcess(root)
    await deleteCommand(session, 'note-0', { yes: true })
    const [sentence = '', list = '', ...more] = said().text.trimEnd().split('\n')
    expect(more).toEqual([])
    expect(sentence).toMatch(/^"note-0" is deleted; \d+ other records that stay hold words of it, and .*\.$/)
    expect(sentence.match(/\.(?= |$)/g)).toHaveLength(1)
    expect(list.trim().split(', ').length).toBeLessThanOrEqual(21)
    expect(said().value.alikeRecords.length).toBeGreaterThan(10)
  })

  it('C15 says that nothing is left where nothing is', async () => {
    const { root } = await withNote('kettle.md', '---\ncreated: 2026-10-01\n---\nThe kettle\n')
    const { session, said } = await inProcess(root)
    await deleteCommand(session, 'kettle', { yes: true })
    expect(said().text).toBe(
      `"kettle" is deleted, and nothing of it is left in the data folder; the host's own session logs still hold the conversation.`,
    )
  })

  it.each([
    [
      'the tombstone',
      'tombstones.jsonl',
      /not done is tombstone \(ENOSPC.*\), records made from it, record files, /,
    ],
    [
      'a record made from it',
      'derived.md',
      /not done is records made from it \(.*ENOSPC.*\), record files, /,
    ],
  ])('C15 on a full disk, at %s, it says what is not done', async (_, at, said) => {
    const { root, file } = await withNote('kettle.md', `---\ncreated: 2026-10-01\n---\n${SECRET}\n`)
    writeFileSync(join(root, 'memories', 'derived.md'), `---\nderivedFrom: [kettle]\n---\nSo ${SECRET}\n`)
    let isFull = true
    const full = (path: string) => {
      if (isFull && path.endsWith(at)) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
    }
    const disk = {
      ...nodeDisk,
      append: (path: string, line: string) => {
        full(path)
        nodeDisk.append(path, line)
      },
      replace: (...args: Parameters<typeof nodeDisk.replace>) => {
        full(args[0])
        nodeDisk.replace(...args)
      },
    }
    const { store } = await openStore({ root, disk })
    const deleted = await store.delete('kettle', person)
    expect(deletionSentence({ id: 'kettle', ...deleted })).toMatch(said)
    expect(statSync(file).isFile()).toBe(true)
    isFull = false
    await made(store, { summary: 'The next write' })
    expect(holding(root, 'seven')).toEqual([])
  })
})

describe('two notes that are called alike', () => {
  it.each([
    ['in two folders', '2024/README.md', '2025/README.md', 'README'],
    ['once what no id may have is replaced', 'two words.md', 'two-words.md', 'two-words'],
    ['and made of signs alone', '🚀.md', '🔥.md', '-'],
  ])(
    '%s: deleting one leaves the other, which is named and shown from then on',
    async (_, one, other, id) => {
      const root = await tempDir('cases')
      const write = (name: string, text: string, at: number) => {
        const file = join(root, 'memories', name)
        mkdirSync(join(file, '..'), { recursive: true })
        writeFileSync(file, text)
        utimesSync(file, at, at)
      }
      write(one, 'The bridge opens at noon every day\n', 1_700_000_000)
      write(other, 'Soup needs salt and seven herbs\n', 1_700_000_500)
      const { store } = await openStore({ root })
      const found = await store.get(id)
      expect(found.record.summary).toContain('Soup')
      expect(found.namesakes).toMatchObject([{ summary: 'The bridge opens at noon every day' }])
      const deleted = await store.delete(id, person, { shown: found.shown })
      expect(deletionSentence({ id, ...deleted })).toContain('another note bears the same name')
      expect(deleted.others).toContainEqual({ file: `memories/${one}`, what: 'namesake' })
      expect(holding(root, 'seven herbs')).toEqual([])
      for (const at of [store, (await openStore({ root })).store]) {
        expect((await at.get(id)).record.summary).toBe('The bridge opens at noon every day')
        const { hits } = await at.recall({ queries: ['bridge noon'], scope: {}, limit: 5, include: [] })
        expect(hits.map(({ record }) => record.id)).toEqual([id])
        expect(at.bad()).toEqual([])
      }
    },
  )

  it('a copy that says the same, or states the same id, goes with the record', async () => {
    const root = await tempDir('cases')
    mkdirSync(join(root, 'memories', 'sync'), { recursive: true })
    const text = '---\nid: kettle\ncreated: 2026-01-01\n---\nSeven herbs\n'
    writeFileSync(join(root, 'memories', 'kettle.md'), text)
    writeFileSync(
      join(root, 'memories', 'kettle (1).md'),
      text.replace('Seven herbs', 'Seven herbs and salt'),
    )
    writeFileSync(join(root, 'memories', 'sync', 'kettle.md'), 'Seven herbs\n')
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    expect(holding(root, 'Seven herbs')).toEqual([])
  })
})

it.each([
  ['states the same created', '---\ncreated: 2026-01-01\n---\nSeven herbs and salt\n'],
  ['says the same', 'Seven herbs\n'],
])('a copy of a note that names no id, and %s, goes with it', async (_, other) => {
  const root = await tempDir('cases')
  mkdirSync(join(root, 'memories', 'sync'), { recursive: true })
  writeFileSync(join(root, 'memories', 'kettle.md'), '---\ncreated: 2026-01-01\n---\nSeven herbs\n')
  writeFileSync(join(root, 'memories', 'sync', 'kettle.md'), other)
  const { store } = await openStore({ root })
  const { others } = await store.delete('kettle', person)
  expect([others, holding(join(root, 'memories'), 'Seven herbs')]).toEqual([[], []])
})

it('a record made from it that cannot be read just now holds the deletion open, and is cut once it can be', async () => {
  const { root } = await withNote('kettle.md', `${SECRET}\n`)
  const made = join(root, 'memories', 'made.md')
  const whole = `---\nderivedFrom: [kettle]\nsummary: m\n---\nSo ${SECRET}\n`
  writeFileSync(made, whole)
  const { store } = await openStore({ root })
  writeFileSync(made, whole.replace('[kettle]', '[kettle'))
  const deleted = await store.delete('kettle', person)
  expect(deletionSentence({ id: 'kettle', ...deleted })).toContain('is not deleted everywhere yet')
  writeFileSync(made, whole)
  await store.commit([{ act: 'create', record: { summary: 'the next write' } }], person)
  expect(holding(root, 'seven')).toEqual([])
})

it('a ledger that cannot be written is what is not done, and nothing else', async () => {
  const { root } = await withNote('kettle.md', `${SECRET}\n`)
  const disk = {
    ...nodeDisk,
    append: (path: string, line: string) => {
      if (path.includes('/ledger/')) throw Object.assign(new Error('EIO: made to fail'), { code: 'EIO' })
      nodeDisk.append(path, line)
    },
  }
  const { store } = await openStore({ root, disk })
  const deleted = await store.delete('kettle', person)
  expect(deleted.left).toEqual([{ place: 'ledger', reason: expect.stringContaining('EIO') }])
  expect(deleted.erased).toContain('record files')
  expect(holding(root, 'seven')).toEqual([])
})
