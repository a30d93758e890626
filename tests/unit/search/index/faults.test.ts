/** An index on a disk that refuses a step: one clear sentence, and writing goes on without it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, nodeDisk } from '../../../../src/base/disk.ts'
import { MnemosError } from '../../../../src/base/errors.ts'
import { removeDatabase } from '../../../../src/search/index/driver.ts'
import { RecordIndex } from '../../../../src/search/index/record-index.ts'
import { personContext } from '../../../../src/store/turn-context.ts'
import { failingOnce, openStore } from '../../../support/store.ts'
import { entry, folder, record } from './fixture.ts'

const METHODS = Object.keys(nodeDisk) as (keyof Disk)[]
/** In how many calls a damaged index is opened, written and read: no other method is called. */
const CALLS: Partial<Record<keyof Disk, number>> = { touch: 2, stamp: 17, remove: 1 }

describe.each(['EIO', 'ENOSPC'])('opening an index while %s is met', (code) => {
  it.each(METHODS)('by %s', (method) => {
    for (let nth = 1; nth <= (CALLS[method] ?? 0) + 1; nth++) {
      const file = join(folder(), 'index.db')
      writeFileSync(file, 'no database '.repeat(1000))
      const { disk, hasFailed } = failingOnce(method, code, nth)
      const said = useIndex(disk, file)
      expect(hasFailed()).toBe(nth <= (CALLS[method] ?? 0))
      if (hasFailed())
        expect(said).toMatch(new RegExp(`^The search index .*cannot be (opened|used).*${code}.*\\. Check `))
      else expect(said).toBe('1 file')
      expect(useIndex(nodeDisk, file)).toBe('1 file')
    }
  })
})

function useIndex(disk: Disk, file: string): string {
  let index: RecordIndex | undefined
  try {
    index = RecordIndex.open(disk, file)
    index.put([entry(record({ id: 'a' }))])
    return `${index.files().length} file`
  } catch (error) {
    expect(error).toBeInstanceOf(MnemosError)
    return error instanceof Error ? error.message : ''
  } finally {
    index?.close()
  }
}

it('an index whose file cannot be made keeps nobody from writing, and recall says why', async () => {
  const { disk } = failingOnce('touch', 'ENOSPC')
  const { store } = await openStore({ disk })
  const person = personContext()
  const { records, warnings } = await store.commit([{ act: 'create', record: { summary: 'kept' } }], person)
  expect(warnings).toEqual([])
  expect((await store.get(records[0]?.id ?? '')).record.summary).toBe('kept')
  await expect(store.recall({ queries: ['kept'], scope: {}, limit: 5, include: [] })).rejects.toThrow(
    /^Recall does not work just now: The search index cannot be opened \(ENOSPC\)/,
  )
  store.close()
})

it('removing an index leaves none of its journals', () => {
  const file = join(folder(), 'index.db')
  const files = ['', '-journal', '-wal', '-shm'].map((suffix) => `${file}${suffix}`)
  for (const one of files) writeFileSync(one, 'text of a record')
  removeDatabase(nodeDisk, file)
  expect(files.filter((one) => existsSync(one))).toEqual([])
})
