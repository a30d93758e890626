/** Deleting a record cuts its words out of what was made from it, and reads no other file to find that. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { Places } from '../../../src/store/places.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
const WORDS = 'the spare key lies under the third flower pot'

/** A folder with a record, what was made from it, what was made from that, and `others` records beside them. */
async function folderOf(others: number) {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'), { recursive: true })
  const fileOf = (id: string) => join(root, 'memories', `${id}.md`)
  const write = (id: string, summary: string, derivedFrom: string[] = []) =>
    writeFileSync(
      fileOf(id),
      `---\nsummary: ${summary}\ncreated: 2026-01-01\nderivedFrom: ${JSON.stringify(derivedFrom)}\n---\n`,
    )
  write('Door', WORDS)
  write('made', `As was said, ${WORDS}`, ['Door'])
  write('made-again', `Twice said, ${WORDS}`, ['made'])
  write('own', `In its own right ${WORDS}`)
  // Another record whose id an index cannot tell from it.
  write('other-case', `In another case ${WORDS}`, ['door'])
  for (let n = 0; n < others; n++) write(`n${n}`, `unlike n${n}x n${n}y`, [`n${n + 1}`])
  return { root, fileOf, write, textOf: (id: string) => readFileSync(fileOf(id), 'utf8') }
}

function countingDisk(): { disk: Disk; read: Set<string> } {
  const read = new Set<string>()
  const disk: Disk = {
    ...nodeDisk,
    read: (path, limit) => {
      if (path.endsWith('.md')) read.add(path)
      return nodeDisk.read(path, limit)
    },
  }
  return { disk, read }
}

const cut = (text: string) => !text.includes('third flower pot')

describe('what was made from a deleted record', () => {
  it('is found by the index: of many records only the files concerned are read', async () => {
    const { root, fileOf, textOf } = await folderOf(60)
    const { disk, read } = countingDisk()
    const { store } = await openStore({ root, disk })
    await store.recall({ queries: ['key'], scope: {}, limit: 1, include: [] })
    read.clear()
    const { left } = await store.delete('Door', person)
    expect(left).toEqual([])
    expect([...read].sort()).toEqual(['Door', 'made', 'made-again', 'other-case', 'own'].map(fileOf).sort())
    expect(['made', 'made-again', 'other-case', 'own'].map((id) => cut(textOf(id)))).toEqual([
      true,
      true,
      false,
      false,
    ])
    store.close()
  })

  it('is found where it was written into a file a moment ago', async () => {
    const { root, write, textOf } = await folderOf(3)
    const { store } = await openStore({ root, config: { scanEveryMs: 2_000 } })
    await store.get('own')
    write('own', `In its own right ${WORDS}`, ['made-again'])
    await store.delete('Door', person)
    expect(cut(textOf('own'))).toBe(true)
    store.close()
  })

  it('is found by reading the files where there is no index', async () => {
    const { root, textOf } = await folderOf(3)
    const touch = () => {
      throw Object.assign(new Error('EIO: no index'), { code: 'EIO' })
    }
    const { store } = await openStore({ root, disk: { ...nodeDisk, touch } })
    await store.delete('Door', person)
    expect(['made', 'made-again', 'other-case', 'own'].map((id) => cut(textOf(id)))).toEqual([
      true,
      true,
      false,
      false,
    ])
    store.close()
  })
})

it('a place that needs the text is cleared first, whenever it was registered', async () => {
  const places = new Places()
  const cleared: string[] = []
  for (const [name, needsText] of [
    ['files', false],
    ['compares', true],
    ['index', false],
  ] as const)
    places.register({ name, needsText, erase: () => void cleared.push(name) })
  await places.erase([])
  expect(cleared).toEqual(['compares', 'files', 'index'])
})
