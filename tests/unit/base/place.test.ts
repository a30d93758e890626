import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { placesOn } from '../../../src/base/place.ts'
import { tempDir } from '../../support/temp.ts'

const places = placesOn(nodeDisk)

it('links are resolved, and what cannot be resolved stays as it is', async () => {
  const root = places.real(await tempDir('place'))
  mkdirSync(join(root, 'real'))
  symlinkSync(join(root, 'real'), join(root, 'link'))
  expect(places.real(join(root, 'link'))).toBe(join(root, 'real'))
  expect(places.real(join(root, 'nowhere'))).toBe(join(root, 'nowhere'))
})

it('what the disk refuses to say is answered with no', async () => {
  const root = await tempDir('place')
  expect([places.exists(root), places.writable(root)]).toEqual([true, true])
  const nowhere = join(root, 'nowhere', 'at all')
  expect([places.exists(nowhere), places.writable(nowhere)]).toEqual([false, false])
  expect(places.fileSystem(nowhere)).toBeUndefined()
  const broken = placesOn({
    ...nodeDisk,
    stamp: () => {
      throw new Error('EIO')
    },
  })
  expect(broken.exists(root)).toBe(false)
})
