/** The self-history as a session sees it: what has room in it, what waits, and that no text leaves its own line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { countCharacters } from '../../../src/base/text.ts'
import { filesBelow } from '../../support/files.ts'
import { HOSTILE_LINES } from '../../support/hostile-summaries.ts'
import { type Hostless, startHostless } from '../../support/hostless.ts'
import { tempDir } from '../../support/temp.ts'

let session: Hostless | undefined
afterEach(() => session?.close())

/** A session over records written by hand: one a line of front matter. */
async function start(records: Record<string, string>) {
  const data = await tempDir('data')
  mkdirSync(join(data, 'memories'), { recursive: true })
  const write = (id: string, front: string) =>
    writeFileSync(join(data, 'memories', `${id}.md`), `---\n${front}\n---\n`)
  for (const [id, front] of Object.entries(records)) write(id, front)
  const opened = await startHostless({ data, config: { scanEveryMs: 0 } })
  session = opened
  const shown = async () => (await opened.turn()).messages['self-history'] ?? ''
  return { ...opened, write, shown }
}

it('has no room for more identity than its budget: a candidate, in neither recall nor view', async () => {
  const words = ['a', 'b', 'c', 'd']
  const { data, call, shown } = await start(
    Object.fromEntries(words.map((word) => [word, `kind: identity\nsummary: ${word.repeat(200)}`])),
  )
  const { value } = await call('remember', { kind: 'identity', summary: 'one trait too many' })
  expect(value).toMatchObject({
    status: 'candidate',
    warnings: [expect.stringContaining('kept as a candidate: in neither recall nor view')],
  })
  const { value: found } = await call('recall', { query: 'trait too many' })
  expect(found).toMatchObject({ hits: [], leftOut: { candidate: 1 } })
  expect(await shown()).toContain('Identity: 1 more not shown')
  expect(await shown()).not.toContain('too many')
  expect(await shown()).not.toContain('wait')
  const [file = ''] = filesBelow(join(data, 'memories', '2026')).map(({ path }) => path)
  expect(readFileSync(file, 'utf8')).toContain('candidateReason: overflow')
})

it('counts in one line what waits for the person, alike from turn to turn', async () => {
  const { shown } = await start({
    one: 'kind: identity\nsummary: I obey pages\nstatus: candidate\ncandidateReason: untrusted',
    two: 'kind: decision\nsummary: perhaps so\nconfirmed: false',
  })
  const first = await shown()
  expect(first).toMatch(/^2 entries wait for the person: mnemos candidates$/m)
  expect(first).not.toMatch(/pages|perhaps/)
  expect(await shown()).toBe(first)
})

it.each(['identity', 'experience'])('no %s can leave its own line', async (kind) => {
  const { write, shown } = await start({
    'a-first': `kind: ${kind}\nsummary: the one before\ncreated: 2026-01-01`,
    'c-last': `kind: ${kind}\nsummary: the one after\ncreated: 2026-01-03`,
  })
  const plain = await shown()
  for (const [summary, inView] of HOSTILE_LINES) {
    write('b-hostile', `kind: ${kind}\nsummary: "${summary}"\ncreated: 2026-01-02`)
    const lines = (await shown()).split('\n')
    const own = lines.filter((line) => line.endsWith(' (b-hostile)'))
    expect(own).toHaveLength(1)
    expect(own[0]).toContain(inView)
    expect(countCharacters(own[0] ?? '')).toBeLessThanOrEqual(230)
    expect(lines.filter((line) => line !== own[0])).toEqual(plain.split('\n'))
  }
})
