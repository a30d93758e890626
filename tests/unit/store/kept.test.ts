/** The records that are always at hand: right after every change, and without reading the others. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../src/base/disk.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { openStore } from '../../support/store.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()

async function folder() {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'), { recursive: true })
  const write = (id: string, front: string) =>
    writeFileSync(join(root, 'memories', `${id}.md`), `---\n${front}\n---\n`)
  return { root, write }
}

/** A disk that counts the files that are read. */
function countingDisk(): { disk: Disk; reads: () => number } {
  let reads = 0
  const disk: Disk = {
    ...nodeDisk,
    read: (path, max) => {
      if (path.endsWith('.md')) reads++
      return nodeDisk.read(path, max)
    },
  }
  return { disk, reads: () => reads }
}

const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id)

describe('the records at hand', () => {
  it('are the same after a start with the index, one without, and while it runs', async () => {
    const { root, write } = await folder()
    write('who', 'kind: Identity\nsummary: plain words\ncreated: 2026-01-01')
    write('lesson', 'kind: experience\nsummary: a lesson\ncreated: 2026-01-02\nconfirmed: false')
    write('doubt', 'summary: a doubtful note\nstatus: candidate\ncreated: 2026-01-03')
    write('set-aside', 'summary: no more\nstatus: deprecated\nconfirmed: false')
    for (let n = 0; n < 30; n++) write(`note-${n}`, `summary: note ${n}`)
    const first = await openStore({ root })
    const look = ({ store }: Pick<typeof first, 'store'>) => [ids(store.selfHistory()), ids(store.waiting())]
    const expected = [
      ['who', 'lesson'],
      ['lesson', 'doubt'],
    ]
    expect(look(first)).toEqual(expected)
    first.store.close()
    const counting = countingDisk()
    const again = await openStore({ root, disk: counting.disk })
    expect(look(again)).toEqual(expected)
    expect(look(again)).toEqual(expected)
    expect(counting.reads()).toBe(3)
    // The index is lost while it runs, and made anew from the files.
    rmSync(again.store.layout.index)
    await again.store.recall({ queries: ['note'], scope: {}, limit: 1, include: [] })
    expect(look(again)).toEqual(expected)
    again.store.close()
    rmSync(join(root, 'index'), { recursive: true })
    mkdirSync(join(root, 'index', 'mnemos.db'), { recursive: true })
    const without = await openStore({ root })
    expect(look(without)).toEqual(expected)
  })

  it('follow edits, removals, moves and writes', async () => {
    const { root, write } = await folder()
    write('who', 'kind: identity\nsummary: plain words\ncreated: 2026-01-01')
    const { store } = await openStore({ root })
    const summaries = () => store.selfHistory().map(({ summary }) => summary)
    write('who', 'kind: identity\nsummary: plainer words\ncreated: 2026-01-01')
    expect(summaries()).toEqual(['plainer words']) // known files are compared at once
    write('what', 'kind: decision\nsummary: what was decided\ncreated: 2026-01-02')
    await store.refresh()
    expect(summaries()).toEqual(['plainer words', 'what was decided'])
    write('who', 'kind: note\nsummary: only a note')
    expect(summaries()).toEqual(['what was decided'])
    rmSync(join(root, 'memories', 'what.md'))
    expect(summaries()).toEqual([])
    const { records } = await store.commit(
      [{ act: 'create', record: { kind: 'experience', summary: 'a lesson' } }],
      person,
    )
    expect(summaries()).toEqual(['a lesson'])
    await store.delete(records[0]?.id ?? '', person)
    expect(summaries()).toEqual([])
  })

  it('are those of the file that counts, where several have one id', async () => {
    const { root, write } = await folder()
    write('who', 'id: who\nkind: identity\nsummary: older\nrev: 1')
    write('who-copy', 'id: who\nkind: identity\nsummary: newer\nrev: 2')
    const { store } = await openStore({ root })
    expect(store.selfHistory().map(({ summary }) => summary)).toEqual(['newer'])
  })
})
