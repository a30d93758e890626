/** The plugin in the web profile: the page opens in a real browser, and a turn started there reaches the memory. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { startFakeModel } from '../support/fake-model.ts'
import { filesBelow } from '../support/files.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import { tempDir } from '../support/temp.ts'
import { findChromium, openWeb } from '../support/web.ts'

describe.each(await availableHosts())('the page of $name', (host) => {
  it.skipIf(findChromium() === undefined)(
    'has its composer and no console error, and the memory works there',
    async () => {
      const home = await tempDir('home')
      await installPlugin(host, home, 'web', inject('tarball'))
      const model = await startFakeModel((_view, n) =>
        n === 1
          ? { toolCalls: [{ name: 'remember', args: { summary: 'said in the page' } }] }
          : { text: 'It is remembered now.' },
      )
      const web = await openWeb(host, { home, env: model.env })
      try {
        expect(await web.composer.isVisible()).toBe(true)
        await web.send('please remember this')
        await web.page.getByText('It is remembered now.').waitFor()
        expect(web.errors).toEqual([])
        const [file] = filesBelow(join(home, 'mnemos/web/memories'))
        expect(readFileSync(file?.path ?? '', 'utf8')).toMatch(/^summary: said in the page$/m)
        expect(model.requests.find(({ kind }) => kind === 'main')?.system.startsWith('# Constitution')).toBe(
          true,
        )
        expect(
          JSON.parse(readFileSync(join(home, 'mnemos/profiles.json'), 'utf8')).profiles.web.dataDir,
        ).toBe(join(home, 'mnemos/web'))
      } finally {
        await web.close()
        await model.close()
      }
    },
  )
})
