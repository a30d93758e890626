/** Folders with a constitution that the person approved, and what other hands do to its files. */
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import { initialise } from '../../src/constitution/approve.ts'
import type { Language } from '../../src/constitution/constitution.ts'
import type { Home } from '../../src/constitution/constitution-files.ts'
import { layoutOf } from '../../src/files/layout.ts'
import { tempDir } from './temp.ts'

export const PASSPHRASE = 'correct horse battery'

/** A key that opens in a millisecond. */
export const CHEAP = { N: 16, r: 1, p: 1 }

export async function newHome(options: { root?: string; dshHome?: string; disk?: Disk } = {}): Promise<Home> {
  return {
    disk: options.disk ?? nodeDisk,
    layout: layoutOf(options.root ?? (await tempDir('data'))),
    dshHome: options.dshHome ?? (await tempDir('home')),
    now: () => Date.now(),
  }
}

/** A folder whose person approved this text on this machine. */
export async function approvedHome(text: string, language: Language = 'en'): Promise<Home> {
  const home = await newHome()
  await initialise(home, { text, language }, PASSPHRASE, { cost: CHEAP })
  return home
}

/** What a tool with a shell does, read-only or not. */
export function overwrite(path: string, content: string | Uint8Array): void {
  if (existsSync(path)) chmodSync(path, 0o600)
  writeFileSync(path, content)
}

export const appendTo = (path: string, more: string): void =>
  overwrite(path, `${readFileSync(path, 'utf8')}${more}`)

export const removeAll = ({ layout }: Home): void =>
  rmSync(join(layout.root, 'constitution'), { recursive: true })

/** The same folder and home in another place, as quickly as files are copied. */
export async function copyOf(home: Home): Promise<Home> {
  const copy = await newHome()
  cpSync(home.layout.root, copy.layout.root, { recursive: true })
  cpSync(home.dshHome, copy.dshHome, { recursive: true })
  const pins = join(copy.dshHome, 'mnemos', 'profiles.json')
  writeFileSync(pins, readFileSync(pins, 'utf8').replaceAll(home.layout.root, copy.layout.root))
  return copy
}
