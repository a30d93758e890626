/** The constitution of a running host goes forward with approvals, and never back. */
import { cpSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { update } from '../../../src/constitution/approve.ts'
import { ConstitutionKeeper } from '../../../src/constitution/keeper.ts'
import { approvedHome, PASSPHRASE } from '../../support/constitution.ts'

const next = (text: string) => ({ text, language: 'en' as const })

it('a version before, put back with everything that belongs to it, is reported and not taken', async () => {
  const home = await approvedHome('First.')
  const before = [home.layout.root, home.dshHome].map((folder) => [folder, `${folder}-before`] as const)
  for (const [folder, copy] of before) cpSync(folder, copy, { recursive: true })
  await update(home, next('Second.'), PASSPHRASE)
  const keeper = new ConstitutionKeeper(home, 'en')
  await update(home, next('Third.'), PASSPHRASE)
  keeper.refresh()
  expect(keeper.constitution.text).toBe('Third.')
  for (const [folder, copy] of before) {
    rmSync(folder, { recursive: true })
    cpSync(copy, folder, { recursive: true })
    rmSync(copy, { recursive: true })
  }
  keeper.refresh()
  expect(keeper.constitution.text).toBe('Third.')
  // A new start goes by what lies there: that the folder was put back as a whole cannot be told from it.
  expect(new ConstitutionKeeper(home, 'en').constitution.text).toBe('First.')
})
