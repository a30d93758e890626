/** `dataDir` in a config puts the folder of `mnemos init` aside: an empty memory does not pass for a forgotten one. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { changeProfiles } from '../../src/files/profiles.ts'
import { inProcess } from '../support/cli.ts'
import { startMnemos } from '../support/mnemos.ts'
import { tempDir } from '../support/temp.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const note = (folder: string) => {
  mkdirSync(join(folder, 'memories'), { recursive: true })
  writeFileSync(join(folder, 'memories', 'kettle.md'), 'The kettle whistles at eighty degrees')
}

async function start(home: string, dataDir: string) {
  const { newAgent, say, requests, dispose } = await startMnemos({ data: '', home, config: { dataDir } })
  const agent = await newAgent()
  await say(agent, 'hello')
  await dispose()
  return JSON.stringify(requests[0]?.messages)
}

async function status(folder: string) {
  const { session, said } = await inProcess(folder)
  await statusCommand({ ...session, profiles: ['default'] })
  session.store.close()
  return said()
}

describe('a dataDir beside what mnemos init made', () => {
  for (const how of ['chosen', 'made'] as const)
    it(`reports which folder it overrules, while the memory is empty (${how})`, async () => {
      const home = await tempDir('home')
      const own = await tempDir('own')
      const other = how === 'chosen' ? await tempDir('shared') : join(home, 'mnemos', 'default')
      note(other)
      if (how === 'chosen')
        await changeProfiles(nodeDisk, home, () => ({
          profiles: { default: { dataDir: other, chosen: other } },
        }))
      const told = new RegExp(`names ${own} and wins over .*${other}: what lies there is not in view`)
      expect(await start(home, own)).toMatch(told)
      expect((await status(own)).value.problems.join()).toMatch(told)
      note(own)
      expect(await start(home, own)).not.toMatch(/wins over/)
      const { value, text } = await status(own)
      expect(value.problems).toEqual([])
      expect(value.notes.join()).toMatch(told)
      expect(text).toMatch(told)
    })

  it('says nothing where there is only one folder', async () => {
    const home = await tempDir('home')
    const own = await tempDir('own')
    expect(await start(home, own)).not.toMatch(/wins over/)
    expect((await status(own)).value).toMatchObject({ problems: [], notes: [] })
  })
})
