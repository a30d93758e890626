import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { LinkedFolders } from '../../../src/files/linked-folders.ts'
import { tempDir } from '../../support/temp.ts'

it('a link is followed to a folder that is not read yet, and reported where it leads nowhere or around', async () => {
  const root = await tempDir('memories')
  const outside = await tempDir('outside')
  mkdirSync(join(root, 'own'))
  mkdirSync(join(outside, 'year', 'month'), { recursive: true })
  writeFileSync(join(outside, 'file.txt'), '')
  const linked = new LinkedFolders(nodeDisk, root)
  const follow = (target: string) => {
    const link = join(root, target.replace(/\W/g, '-'))
    symlinkSync(target, link)
    return linked.follow(link)
  }
  expect(follow(join(outside, 'year'))).toBe('scan')
  expect(follow(join(outside, 'year', 'month'))).toBe('ignore')
  expect(follow(join(root, 'own'))).toBe('ignore')
  expect(follow(join(outside, 'file.txt'))).toBe('ignore')
  expect(follow(join(outside, 'nothing'))).toBe('NOT_A_FOLDER')
  expect(follow(outside)).toBe('LINKED_TWICE')
  expect(follow(join(root, '..'))).toBe('LINKED_TWICE')
})
