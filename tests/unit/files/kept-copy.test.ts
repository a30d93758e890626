import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { keptCopyName } from '../../../src/files/kept-copy.ts'
import { tempDir } from '../../support/temp.ts'

const at = Date.parse('2026-01-02T03:04:05.678Z')

describe('the name of a kept copy', () => {
  it.each([
    [
      '.jsonl',
      ['a.full-20260102T030405Z.jsonl', 'a.full-20260102T030405Z-2.jsonl', 'a.full-20260102T030405Z-3.jsonl'],
    ],
    ['', ['a.full-20260102T030405Z', 'a.full-20260102T030405Z-2', 'a.full-20260102T030405Z-3']],
  ])(
    'with the extension "%s" says why and when, and is never one that is taken',
    async (extension, names) => {
      const folder = await tempDir('copies')
      for (const expected of names) {
        const name = keptCopyName(nodeDisk, folder, { stem: 'a', extension, why: 'full', at })
        expect(name).toBe(expected)
        writeFileSync(join(folder, name), '')
      }
    },
  )

  it('in a folder that does not exist is free', async () => {
    const folder = join(await tempDir('copies'), 'none')
    expect(keptCopyName(nodeDisk, folder, { stem: 'a', extension: '.md', why: 'changed', at })).toBe(
      'a.changed-20260102T030405Z.md',
    )
  })
})
