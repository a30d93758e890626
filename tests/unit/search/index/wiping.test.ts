/**
 * Why rows are not only deleted: with `secure_delete` SQLite zeroes a deleted cell, but when it balances pages it
 * leaves copies of the cells that it moved, and a later delete does not reach those.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { loadDriver } from '../../../../src/search/index/driver.ts'
import { eraseRows } from '../../../../src/search/index/rows.ts'
import { DERIVED_TABLE, DOCS_INDEXES, DOCS_TABLE, WORDS_TABLE } from '../../../../src/search/index/schema.ts'
import { statementsOf } from '../../../../src/search/index/statements.ts'
import { applyWords } from '../../../../src/search/index/words.ts'
import { folder } from './fixture.ts'

interface Churn {
  add(name: string, key: number): void
  remove(name: string, key: number): void
}

/** Adds and removes names of random length in many transactions. @returns what was removed and what stayed. */
function churn(db: Database.Database, { add, remove }: Churn): { removed: string[]; kept: string[] } {
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const kept: [string, number][] = []
  const removed: string[] = []
  for (let round = 0; round < 90; round++) {
    db.transaction(() => {
      for (let i = 0; i < 40; i++) {
        const entry: [string, number] = [`k${round}i${i}q${'x'.repeat(random(120))}z`, random(2 ** 31)]
        add(...entry)
        kept.push(entry)
      }
      for (let i = 0; i < 25; i++) {
        const entry = kept.splice(random(kept.length), 1)[0]
        if (!entry) continue
        remove(...entry)
        removed.push(entry[0])
      }
    })()
  }
  // Copies are often cut off at their end: the beginning, unique to each, is what is looked for.
  const heads = (names: string[]) => names.map((name) => name.slice(0, name.indexOf('q') + 1))
  return { removed: heads(removed), kept: heads(kept.map(([name]) => name)) }
}

/** Which of the names' heads stand in the database file. */
function onDisk(dir: string, heads: string[]): string[] {
  const seen = new Set(readFileSync(join(dir, 'index.db'), 'latin1').match(/k\d+i\d+q/g))
  return heads.filter((head) => seen.has(head))
}

function open(): { dir: string; db: Database.Database } {
  const dir = folder()
  const Driver = loadDriver()
  const db = new Driver(join(dir, 'index.db'))
  db.pragma('secure_delete = ON')
  db.pragma('synchronous = OFF')
  return { dir, db }
}

it('erasing wipes ids and paths that deleting leaves behind', () => {
  const { dir, db } = open()
  db.exec(`${DOCS_TABLE}; ${DOCS_INDEXES}; ${DERIVED_TABLE}`)
  const add = db.prepare('INSERT INTO docs (path, size, mtime, ino, id) VALUES (?, 1, 1, 1, ?)')
  const remove = db.prepare('DELETE FROM docs WHERE id = ?')
  const { removed, kept } = churn(db, {
    add: (name) => add.run(`2026/01/${name}.md`, name),
    remove: (name) => remove.run(name),
  })
  expect(onDisk(dir, removed)).not.toEqual([])
  db.transaction(() => eraseRows(statementsOf(db), { ids: [], spared: new Set() }, new Map(), new Set()))()
  expect(onDisk(dir, removed)).toEqual([])
  expect(onDisk(dir, kept)).toHaveLength(kept.length)
  db.close()
})

/** Which of the keys, each of six bytes as SQLite writes them, stand in the database file. */
function keysOnDisk(dir: string, keys: readonly number[]): number[] {
  const bytes = readFileSync(join(dir, 'index.db'))
  const seen = new Set<number>()
  for (let at = 0; at + 6 <= bytes.length; at++) seen.add(bytes.readUIntBE(at, 6))
  return keys.filter((key) => seen.has(key))
}

it('erasing wipes the keys of sources that deleting leaves behind', () => {
  const { dir, db } = open()
  db.exec(`${DOCS_TABLE}; ${DOCS_INDEXES}; ${DERIVED_TABLE}`)
  const add = db.prepare('INSERT INTO derived VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM derived WHERE source = ?')
  const keys = new Map<string, number>()
  const { removed, kept } = churn(db, {
    add: (name, key) => {
      keys.set(name.slice(0, name.indexOf('q') + 1), key * 2 ** 16 + 1)
      add.run(key * 2 ** 16 + 1, keys.size)
    },
    remove: (_, key) => remove.run(key * 2 ** 16 + 1),
  })
  const of = (names: readonly string[]) => names.flatMap((name) => keys.get(name) ?? [])
  expect(keysOnDisk(dir, of(removed))).not.toEqual([])
  db.transaction(() => eraseRows(statementsOf(db), { ids: [], spared: new Set() }, new Map(), new Set()))()
  expect(keysOnDisk(dir, of(removed))).toEqual([])
  expect(keysOnDisk(dir, of(kept))).toHaveLength(kept.length)
  db.close()
})

it('a word that no record holds any more is wiped, not only deleted', () => {
  const change = (db: Database.Database) => ({
    add: (word: string, key: number) => applyWords(db, new Map([[key, { word, by: 1 }]])),
    remove: (_: string, key: number) => applyWords(db, new Map([[key, { word: '', by: -1 }]])),
  })
  const plain = open()
  plain.db.exec(WORDS_TABLE)
  const remove = plain.db.prepare('DELETE FROM words WHERE hash = ?')
  const left = churn(plain.db, { add: change(plain.db).add, remove: (_, key) => remove.run(key) })
  expect(onDisk(plain.dir, left.removed)).not.toEqual([])
  plain.db.transaction(() => applyWords(plain.db, new Map([[1, { word: '', by: -1 }]])))()
  expect(onDisk(plain.dir, left.removed)).toEqual([])
  expect(onDisk(plain.dir, left.kept)).toHaveLength(left.kept.length)
  plain.db.close()
})
