/** The export holds every record to the byte, and lies where nothing of it is forgotten. */
import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exportCommand } from '../../../src/cli/export.ts'
import { inProcess } from '../../support/cli.ts'
import { filesBelow } from '../../support/files.ts'
import { tempDir } from '../../support/temp.ts'

const FILES: Record<string, string> = {
  'plain.md': 'A plain note 中文 \u2028 with a separator\n',
  'sub/front.md': '---\n# mine\nmood: [cheerful]\nsummary: with a key of mine\n---\n\n\nBody  \n\n',
  'a.md': '---\nid: twin\nrev: 2\n---\nthe newer',
  'b.md': '---\nid: twin\n---\nthe older',
}

let reported = ''
let printed: Buffer[] = []
beforeEach(() => {
  reported = ''
  printed = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    reported += text
    return true
  })
  vi.spyOn(process.stdout, 'write').mockImplementation((bytes) => {
    printed.push(Buffer.from(bytes))
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

async function withFiles() {
  const root = await tempDir('store')
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(root, 'memories', name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
    utimesSync(file, new Date('2026-01-01T10:00:00.123Z'), new Date('2026-01-01T10:00:00.123Z'))
  }
  writeFileSync(join(root, 'memories', 'broken.md'), '---\n')
  return { root, cli: await inProcess(root), out: await tempDir('out') }
}
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('mnemos export', () => {
  it('holds what every file needs to be made again, and every field with unknown keys', async () => {
    const { cli, out } = await withFiles()
    const file = join(out, 'all.jsonl')
    await exportCommand(cli.session, file)
    const [header, ...lines] = linesOf(readFileSync(file, 'utf8'))
    expect(header).toEqual({ mnemos: 1, exported: expect.stringMatching(/Z$/), records: 4 })
    expect(Object.fromEntries(lines.map(({ path, text }) => [path, text]))).toEqual(FILES)
    expect(lines.map(({ modified }) => modified)).toEqual(Array(4).fill('2026-01-01T10:00:00.123Z'))
    expect(lines.filter(({ copy }) => copy).map(({ path }) => path)).toEqual(['b.md'])
    expect(lines.find(({ path }) => path === 'sub/front.md').record).toMatchObject({
      id: 'front',
      summary: 'with a key of mine',
      mood: ['cheerful'],
      content: '\nBody  \n',
      status: 'active',
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(filesBelow(out)).toHaveLength(1)
    expect(reported).toMatch(/^mnemos: One file is no record and not in the export: memories\/broken\.md/)
    expect(printed).toEqual([])
  })

  it('goes to stdout and nothing else does', async () => {
    const { cli } = await withFiles()
    await exportCommand(cli.session, undefined)
    expect(linesOf(Buffer.concat(printed).toString())).toHaveLength(5)
  })

  it('refuses the data folder, also by another name, and any file that is no export', async () => {
    const { root, cli, out } = await withFiles()
    symlinkSync(join(root, 'memories'), join(out, 'link'))
    for (const file of [
      join(root, 'x.jsonl'),
      join(root, 'memories', 'x.jsonl'),
      join(out, 'link', 'x.jsonl'),
    ])
      await expect(exportCommand(cli.session, file)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(filesBelow(root).filter(({ path }) => path.endsWith('x.jsonl'))).toEqual([])
    const diary = join(out, 'diary.txt')
    writeFileSync(diary, 'my diary\n')
    await expect(exportCommand(cli.session, diary)).rejects.toThrow('is no export of Mnemos')
    expect(readFileSync(diary, 'utf8')).toBe('my diary\n')
    await expect(exportCommand(cli.session, join(out, 'none', 'x.jsonl'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('takes the place of an earlier export', async () => {
    const { root, cli, out } = await withFiles()
    const file = join(out, 'all.jsonl')
    await exportCommand(cli.session, file)
    writeFileSync(join(root, 'memories', 'new.md'), 'one more')
    await exportCommand(cli.session, file)
    expect(linesOf(readFileSync(file, 'utf8'))[0].records).toBe(5)
  })
})
