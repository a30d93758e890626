/** Every command that a document or a sentence names is there, with the options that stand beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/program.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const program = commands(() => {})

const filesBelow = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name))

const DOCUMENTS = ['README.md', 'README.zh.md', 'INSTALL.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')]

/** `mnemos` and the words behind it, as far as they can be those of a call. */
const CALL = /\bmnemos((?: (?:--?[a-z][a-z-]*|(?!mnemos\b)[a-z][a-z-]*|<[^>\s]*>|\$\{[^}]*\}))+)/g

interface Call {
  words: string[]
  /** The command or option that is not there, or what the command requires. */
  missing: string[]
}

/** What begins like a call and is none: the program about itself, and a text that is signed. */
const NO_CALL = /^(?:needs|\$\{|constitution text|--help)/

/** @param isWhole whether all that a command requires must be there. */
function callIn(words: string[], isWhole = false): Call {
  let command = program
  let given = 0
  const missing: string[] = []
  const options: string[] = []
  for (const word of words) {
    const known = [...command.options, ...program.options]
    if (word.startsWith('-')) {
      options.push(word)
      if (!known.some(({ long, short }) => word === long || word === short)) missing.push(word)
    } else if (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === word)
      if (!next) return { words, missing: [...missing, word] }
      command = next
    } else given++
  }
  if (isWhole && given < command.registeredArguments.filter(({ required }) => required).length)
    missing.push(command.usage())
  if (isWhole)
    for (const { mandatory, long } of command.options)
      if (mandatory && long && !options.includes(long)) missing.push(long)
  return { words, missing }
}

const callsIn = (text: string, isWhole: boolean): Call[] =>
  [...text.matchAll(CALL)].flatMap(([, words = '']) =>
    NO_CALL.test(words.trim()) ? [] : [callIn(words.trim().split(' '), isWhole)],
  )

const COMMENT = /^[ \t]*(?:\/\*\*|\*|\/\/).*$/gm

/** Of a call that lacks something a line. Of what the program says, a person copies the whole. */
function wrongIn(path: string): string[] {
  const isSource = path.endsWith('.ts')
  const text = readFileSync(join(root, path), 'utf8')
  return callsIn(isSource ? text.replace(COMMENT, '') : text.replace(/\n(?!\n)/g, ' '), isSource)
    .filter(({ missing }) => missing.length > 0)
    .map(({ words, missing }) => `${path}: mnemos ${words.join(' ')}: ${missing.join(', ')}`)
}

describe('F31 every command that is named is there', () => {
  it('F31 in the documents', () => {
    expect(DOCUMENTS.flatMap(wrongIn)).toEqual([])
  })

  it('F31 in what the program says', () => {
    expect(filesBelow('src', '.ts').flatMap(wrongIn)).toEqual([])
  })

  it('F31 the list of the README and the table of INSTALL name all there are', () => {
    const leaves = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((one) => `${command.name()} ${one.name()}`),
    )
    const table = [...readFileSync(join(root, 'INSTALL.md'), 'utf8').matchAll(/^\| (`.*?) \|/gm)].map(
      ([, cell = '']) => cell,
    )
    for (const leaf of leaves) {
      const [first = '', second] = leaf.split(' ')
      const row = table.find(
        (cell) => cell.includes(`\`${first}`) && (second === undefined || cell.includes(second)),
      )
      expect([leaf, row !== undefined]).toEqual([leaf, true])
    }
    for (const page of ['README.md', 'README.zh.md']) {
      const [, list = ''] = /`mnemos (init \|[^`]*)`/.exec(readFileSync(join(root, page), 'utf8')) ?? []
      const named = list.split('|').map((one) => one.trim().replace(/\s+/g, ' '))
      for (const name of named)
        expect([page, name, callIn(name.split(' ')).missing]).toEqual([page, name, []])
      for (const leaf of leaves)
        expect([page, leaf, named.some((name) => leaf === name || leaf.startsWith(`${name} `))]).toEqual([
          page,
          leaf,
          true,
        ])
    }
  })
})
