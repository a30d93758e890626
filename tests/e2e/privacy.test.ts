/** What `mnemos init` says of session logs is so: newer hosts send them along, and the lines that it shows stop that. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PRIVACY } from '../../src/cli/model-work.ts'
import { startFakeModel } from '../support/fake-model.ts'
import { host02 } from '../support/hosts.ts'
import { tempDir } from '../support/temp.ts'

const host = await host02()
/** Lines of YAML are indented there. */
const PATCH = PRIVACY.flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : [])).join('\n')

describe.skipIf(host === undefined)('on 0.2.1-rc.2', () => {
  it('session logs and plugin names go along until the lines of mnemos init are in the profile', async () => {
    const home = await tempDir('home')
    const sent = async () => {
      const model = await startFakeModel()
      try {
        expect(await host?.run(['--profile', 'headless', 'hello'], { home, env: model.env })).toMatchObject({
          code: 0,
        })
        const body = JSON.stringify(model.requests.find(({ kind }) => kind === 'main')?.raw)
        return [body.includes('dsh_session_log'), body.includes('dsh_plugin_packages')]
      } finally {
        await model.close()
      }
    }
    expect(await sent()).toEqual([true, true])
    writeFileSync(join(home, 'profiles', 'headless', 'cordis.patch.yml'), `${PATCH}\n`)
    expect(await sent()).toEqual([false, false])
    const install = readFileSync(join(import.meta.dirname, '..', '..', 'INSTALL.md'), 'utf8')
    expect(install).toContain(`\`\`\`yaml\n${PATCH}\n\`\`\``)
  })
})
