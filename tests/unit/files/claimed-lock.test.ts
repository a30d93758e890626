import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/base/disk.ts'
import { withClaimedLock } from '../../../src/files/claimed-lock.ts'
import { layoutOf } from '../../../src/files/layout.ts'
import { DataLock } from '../../../src/files/lock.ts'
import { tempDir } from '../../support/temp.ts'

async function folder() {
  const layout = layoutOf(join(await tempDir('data'), 'memory'))
  return { disk: nodeDisk, layout, lock: new DataLock(nodeDisk, layout.lock, 50) }
}

describe('a write in a data folder', () => {
  it('claims the folder, and holds its lock while it runs', async () => {
    const parts = await folder()
    const seen = await withClaimedLock(parts, (held) => {
      held.check()
      return [readFileSync(parts.layout.version, 'utf8'), existsSync(parts.layout.lock)]
    })
    expect(seen).toEqual(['1\n', true])
    expect(existsSync(parts.layout.lock)).toBe(false)
  })

  it('does not run in a folder of a newer version, and changes nothing there', async () => {
    const parts = await folder()
    nodeDisk.folder(parts.layout.root)
    writeFileSync(parts.layout.version, '9\n')
    const done = withClaimedLock(parts, () => writeFileSync(join(parts.layout.root, 'written'), ''))
    await expect(done).rejects.toMatchObject({
      code: 'READ_ONLY',
      reason: { code: 'READ_ONLY', fault: { code: 'VERSION_NEWER', version: 9 } },
    })
    expect(readdirSync(parts.layout.root)).toEqual(['version'])
  })

  it('does not run while another one holds the lock for longer than the timeout', async () => {
    const parts = await folder()
    await withClaimedLock(parts, async () => {
      const second = { ...parts, lock: new DataLock(nodeDisk, parts.layout.lock, 5_000) }
      await expect(withClaimedLock(second, () => undefined, 20)).rejects.toMatchObject({ code: 'LOCKED' })
    })
  })
})
