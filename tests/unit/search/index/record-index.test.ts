import {
  closeSync,
  copyFileSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MnemosError } from '../../../../src/base/errors.ts'
import { IndexDamaged, loadDriver } from '../../../../src/search/index/driver.ts'
import { termHash } from '../../../../src/search/index/terms.ts'
import { entry, filler, folder, openIndex, record, wordsOnDisk } from './fixture.ts'

const NOW = Date.UTC(2026, 10, 30)

describe('what the index knows of files', () => {
  it('replaces what stood under a path, notes bad files, forgets removed ones', () => {
    const index = openIndex()
    index.put([entry(record({ id: 'a', kind: 'decision' })), entry(record({ id: 'b', status: 'candidate' }))])
    index.put([
      { file: { path: '2026/03/a.md', size: 9, mtimeMs: 2.5, ino: 7 }, record: record({ id: 'a', rev: 3 }) },
    ])
    index.putBad({ path: 'x.md', size: 0, mtimeMs: 1, ino: 2 }, { code: 'YAML', reason: 'a tab', line: 3 })
    expect(index.files().sort((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: '2026/03/a.md', size: 9, mtimeMs: 2.5, ino: 7, id: 'a', fault: null, rev: 3 },
      { path: '2026/03/b.md', size: 7, mtimeMs: 1, ino: 1, id: 'b', fault: null, rev: 1 },
      {
        path: 'x.md',
        size: 0,
        mtimeMs: 1,
        ino: 2,
        id: null,
        fault: { code: 'YAML', reason: 'a tab', line: 3 },
        rev: null,
      },
    ])
    expect(index.counts()).toEqual({
      total: 2,
      byStatus: { active: 1, candidate: 1 },
      byKind: { note: 2 },
      bad: 1,
    })
    index.remove(['2026/03/b.md', 'x.md', 'never.md'])
    expect(index.files().map((file) => file.path)).toEqual(['2026/03/a.md'])
  })

  it.each([
    'no JSON',
    '"a sentence of an earlier version"',
    '{"code":"A_CODE_OF_TOMORROW"}',
    '{"code":"TOO_LARGE"}',
  ])('takes a file whose fault reads %s for one to be read again', (stored) => {
    const at = join(folder(), 'index.sqlite')
    const index = openIndex(at)
    const file = { path: 'x.md', size: 1, mtimeMs: 1, ino: 2 }
    index.putBad(file, { code: 'EMPTY' })
    index.close()
    const db = new (loadDriver())(at)
    db.prepare('UPDATE docs SET bad = ?').run(stored)
    db.close()
    expect(openIndex(at).files()).toEqual([{ ...file, mtimeMs: -1, id: null, fault: null, rev: null }])
  })

  it('takes the highest rev of an id, then the later file, and promotes a copy when the first goes', () => {
    const index = openIndex()
    index.put([
      entry(record({ id: 'a', rev: 2 }), 'old.md', 5),
      entry(record({ id: 'a', rev: 3 }), 'early.md', 5),
      entry(record({ id: 'a', rev: 3 }), 'late.md', 6),
    ])
    expect(index.list({}, { limit: 9, now: NOW }).map((doc) => doc.path)).toEqual(['late.md'])
    expect(index.counts().total).toBe(1)
    index.remove(['late.md'])
    expect(index.list({}, { limit: 9, now: NOW }).map((doc) => doc.path)).toEqual(['early.md'])
    index.put([entry(record({ id: 'a', rev: 3 }), 'beside.md', 5)])
    expect(index.list({}, { limit: 9, now: NOW }).map((doc) => doc.path)).toEqual(['beside.md'])
  })

  it('finds the same content among active records of one kind and source only', () => {
    const index = openIndex()
    const text = { summary: 'Redis  holds sessions', content: 'Since May.' }
    index.put([
      entry(record({ id: 'a', ...text })),
      entry(record({ id: 'b', ...text, kind: 'decision' })),
      entry(record({ id: 'c', ...text, status: 'deprecated' })),
      entry(record({ id: 'd', ...text, content: 'Since June.' })),
    ])
    expect(index.sameContent('note', 'internal', 'redis holds SESSIONS', 'since\nMay.')).toEqual(['a'])
    expect(index.sameContent('note', 'external', 'redis holds SESSIONS', 'since\nMay.')).toEqual([])
  })

  it('tells which files were made from a record, and keeps that in step with them', () => {
    const file = join(folder(), 'index.db')
    const index = openIndex(file)
    index.put([
      entry(record({ id: 'a', derivedFrom: ['My-Diary', 'b'] })),
      entry(record({ id: 'c', derivedFrom: ['My-Diary'] })),
      entry(record({ id: 'c', derivedFrom: ['My-Diary'], rev: 2 }), 'copy.md'),
    ])
    index.putBad({ path: 'bad.md', size: 0, mtimeMs: 1, ino: 2 }, { code: 'EMPTY' })
    expect(index.derivedFrom('My-Diary')).toEqual(['2026/03/a.md', '2026/03/c.md', 'copy.md'])
    expect([index.derivedFrom('b'), index.derivedFrom('a')]).toEqual([['2026/03/a.md'], []])
    index.put([entry(record({ id: 'a', derivedFrom: ['b'] }))])
    index.remove(['copy.md'])
    expect([index.derivedFrom('My-Diary'), index.derivedFrom('b')]).toEqual([
      ['2026/03/c.md'],
      ['2026/03/a.md'],
    ])
    index.erase(['a', 'c'])
    expect([index.derivedFrom('My-Diary'), index.derivedFrom('b')]).toEqual([[], []])
    const db = new (loadDriver())(file)
    expect(db.prepare('SELECT * FROM derived').all()).toEqual([])
    db.close()
  })

  it('keeps the number of records of a term in step, also when another handle writes', () => {
    const file = join(folder(), 'index.db')
    const one = openIndex(file)
    const two = openIndex(file)
    expect([one.fresh, two.fresh]).toEqual([true, false])
    const redis = termHash('redi', one.salt)
    expect(two.frequencyOf(redis)).toBe(0)
    one.put([
      entry(record({ id: 'a', summary: 'redis' })),
      entry(record({ id: 'b', content: 'Redis redis' })),
    ])
    expect(two.frequencyOf(redis)).toBe(2)
    two.put([entry(record({ id: 'a', summary: 'gone' }))])
    expect([one.frequencyOf(redis), two.stats().docs]).toEqual([1, 2])
  })
})

describe('erasing', () => {
  // The last character has four bytes: fewer stand somewhere among so many hashes by chance.
  const secret = ['zanzibarine', 'flumoxgradian', 'quorvex', '鑫龘', '𪚥', 'grimbleforth']
  const made = (id: string) =>
    record({
      id,
      summary: 'Zanzibarine note',
      content: 'The flumoxgradian word 鑫龘 𪚥',
      tags: ['quorvex'],
      workspace: 'quorvex',
      derivedFrom: ['grimbleforth-diary'],
    })

  it('leaves no byte of text, id or path, also beside other writes and another open handle', () => {
    const dir = folder()
    const index = openIndex(join(dir, 'index.db'))
    const other = openIndex(join(dir, 'index.db'))
    index.put(filler(120))
    for (let i = 0; i < 8; i++) index.put([entry(made(`hush-name-${i}`))])
    other.list({}, { limit: 5, now: NOW })
    index.put(
      filler(80).map(({ file, record: r }) => ({
        file,
        record: { ...r, rev: 2, content: `${r.content} more` },
      })),
    )
    // The search must be able to see: the plain words are there before.
    expect(wordsOnDisk(dir, ['zanzibarine', 'hush-name'])).toEqual(['zanzibarine', 'hush-name'])
    index.erase(Array.from({ length: 8 }, (_, i) => `hush-name-${i}`))
    expect(wordsOnDisk(dir, [...secret, 'hush-name', 'zanzi', 'flumox'])).toEqual([])
    expect(index.counts().total).toBe(120)
    expect(other.files().filter(({ id }) => id?.startsWith('hush'))).toEqual([])
    expect(other.list({}, { limit: 500, now: NOW })).toHaveLength(120)
  })

  it('leaves nothing of the old text when a record is put over another', () => {
    const dir = folder()
    const index = openIndex(join(dir, 'index.db'))
    index.put(filler(120))
    index.put([entry(made('a'))])
    index.put(filler(60).map((e) => ({ ...e, file: { ...e.file, mtimeMs: 2 } })))
    expect(wordsOnDisk(dir, ['flumoxgradian'])).toEqual(['flumoxgradian'])
    index.put([entry(record({ id: 'a', summary: 'harmless' }))])
    expect(wordsOnDisk(dir, [...secret, 'flumox', 'zanzi'])).toEqual([])
    index.put([entry(made('a'))])
    index.remove(['2026/03/a.md'])
    expect(wordsOnDisk(dir, [...secret, 'flumox', 'zanzi'])).toEqual([])
  })

  it('takes the postings out of FTS5 as well', () => {
    const file = join(folder(), 'index.db')
    const index = openIndex(file)
    index.put([...filler(50), entry(made('a'))])
    const hash = termHash('quorvex', index.salt)
    expect(index.candidates([hash], {}, 5)).toHaveLength(1)
    index.erase(['a'])
    expect([index.frequencyOf(hash), index.candidates([hash], {}, 5).length]).toEqual([0, 0])
    const Driver = loadDriver()
    const db = new Driver(file)
    db.exec("INSERT INTO fts (fts) VALUES ('integrity-check')")
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })
})

describe('a file that cannot be used', () => {
  /** Filled once and closed; every test gets a copy. */
  let original: string | undefined
  const filled = () => {
    const file = join(folder(), 'index.db')
    if (original !== undefined) copyFileSync(original, file)
    else {
      const index = openIndex(file)
      index.put(filler(150))
      index.close()
      original = `${file}-original`
      copyFileSync(file, original)
    }
    return file
  }

  it.each([
    ['no file', (file: string) => rmSync(file)],
    ['no bytes', (file: string) => truncateSync(file, 0)],
    ['no database', (file: string) => writeFileSync(file, 'hello '.repeat(2000))],
    ['half of it', (file: string) => truncateSync(file, 4096 * 3)],
    [
      'another database',
      (file: string) => foreign(file, 'PRAGMA user_version = 0; PRAGMA application_id = 0'),
    ],
    ['another version', (file: string) => foreign(file, 'PRAGMA user_version = 77')],
    ['a missing table', (file: string) => foreign(file, 'DROP TABLE docs')],
  ])('is made anew: %s', (_, break_) => {
    const file = filled()
    break_(file)
    const index = openIndex(file)
    expect(index.fresh).toBe(true)
    expect(index.files()).toEqual([])
    index.put(filler(2))
    expect(openIndex(file).fresh).toBe(false)
  })

  it('is kept when nothing is wrong, with mode 0600', () => {
    const file = filled()
    const index = openIndex(file)
    expect([index.fresh, index.counts().total, statSync(file).mode & 0o777]).toEqual([false, 150, 0o600])
  })

  it('throws IndexDamaged when pages turn out malformed later, and a new index is made when it is opened again', () => {
    const file = filled()
    const index = openIndex(file)
    // Every page but the first: the header still looks sound.
    const size = statSync(file).size
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096)
    closeSync(handle)
    expect(() => {
      index.files()
      index.candidates([termHash('w1x', index.salt)], {}, 5)
    }).toThrow(IndexDamaged)
    index.close()
    expect(openIndex(file).fresh).toBe(true)
  })

  it('throws IndexDamaged for the handle of a file that another process replaced', () => {
    const file = filled()
    const index = openIndex(file)
    rmSync(file)
    const next = openIndex(file)
    next.put(filler(1))
    expect(() => index.files()).toThrow(IndexDamaged)
    expect(() => index.put(filler(1))).toThrow(IndexDamaged)
    expect(next.counts().total).toBe(1)
  })

  it('is one MnemosError where it cannot be made', () => {
    expect(() => openIndex(join(folder(), 'no', 'folder', 'index.db'))).toThrow(MnemosError)
  })

  it('is one clear sentence where the driver does not load', () => {
    const broken = () => {
      throw new Error('invalid ELF header')
    }
    expect(() => loadDriver(broken)).toThrow(
      expect.objectContaining({
        code: 'UNAVAILABLE',
        problem: expect.stringContaining('invalid ELF header'),
      }),
    )
  })
})

/** Changes a database behind the index's back. */
function foreign(file: string, sql: string): void {
  const Driver = createRequire(import.meta.url)('better-sqlite3') as ReturnType<typeof loadDriver>
  const db = new Driver(file)
  db.exec(sql)
  db.close()
}
