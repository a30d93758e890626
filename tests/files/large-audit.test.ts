import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { initialise, update } from '../../src/constitution/approve.ts'
import { AUDIT_LIMIT_BYTES, auditLine, newAuditEntry, readAudit } from '../../src/constitution/audit.ts'
import type { Home } from '../../src/constitution/constitution-files.ts'
import { openKey } from '../../src/constitution/seal.ts'
import { standing } from '../../src/constitution/standing.ts'
import { approvedHome, CHEAP, newHome, overwrite, PASSPHRASE } from '../support/constitution.ts'

const next = (text: string) => ({ text, language: 'en' as const })
const look = (home: Home) => {
  const { state, constitution, findings, reported } = standing(home, 'en')
  return {
    state,
    text: constitution.text,
    codes: findings.map(({ code }) => code),
    reported: reported.join(' '),
  }
}

describe('an audit of hundreds of approvals of the largest texts', () => {
  it('is sound, and a change of an old line is found', async () => {
    const home = await newHome()
    await initialise(home, next('0'.repeat(16_000)), PASSPHRASE, { cost: CHEAP })
    const pair = openKey(JSON.parse(readFileSync(home.layout.key, 'utf8')), PASSPHRASE)
    let text = '0'.repeat(16_000)
    let raw = readFileSync(home.layout.audit, 'utf8')
    for (let version = 2; version <= 400; version++) {
      const after = String(version % 10).repeat(16_000)
      const draft = {
        act: 'update' as const,
        version,
        at: '2026-01-01T00:00:00.000Z',
        language: 'en' as const,
      }
      const entry = newAuditEntry({ ...draft, before: text, text: after, restart: false }, pair)
      raw += `${auditLine(entry)}\n`
      text = after
    }
    overwrite(home.layout.audit, raw)
    expect(readAudit(home.disk, home.layout.audit)).toMatchObject({ fault: undefined, unreadable: false })
    // A changed word in an old line is found: the next line begins with the text that this one ends with.
    overwrite(home.layout.audit, raw.replace('"after":"3', '"after":"4'))
    expect(readAudit(home.disk, home.layout.audit).fault).toBe(
      'line 4 does not follow from the line before it',
    )
    // So is an old line that is left out, and one that is there twice.
    const all = raw.split('\n')
    overwrite(home.layout.audit, all.toSpliced(50, 1).join('\n'))
    expect(readAudit(home.disk, home.layout.audit).fault).toMatch(/^line 51 does not follow/)
    overwrite(home.layout.audit, all.toSpliced(50, 0, all[49] ?? '').join('\n'))
    expect(readAudit(home.disk, home.layout.audit).fault).toMatch(/^line 51 does not follow/)
    // An approval continues the audit.
    overwrite(home.layout.audit, raw)
    await update(home, next('Last.'), PASSPHRASE)
    expect(readAudit(home.disk, home.layout.audit).entries).toHaveLength(401)
  })
})

describe('an audit that is full', () => {
  it('is kept under another name, and the next approval begins a new one', async () => {
    const home = await approvedHome('Mine.')
    const pair = openKey(JSON.parse(readFileSync(home.layout.key, 'utf8')), PASSPHRASE)
    const draft = {
      act: 'update' as const,
      version: 2,
      at: '2026-01-01T00:00:00.000Z',
      language: 'en' as const,
    }
    const giant = {
      ...draft,
      before: 'x'.repeat(AUDIT_LIMIT_BYTES - 10_000),
      text: 'Second.',
      restart: true,
    }
    overwrite(home.layout.audit, `${auditLine(newAuditEntry(giant, pair))}\n`)
    expect(look(home).text).toBe('Second.')
    await update(home, next('Third.'), PASSPHRASE)
    expect(look(home)).toMatchObject({ state: 'approved', text: 'Third.', codes: [] })
    expect(readAudit(home.disk, home.layout.audit).entries).toMatchObject([{ version: 3, restart: true }])
    const [kept = ''] = readdirSync(dirname(home.layout.audit)).filter((name) =>
      name.startsWith('audit.full-'),
    )
    expect(statSync(join(dirname(home.layout.audit), kept)).size).toBeGreaterThan(AUDIT_LIMIT_BYTES - 10_000)
  })
})
