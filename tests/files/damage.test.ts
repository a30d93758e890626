/** Files that cannot be records: skipped, named with the reason, never rewritten, and in nobody's way. */
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../src/base/disk.ts'
import { reportedBy } from '../support/messages.ts'
import { openStore } from '../support/store.ts'
import { leavesAlone, openFolder, person } from './folder.ts'

const CJK = '水壶在八十度时鸣叫'
/** 水壶 in GBK, やかん in Shift-JIS. */
const GBK = Buffer.from([0xcb, 0xae, 0xba, 0xf8])
const SHIFT_JIS = Buffer.from([0x82, 0xe2, 0x82, 0xa9, 0x82, 0xf1])

/** What is skipped, and what is said of it. */
const SKIPPED: [string, string | Uint8Array, RegExp][] = [
  ['UTF-16 LE with its mark', Buffer.from(`\ufeff${CJK}`, 'utf16le'), /not UTF-8/],
  ['UTF-16 LE without a mark', Buffer.from('The kettle', 'utf16le'), /NUL/],
  ['UTF-16 BE', Buffer.from(`\ufeff${CJK}`, 'utf16le').swap16(), /not UTF-8/],
  ['GBK', GBK, /not UTF-8/],
  ['Shift-JIS', SHIFT_JIS, /not UTF-8/],
  ['Latin-1', Buffer.from('Der Wasserkessel hört auf', 'latin1'), /not UTF-8/],
  ['UTF-8 cut in the middle of a character', Buffer.from(CJK).subarray(0, 7), /not UTF-8/],
  ['a NUL byte', 'The ket\0tle', /NUL/],
  ['0 bytes', '', /empty/],
  ['white space only', ' \n\t\n', /no text/],
  ['1 MiB and one byte', 'a'.repeat(2 ** 20 + 1), /larger than 1048576/],
  ['front matter that is not closed', '---\nsummary: half a fi', /not closed/],
  ['front matter that is a list', '---\n[a,\nkind: b]\n---\ntext\n', /not a list of/],
  ['broken YAML', '---\nsummary: [kettle\n---\n', /YAML/],
  ['a key twice', '---\nsummary: a\nsummary: b\n---\n', /YAML/],
  ['a tab as indentation', '---\ntags:\n\t- a\n---\ntext\n', /YAML/],
  ['an alias without an anchor', '---\nsummary: *nobody\n---\n', /YAML/],
  ['a bomb of aliases', `---\n${bomb()}\n---\ntext\n`, /YAML/],
  [
    'git conflict marks in the front matter',
    '---\n<<<<<<< HEAD\nsummary: a\n=======\nsummary: b\n>>>>>>> x\n---\n',
    /YAML|not a list/,
  ],
  ['front matter with nothing in it and no text', '---\n---\n', /neither a summary/],
]

function bomb(): string {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [name, from] of ['ba', 'cb', 'dc', 'ed'].map((pair) => [...pair]))
    lines.push(`${name}: &${name} [${Array(9).fill(`*${from}`).join(', ')}]`)
  return lines.join('\n')
}

describe('a file with', () => {
  it.each(SKIPPED)('%s is skipped and named', async (_, bytes, reason) => {
    const folder = await openFolder()
    folder.put('good.md', 'The kettle whistles\n')
    folder.put('deep/bad.md', bytes)
    const after = await leavesAlone(folder)
    expect(await after.skipped()).toEqual({ 'deep/bad.md': expect.stringMatching(reason) })
    expect(reportedBy(after.store)).toEqual([expect.stringContaining('deep/bad.md')])
    expect(await after.found('kettle')).toEqual(['good'])
    // Repaired by hand it is a record, and no longer named.
    after.put('deep/bad.md', 'The other kettle\n')
    expect(await after.found('kettle')).toEqual(['bad', 'good'])
    expect(reportedBy(after.store)).toEqual([])
  })

  it.each([
    ['a byte order mark', `\ufeff${CJK} kettle`],
    ['Windows line ends', 'The kettle\r\nwhistles\r\n'],
    ['old Mac line ends', 'The kettle\rwhistles\r'],
    ['a revision that is a word', '---\nsummary: kettle\nrev: many\n---\n'],
    ['a status that there is not', '---\nsummary: kettle\nstatus: lost\n---\n'],
    ['a date that is none', '---\nsummary: kettle\ncreated: soon\n---\n'],
  ])('%s is a record as it is, and left so', async (_, bytes) => {
    const folder = await openFolder()
    folder.put('deep/other.md', bytes)
    const after = await leavesAlone(folder)
    expect(await after.skipped()).toEqual({})
    expect(await after.found('kettle')).toEqual(['other'])
    expect((await after.store.get('other')).record.status).toBe('active')
  })

  it('exactly 1 MiB is a record', async () => {
    const folder = await openFolder()
    folder.put('kettle.md', `The kettle whistles\n${'a'.repeat(2 ** 20 - 20)}`)
    const after = await leavesAlone(folder)
    expect(await after.skipped()).toEqual({})
    expect((await after.store.get('kettle')).record.summary).toBe('The kettle whistles')
  })
})

describe('something that is no regular file of its own:', () => {
  it('a symbolic link, one into nowhere, a hard link, a pipe, a socket, a folder called x.md', async () => {
    const folder = await openFolder()
    folder.put('good.md', 'The kettle whistles\n')
    const outside = join(folder.root, 'outside.txt')
    writeFileSync(outside, 'The kettle outside\n')
    symlinkSync(outside, folder.at('link.md'))
    symlinkSync('/nowhere', folder.at('dangling.md'))
    linkSync(outside, folder.at('hard.md'))
    execFileSync('mkfifo', [folder.at('pipe.md')])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(folder.at('socket.md'), resolve))
    folder.put('folder.md/inside.md', 'The kettle in a folder\n')
    const after = await leavesAlone(folder)
    expect(await after.skipped()).toEqual({
      'link.md': expect.stringContaining('symbolic link'),
      'dangling.md': expect.stringContaining('symbolic link'),
      'hard.md': expect.stringContaining('hard link'),
      'pipe.md': expect.stringContaining('not a regular file'),
      'socket.md': expect.stringContaining('not a regular file'),
    })
    expect(await after.found('kettle')).toEqual(['good', 'inside'])
    expect((await after.store.counts()).total).toBe(3)
    await new Promise((resolve) => server.close(resolve))
  })

  it('a link to a folder that is read anyway is not followed, a loop neither', async () => {
    const folder = await openFolder()
    folder.put('real/kettle.md', 'The kettle whistles\n')
    symlinkSync(folder.memories, folder.at('real/loop'))
    symlinkSync(folder.at('real'), folder.at('again'))
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual(['kettle'])
    expect(reportedBy(after.store)).toEqual([])
  })
})

describe('a file or folder that may not be read', () => {
  /** As root every file may be read, so the disk is made to refuse. */
  const refusing = (name: string) => {
    const refuse = (path: string) => {
      if (path.endsWith(name)) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    }
    return {
      ...nodeDisk,
      read: (path: string, limit?: number) => {
        refuse(path)
        return nodeDisk.read(path, limit)
      },
      list: (path: string) => {
        refuse(path)
        return nodeDisk.list(path)
      },
    }
  }

  it.each(['secret.md', 'secret'])('%s is named, and everything else goes on, writing too', async (name) => {
    const folder = await openFolder()
    folder.put('good.md', 'The kettle whistles\n')
    folder.put('secret.md', 'The secret kettle\n')
    folder.put('secret/inside.md', 'The kettle inside\n')
    folder.store.close()
    const { store } = await openStore({ root: folder.root, disk: refusing(name) })
    expect(store.bad()).toEqual([
      { path: name, fault: { code: 'UNREADABLE', system: 'EACCES', reason: 'EACCES: permission denied' } },
    ])
    const { warnings } = await store.commit([{ act: 'create', record: { summary: 'written' } }], person)
    expect(warnings).toEqual([])
    expect((await store.get('good')).record.summary).toContain('kettle')
    store.close()
  })
})

describe('what is none of our business', () => {
  it.each([
    '.kettle.md',
    'kettle.md~',
    'kettle.md.bak',
    '.kettle.md.swp',
    '4913',
    '#kettle.md#',
    'kettle.txt',
    'kettle.MD',
    '.obsidian/kettle.md',
    '.git/kettle.md',
    'Thumbs.db',
    '.DS_Store',
  ])('%s is ignored without a word', async (path) => {
    const folder = await openFolder()
    folder.put(path, 'The kettle\0 whistles\r\n')
    const after = await leavesAlone(folder)
    expect(reportedBy(after.store)).toEqual([])
    expect(await after.found('kettle')).toEqual([])
    expect((await after.store.counts()).total).toBe(1)
  })
})

describe('places and names', () => {
  it.each([
    ['40 folders deep', `${'deep/'.repeat(40)}kettle.md`, 'kettle'],
    ['64 characters', `${'k'.repeat(64)}.md`, 'k'.repeat(64)],
    ['64 characters beyond the 16-bit plane', `${'𠀀'.repeat(60)}.md`, '𠀀'.repeat(60)],
    ['Arabic', 'إبريق.md', 'إبريق'],
    ['Hebrew', 'קומקום.md', 'קומקום'],
    ['Devanagari with vowel signs', 'केतली.md', 'केतली'],
    ['Chinese', '水壶.md', '水壶'],
    ['digits only', '2026.md', '2026'],
    ['composed accents (NFC)', 'caf\u00e9.md', 'caf\u00e9'],
    ['decomposed accents (NFD)', 'cafe\u0301.md', 'caf\u00e9'],
  ])('%s: is a record, found and opened by its id', async (_, path, id) => {
    const folder = await openFolder()
    folder.put(path, 'The kettle whistles\n')
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([id])
    expect((await after.store.get(id)).file).toBe(after.at(path))
    expect((await after.store.get(id.normalize('NFD'))).record.id).toBe(id)
  })

  it.each([
    ['65 characters', `${'k'.repeat(65)}.md`, 'k'.repeat(64)],
    ['a space', 'my kettle.md', 'my-kettle'],
    ['an emoji', '🫖.md', '-'],
    ['a dot', 'kettle.v2.md', 'kettle-v2'],
    ['a bracket and a quote', 'ket"tle(.md', 'ket-tle-'],
    ['a control character', 'ket\u0007tle.md', 'ket-tle'],
    ['a right-to-left override', 'ket\u202etle.md', 'ket-tle'],
  ])('%s in the name: the id has a "-" for it, unless the front matter names one', async (_, path, id) => {
    const folder = await openFolder()
    folder.put(path, 'The kettle whistles\n')
    const after = await leavesAlone(folder)
    expect(await after.found('kettle')).toEqual([id])
    expect(await after.skipped()).toEqual({})
    after.put(path, '---\nid: kettle\n---\nThe kettle whistles\n')
    expect(await after.found('kettle')).toEqual(['kettle'])
    expect(await after.skipped()).toEqual({})
  })

  it('the same name composed and decomposed is one record in two files, and named', async () => {
    const folder = await openFolder()
    folder.put('caf\u00e9.md', 'The kettle whistles\n', new Date('2026-01-01'))
    folder.put('cafe\u0301.md', 'The kettle whistles loudly\n', new Date('2026-01-02'))
    const after = await leavesAlone(folder)
    expect((await after.store.get('caf\u00e9')).record.summary).toBe('The kettle whistles loudly')
    expect(reportedBy(after.store)).toEqual([expect.stringContaining('in several files')])
  })

  it('an empty folder, and one that another program left without rights to others, change nothing', async () => {
    const folder = await openFolder()
    mkdirSync(folder.at('empty/empty'), { recursive: true })
    const after = await leavesAlone(folder)
    expect(reportedBy(after.store)).toEqual([])
  })
})
