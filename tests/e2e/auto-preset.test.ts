/** The preset of 0.2 that has a model judge each call: what a model allows, the person is asked all the same. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { startFakeModel } from '../support/fake-model.ts'
import { availableHosts, installPlugin } from '../support/hosts.ts'
import { tempDir } from '../support/temp.ts'

const PERSON_ROW = join(import.meta.dirname, '..', 'fixtures', 'person-row.js')
const hosts = (await availableHosts()).filter(({ name }) => name.startsWith('0.2'))

describe.each(hosts)('the preset auto of $name', ({ unpacked, ...host }) => {
  it('lets a save pass its judge, and the person decides', async () => {
    const home = await tempDir('home')
    await installPlugin({ ...host, unpacked }, home, 'headless', inject('tarball'))
    const file = join(home, 'mnemos/headless/user-memory/x.md')
    const seen: unknown[] = []
    for (const answer of ['rejected', 'allowed-once']) {
      const log = join(home, `${answer}.jsonl`)
      writeFileSync(log, '')
      const patch = join(home, 'auto.patch.yml')
      const rows = [
        { id: 'auto-review', name: '@deepseek-ai/dsh-experimental-auto-review' },
        {
          id: 'bench-person',
          name: pathToFileURL(PERSON_ROW).href,
          config: { answer, log, preset: 'auto' },
        },
      ]
      // JSON is YAML.
      writeFileSync(patch, JSON.stringify([{ insert: rows }]))
      let judged = 0
      const model = await startFakeModel(({ system, messages }) => {
        if (system.startsWith('REVIEW_POLICY')) {
          judged++
          return { text: '{"risk":"low","decision":"allow"}' }
        }
        const last = messages.at(-1)
        if (last?.role === 'tool') return { text: last.results[0]?.isError ? 'not saved' : 'saved' }
        const args = { mode: 'create', name: 'x', type: 'user', summary: 'judged by a model' }
        return { toolCalls: [{ name: 'memory_save', args }] }
      })
      try {
        const done = await unpacked.run(['--profile', 'headless', '--patch', patch, 'save it'], {
          home,
          env: model.env,
        })
        const asked = readFileSync(log, 'utf8').match(/memory_save/g)?.length ?? 0
        seen.push([answer, done.stdout.trim(), judged, asked, existsSync(file)])
      } finally {
        await model.close()
      }
    }
    expect(seen).toEqual([
      ['rejected', 'not saved', 1, 1, false],
      ['allowed-once', 'saved', 1, 1, true],
    ])
  })
})
