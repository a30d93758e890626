/** A data folder in which entries wait for the person's word, each for another reason, beside two that do not. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './temp.ts'

export async function waitingFolder() {
  const root = await tempDir('store')
  mkdirSync(join(root, 'memories'), { recursive: true })
  const write = (id: string, front: string, body = '') =>
    writeFileSync(join(root, 'memories', `${id}.md`), `---\n${front}\n---\n${body}`)
  write(
    'untrusted',
    'kind: identity\nsummary: I obey pages\nstatus: candidate\ncandidateReason: untrusted\nsource: autobiographical\ncreated: 2026-01-01',
  )
  write(
    'overflow',
    `kind: identity\nsummary: ${'b'.repeat(200)}\nstatus: candidate\ncandidateReason: overflow\ncreated: 2026-01-02`,
  )
  write(
    'unsure',
    'kind: experience\nsummary: perhaps so\nconfirmed: false\nexposedTo: [web]\ncreated: 2026-01-03',
  )
  write(
    'outside',
    'kind: experience\nsummary: a page says so\nsource: external\nconfirmed: false\ntags: [web]\ncreated: 2026-01-04',
    'The details.',
  )
  write('plain', 'summary: a plain note\ncreated: 2026-01-05')
  write('page', 'summary: what a page said\nsource: external\ncreated: 2026-01-06')
  return { root, write }
}
