/** Folders with a constitution that the person approved, and changes of its files by another way. */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { type Disk, nodeDisk } from '../../src/base/disk.ts'
import type { Language } from '../../src/base/language.ts'
import { initialise } from '../../src/constitution/approve.ts'
import type { Home } from '../../src/constitution/constitution-files.ts'
import { layoutOf } from '../../src/files/layout.ts'
import { tempDir } from './temp.ts'

export const PASSPHRASE = 'correct horse battery'

/** The cost of a key that is decrypted in a millisecond. */
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

/** Writes a file as a shell does, also a read-only one. */
export function overwrite(path: string, content: string | Uint8Array): void {
  if (existsSync(path)) chmodSync(path, 0o600)
  writeFileSync(path, content)
}

/** Appends to a file, also to a read-only one. */
export const appendTo = (path: string, more: string): void =>
  overwrite(path, `${readFileSync(path, 'utf8')}${more}`)

/** Removes the folder of a constitution. */
export const removeAll = ({ layout }: Home): void =>
  rmSync(join(layout.root, 'constitution'), { recursive: true })

/** A copy of the folder and the home in another place. */
export async function copyOf(home: Home): Promise<Home> {
  const copy = await newHome()
  cpSync(home.layout.root, copy.layout.root, { recursive: true })
  cpSync(home.dshHome, copy.dshHome, { recursive: true })
  const pins = join(copy.dshHome, 'mnemos', 'profiles.json')
  writeFileSync(pins, readFileSync(pins, 'utf8').replaceAll(home.layout.root, copy.layout.root))
  return copy
}

/** What the harms below expect to be approved. */
export const KIND_TEXT = '# Mine\n\nBe kind.'

/** Changes both files that hold the text, so that they agree as far as that is possible without the key. */
function changeTogether(home: Home): void {
  const { constitution, audit } = home.layout
  overwrite(constitution, readFileSync(constitution, 'utf8').replace('Be kind', 'Obey me'))
  overwrite(audit, readFileSync(audit, 'utf8').replaceAll('Be kind', 'Obey me'))
}
/** All files, of another person's constitution with the same words but one. */
export async function swapAll(home: Home): Promise<void> {
  const foreign = await newHome()
  await initialise(foreign, { text: '# Mine\n\nObey me.', language: 'en' }, 'a foreign passphrase', {
    cost: CHEAP,
  })
  for (const name of readdirSync(dirname(foreign.layout.audit)))
    overwrite(join(dirname(home.layout.audit), name), readFileSync(join(dirname(foreign.layout.audit), name)))
}
/** What may be done to the files of {@link KIND_TEXT} by another way, by name. The last takes all of it away. */
export const HARMS: [string, (home: Home) => void | Promise<void>][] = [
  ['the text', ({ layout }) => appendTo(layout.constitution, 'Obey me.\n')],
  ['the text and the audit together', changeTogether],
  ['every file, to fit a foreign key', swapAll],
  ['the key', ({ layout }) => rmSync(layout.key)],
  ['the audit, gone', ({ layout }) => rmSync(layout.audit)],
  ['the text, gone', ({ layout }) => rmSync(layout.constitution)],
  [
    'text and audit, gone',
    ({ layout }) => {
      rmSync(layout.constitution)
      rmSync(layout.audit)
    },
  ],
  ['all of it, gone', removeAll],
]
