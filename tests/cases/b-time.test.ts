/** Issue 11, B: clocks that were ahead, times without a zone, and days of a person's own zone. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { Usage } from '../../src/files/usage.ts'
import { instantOf } from '../../src/record/instant.ts'
import { drawSelfHistory } from '../../src/self-history/self-history.ts'
import { deprecateRecord } from '../../src/store/deprecate.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { inheritedEnv, runChild } from '../support/child.ts'
import { openStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

/** As a person had it; the expected values stand in the table. */
const KETTLE = join(import.meta.dirname, 'input/time/kettle.md')
const DAY = 86_400_000
const TEN_YEARS = 3650 * DAY
const person = personContext()

/** A store in which a session ran ten years ahead and another at the right time after it. */
async function afterAClockAhead(kind: string) {
  const { store, clock } = await openStore()
  const ids: Record<string, string> = {}
  const make = async (name: string) => {
    const record = { kind, summary: `The ${name} of the bridge is settled`, order: 1 }
    const { records } = await store.commit([{ act: 'create', record }], person)
    ids[name] = records[0]?.id ?? ''
  }
  clock.at += TEN_YEARS
  for (const name of ['future one', 'future two', 'future three']) await make(name)
  clock.at -= TEN_YEARS
  for (const name of ['span', 'colour', 'price']) {
    clock.at += 1000
    await make(name)
  }
  const named = (found: readonly { id: string }[]) =>
    found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id))
  return { store, clock, named }
}

describe('B6 a clock that was ahead', () => {
  it('B6 the last decisions in view are those of today, and one of the future bears no date', async () => {
    const { store } = await afterAClockAhead('decision')
    const reader = { workspace: undefined, isolate: false, now: store.now() }
    const view = drawSelfHistory(store.selfHistory(), reader, 'en')
    expect(view).toMatch(/price[\s\S]*colour[\s\S]*span[\s\S]*3 more not shown/)
    expect(view).not.toContain('future')
    const alone = drawSelfHistory(
      store.selfHistory().filter(({ summary }) => summary.includes('future one')),
      reader,
      'en',
    )
    expect(alone).toMatch(/^Last decisions:\n- The future one/)
  })

  it('B6 recent and a listing put what is still to come last, with and without an index', async () => {
    const { store, named } = await afterAClockAhead('note')
    const recent = named(await store.recent(9, ['active']))
    expect(recent.slice(0, 3)).toEqual(['price', 'colour', 'span'])
    expect(recent).toHaveLength(6)
    const { hits } = await store.recall({ queries: [], scope: { kind: 'note' }, limit: 9, include: [] })
    expect(named(hits.map(({ record }) => record)).slice(0, 3)).toEqual(['price', 'colour', 'span'])
    const equal = await store.recall({ queries: ['bridge settled'], scope: {}, limit: 9, include: [] })
    expect(named(equal.hits.map(({ record }) => record)).slice(0, 3)).toEqual(['price', 'colour', 'span'])
  })

  it('B6 pages of a listing leave out none and repeat none', async () => {
    const { store, clock } = await openStore()
    clock.at += TEN_YEARS
    for (let n = 0; n < 3; n++)
      await store.commit([{ act: 'create', record: { summary: `Later ${n}` } }], person)
    clock.at -= TEN_YEARS
    for (let n = 0; n < 3; n++)
      await store.commit([{ act: 'create', record: { summary: `Now ${n}` } }], person)
    const two = (await store.recent(2, ['active'])).map(({ summary }) => summary)
    expect(two).toEqual(['Now 2', 'Now 1'])
    expect(new Set((await store.recent(9, ['active'])).map(({ id }) => id)).size).toBe(6)
  })

  it('B6 identity of the future takes no room before that of today', async () => {
    const { store, clock } = await openStore()
    const long = (name: string) => `${name} ${'words of who it is '.repeat(10)}`.slice(0, 195)
    clock.at += TEN_YEARS
    await store.commit([{ act: 'create', record: { kind: 'identity', summary: long('Future') } }], person)
    clock.at -= TEN_YEARS
    for (const name of ['One', 'Two', 'Three', 'Four'])
      await store.commit([{ act: 'create', record: { kind: 'identity', summary: long(name) } }], person)
    const reader = { workspace: undefined, isolate: false, now: store.now() }
    const view = drawSelfHistory(store.selfHistory(), reader, 'en')
    expect(['One', 'Two', 'Three', 'Four', 'Future'].map((name) => view.includes(`- ${name}`))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('B6 a machine that is hours ahead is believed', async () => {
    const { store, clock } = await openStore()
    await store.commit([{ act: 'create', record: { summary: 'Written here' } }], person)
    clock.at += 14 * 3_600_000
    await store.commit(
      [{ act: 'create', record: { summary: 'Written where local time counts as UTC' } }],
      person,
    )
    clock.at -= 14 * 3_600_000
    expect((await store.recent(1, ['active']))[0]?.summary).toContain('local time counts')
  })

  it('B6 a journal of a coming month hides no use of today, and a use to come is none', async () => {
    const folder = await tempDir('usage')
    const usage = new Usage(nodeDisk, folder)
    const now = Date.UTC(2026, 10, 30)
    const made = now - 60 * DAY
    usage.note('kettle', undefined, now - 3 * DAY)
    for (let month = 0; month < 6; month++) usage.note('mill', undefined, now + TEN_YEARS + month * 31 * DAY)
    usage.note('kettle', undefined, now + TEN_YEARS)
    usage.note('ferry', undefined, now + 5 * DAY)
    const idle = usage.idleDays(now)
    expect([idle('kettle', made), idle('mill', made), idle('ferry', made)]).toEqual([3, 60, 60])
    // The same journals, read while the clock was ahead and then again.
    expect(usage.idleDays(now + 6 * DAY)('ferry', made)).toBe(1)
    expect(usage.idleDays(now)('ferry', made)).toBe(60)
  })

  it('B6 a hand-written file of a coming year is found and leads nothing', async () => {
    const { store, root } = await openStore()
    mkdirSync(join(root, 'memories'), { recursive: true })
    writeFileSync(join(root, 'memories', 'typo.md'), '---\ncreated: 2062-11-30\n---\nA year mistyped\n')
    await store.commit([{ act: 'create', record: { summary: 'Today' } }], person)
    expect((await store.recent(2, ['active'])).map(({ summary }) => summary)).toEqual([
      'Today',
      'A year mistyped',
    ])
  })
})

describe('B9 idle time', () => {
  const now = Date.UTC(2026, 10, 30)

  it('B9 counts from the later of created and last opened', async () => {
    const usage = new Usage(nodeDisk, await tempDir('usage'))
    usage.note('kettle', undefined, now - 40 * DAY)
    const idle = usage.idleDays(now)
    expect(idle('kettle', now - 80 * DAY)).toBe(40)
    expect(idle('kettle', now - 7 * DAY)).toBe(7)
    expect(idle('never opened', now - 7 * DAY)).toBe(7)
    expect(idle('of no known time', now + TEN_YEARS)).toBeUndefined()
  })

  it.each([Date.UTC(2026, 4, 1), Date.UTC(2026, 2, 1), Date.UTC(2026, 10, 30)])(
    'B9 looks back 90 days and more from %d',
    async (at) => {
      const usage = new Usage(nodeDisk, await tempDir('usage'))
      usage.note('kettle', undefined, at - 90 * DAY)
      expect(usage.idleDays(at)('kettle', at - 400 * DAY)).toBe(90)
    },
  )

  it('B9 a record just made is not idler than one opened last week', async () => {
    const { store, clock } = await openStore()
    const make = async (content: string) => {
      const record = { summary: 'The ferry leaves at nine', content }
      return (await store.commit([{ act: 'create', record }], person)).records[0]?.id ?? ''
    }
    const old = await make('from pier one')
    clock.at += 300 * DAY
    store.noteOpened(old, person)
    clock.at += 7 * DAY
    const young = await make('from pier two')
    const { hits } = await store.recall({ queries: ['ferry nine'], scope: {}, limit: 5, include: [] })
    expect(hits.map(({ record }) => record.id)).toEqual([young, old])
  })
})

/** What a process in this time zone sees. */
async function inZone(zone: string, root: string, ...task: string[]) {
  const { stdout, stderr, code } = await runChild(
    process.execPath,
    [join(import.meta.dirname, '../fixtures/time-zone.ts'), root, ...task],
    { cwd: root, env: { ...inheritedEnv(), TZ: zone } },
  )
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** What the command line prints in this time zone. */
async function commandIn(zone: string, root: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runChild(
    process.execPath,
    [join(import.meta.dirname, '../../src/cli/main.ts'), ...args, '--data', root],
    { cwd: root, env: { ...inheritedEnv(), TZ: zone, DSH_HOME: `${root}-home`, HOME: root } },
  )
  if (code !== 0) throw new Error(stderr + stdout)
  return stdout
}

/** UTC−12, UTC and UTC+14: POSIX names count the other way. */
const ZONES = ['Etc/GMT+12', 'UTC', 'Etc/GMT-14']

/** A folder with one hand-written file. */
async function handWritten(name: string, text: string) {
  const root = await tempDir('zones')
  mkdirSync(join(root, 'memories'), { recursive: true })
  writeFileSync(join(root, 'memories', name), text)
  return { root, file: join(root, 'memories', name), text }
}

/** Each process of its own takes a second, and several on a machine that is busy. */
const SLOW = { timeout: 120_000 }

describe('B7 a time without a zone', SLOW, () => {
  it.each([
    ['2026-11-30 08:00', '2026-11-30T08:00:00.000Z'],
    ['2026-11-30T08:00:01.5', '2026-11-30T08:00:01.500Z'],
    ['2026-11-30 8:00 pm', '2026-11-30T20:00:00.000Z'],
    ['2026-11-30', '2026-11-30T00:00:00.000Z'],
    ['2026-11-30T08:00+08:00', '2026-11-30T00:00:00.000Z'],
    ['2026-11-30 08:00 GMT+8', '2026-11-30T00:00:00.000Z'],
    ['2026-11-30 24:00', '2026-12-01T00:00:00.000Z'],
    ['2026-11-30 25:00', undefined],
    ['2026-02-30', undefined],
  ])('B7 %s is %s', (written, iso) => {
    const ms = instantOf(written)
    expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(iso)
  })

  it('B7 cases/time/kettle.md: deleted in Shanghai it stays deleted in UTC and further west', async () => {
    const { root, file, text } = await handWritten('kettle.md', readFileSync(KETTLE, 'utf8'))
    expect((await inZone('Asia/Shanghai', root)).records).toEqual(['kettle 2026-12-01T07:27:00.000Z'])
    expect((await inZone('Asia/Shanghai', root, 'delete', 'kettle')).records).toEqual([])
    writeFileSync(file, text)
    for (const zone of ['UTC', 'America/Los_Angeles', 'Asia/Shanghai', ...ZONES])
      expect(await inZone(zone, root)).toMatchObject({ records: [], skipped: ['kettle.md RESTORED_COPY'] })
  })

  it('B7 a folder gives the same records, order and tombstones at UTC−12, UTC and UTC+14', async () => {
    const { root, file, text } = await handWritten('one.md', '---\ncreated: 2026-11-30 08:00\n---\nOne\n')
    writeFileSync(join(root, 'memories', 'two.md'), '---\ncreated: 2026-11-30 09:00+02:00\n---\nTwo\n')
    writeFileSync(join(root, 'memories', 'day.md'), '---\ncreated: 2026-11-30\n---\nA day\n')
    writeFileSync(join(root, 'memories', 'gone.md'), '---\ncreated: 2026-12-01 07:27\n---\nGone\n')
    await inZone('Etc/GMT-14', root, 'delete', 'gone')
    writeFileSync(join(root, 'memories', 'gone.md'), '---\ncreated: 2026-12-01 07:27\n---\nGone\n')
    expect(text).toBe(readFileSync(file, 'utf8'))
    const seen = await Promise.all(ZONES.map((zone) => inZone(zone, root)))
    expect(seen[0]).toEqual({
      records: [
        'one 2026-11-30T08:00:00.000Z',
        'two 2026-11-30T07:00:00.000Z',
        'day 2026-11-30T00:00:00.000Z',
      ],
      listed: ['one', 'two', 'day'],
      skipped: ['gone.md RESTORED_COPY'],
    })
    expect(seen.slice(1)).toEqual([seen[0], seen[0]])
  })
})

describe('B8 days of a person', SLOW, () => {
  it.each([
    ['Asia/Shanghai', '2026-12-01', '2026-11-30T16:00:00.000Z', '2026-12-01T15:59:59.999Z'],
    ['America/New_York', '2026-12-01', '2026-12-01T05:00:00.000Z', '2026-12-02T04:59:59.999Z'],
    // 23 hours: the clocks go forward.
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    ['Asia/Shanghai', '2026-12-01 08:00', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['Asia/Shanghai', '2026-12-01T08:00Z', '2026-12-01T08:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ])('B8 in %s %s is from %s to %s', async (zone, day, since, until) => {
    expect(await inZone(zone, await tempDir('zones'), 'since', day)).toMatchObject({ since, until })
  })

  it('B8 the command line prints the days of the person who reads', async () => {
    const { root } = await handWritten(
      'late.md',
      '---\ncreated: 2026-11-30T20:00:00Z\n---\nLate in the evening\n',
    )
    const run = (zone: string, ...args: string[]) => commandIn(zone, root, ...args)
    expect(await run('Asia/Shanghai', 'recent')).toContain('2026-12-01')
    expect(await run('UTC', 'recent')).toContain('2026-11-30')
    expect(await run('Asia/Shanghai', 'search', 'evening', '--since', '2026-12-01')).toContain('2026-12-01')
    expect(await run('UTC', 'search', 'evening', '--since', '2026-12-01')).toContain('Nothing was found')
    // What a program reads is UTC.
    expect(await run('Asia/Shanghai', 'recent', '--json')).toContain('2026-11-30T20:00:00.000Z')
  })

  it('B8 a day without a time is that day in every zone: shown, and found from it and until it', async () => {
    const { root } = await handWritten('day.md', '---\ncreated: 2026-01-05\n---\nA note of a day\n')
    writeFileSync(
      join(root, 'memories', 'noon.md'),
      '---\ncreated: 2026-01-05T12:30:00Z\n---\nA note of an instant\n',
    )
    const noonIs: Record<string, string> = {
      'Etc/GMT+12': '2026-01-05',
      UTC: '2026-01-05',
      'Etc/GMT-14': '2026-01-06',
    }
    for (const zone of ZONES) {
      const found = async (from: string, to: string) =>
        (await inZone(zone, root, 'between', from, to)).found as string[]
      const noon = noonIs[zone] === '2026-01-05' ? 'day noon' : 'day'
      expect(await found('2026-01-05', '2026-01-05')).toEqual([
        noon,
        noon,
        `day 2026-01-05 noon ${noonIs[zone]}`,
      ])
      expect((await found('2026-01-06', '2026-01-07')).slice(0, 2)).not.toContain('day')
      expect((await found('2026-01-03', '2026-01-04'))[0]).toBe('')
    }
  })

  it('B8 the command line shows a day without a time as it was written', async () => {
    const { root } = await handWritten('day.md', '---\ncreated: 2026-01-05\n---\nA note of a day\n')
    for (const zone of ZONES) {
      for (const args of [['recent'], ['search', 'note', '--since', '2026-01-05', '--until', '2026-01-05']])
        expect(await commandIn(zone, root, ...args)).toContain('2026-01-05')
    }
  })

  it('B8 a sentence has the time of the person who reads, to the minute', async () => {
    const { root, file, text } = await handWritten('kettle.md', readFileSync(KETTLE, 'utf8'))
    await inZone('UTC', root, 'delete', 'kettle')
    const said = (zone: string, ...args: string[]) => commandIn(zone, root, ...args).catch(String)
    expect(await said('Asia/Shanghai', 'show', 'kettle')).toContain('was deleted on 2026-12-02 08:00.')
    expect(await said('America/New_York', 'show', 'kettle')).toContain('was deleted on 2026-12-01 19:00.')
    writeFileSync(file, text)
    expect(await said('Asia/Shanghai', 'doctor')).toContain('that was deleted on 2026-12-02 08:00')
  })

  it('B8 so has the warning that a record was deprecated already', async () => {
    const { store } = await openStore()
    const { records } = await store.commit([{ act: 'create', record: { summary: 'The kettle' } }], person)
    const id = records[0]?.id ?? ''
    await deprecateRecord(store, { id, why: 'it was wrong' }, person)
    const { warnings } = await deprecateRecord(store, { id, why: 'it was wrong' }, person)
    expect(warnings).toEqual([
      expect.stringMatching(/^It was deprecated already on \d{4}-\d\d-\d\d \d\d:\d\d; that/),
    ])
  })
})
