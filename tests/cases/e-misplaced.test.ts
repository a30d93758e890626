/** Case E25 of issue 11: something else stands in a place of the data folder's own. It is reported, kept, and made room. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { explained } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { filesBelow } from '../support/files.ts'
import { reportedBy } from '../support/messages.ts'
import { openStore, type TestStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const remember = ({ store }: Pick<TestStore, 'store'>, id: string, summary: string) =>
  store.commit([{ act: 'create', record: { id, summary } }], person)

async function withRecords(): Promise<string> {
  const opened = await openStore()
  await remember(opened, 'kettle', 'The kettle is blue')
  await remember(opened, 'lamp', 'The lamp is green')
  await opened.store.delete('lamp', person)
  opened.store.noteOpened('kettle', person)
  opened.store.close()
  return opened.root
}

async function doctor(root: string, fix = false) {
  const { memory } = await openStore({ root })
  const machine = { disk: nodeDisk, dshHome: `${root}-home` }
  const answer = await answerDoctor({ memory, machine, profiles: [], looksAtProfiles: false, fix })
  memory.close()
  return answer
}

const FILES = [
  'tombstones.jsonl',
  'workspaces.json',
  '.intent',
  'ledger/2026-11.jsonl',
  'usage/2026-11.jsonl',
  'index/index.sqlite',
]
const FOLDERS = ['ledger', 'usage', 'pending', 'index']
const KINDS = [
  'a folder',
  'a full folder',
  'a file',
  'a pipe',
  'a dangling link',
  'a link to a file',
  'a link to a folder',
] as const
type Kind = (typeof KINDS)[number]

/** What the plant outside was before: nothing of it may change. */
function plant(kind: Kind, path: string, outside: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  mkdirSync(join(outside, 'folder'), { recursive: true })
  writeFileSync(join(outside, 'file'), 'precious')
  writeFileSync(join(outside, 'folder', 'inner.md'), 'precious')
  if (kind === 'a file') writeFileSync(path, 'mine')
  else if (kind === 'a folder') mkdirSync(path)
  else if (kind === 'a full folder') {
    mkdirSync(path)
    writeFileSync(join(path, 'inner.txt'), 'mine')
  } else if (kind === 'a pipe') spawnSync('mkfifo', [path])
  else {
    const target = {
      'a dangling link': 'nothing',
      'a link to a file': 'file',
      'a link to a folder': 'folder',
    }[kind]
    symlinkSync(join(outside, target), path)
  }
}

const kindAt = (path: string): string => {
  const stats = lstatSync(path)
  return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
}

describe.runIf(process.platform === 'linux')('E25 doctor --fix', () => {
  it.each([
    ...FILES.map((place) => [place, KINDS.filter((kind) => kind !== 'a file')] as const),
    ...FOLDERS.map(
      (place) => [place, KINDS.filter((kind) => !['a folder', 'a full folder'].includes(kind))] as const,
    ),
  ])('keeps what stands in the place of %s under another name, and all works again', async (place, kinds) => {
    for (const kind of kinds) {
      const root = await withRecords()
      const outside = await tempDir('outside')
      const path = join(root, place)
      plant(kind, path, outside)
      const planted = kindAt(path)
      const [first] = (await doctor(root)).findings.filter(({ code }) => code === 'MISPLACED')
      expect(first, `${kind} at ${place}`).toMatchObject({ paths: [place], fixable: true })
      expect(first?.sentence).toContain(`should be`)
      const { repaired, findings, healthy } = await doctor(root, true)
      const done = repaired.find(({ code }) => code === 'MISPLACED')
      expect(repaired.filter(({ failed }) => failed !== undefined)).toEqual([])
      expect([kind, healthy, findings.map(({ sentence }) => sentence)]).toEqual([
        kind,
        true,
        expect.anything(),
      ])
      const kept = join(root, done?.kept ?? '')
      expect(kindAt(kept)).toBe(planted)
      if (planted === 'file') expect(readFileSync(kept, 'utf8')).toBe('mine')
      if (kind === 'a full folder') expect(readFileSync(join(kept, 'inner.txt'), 'utf8')).toBe('mine')
      const again = await openStore({ root })
      await remember(again, 'chair', 'The chair is red')
      expect((await again.store.delete('chair', person)).left).toEqual([])
      expect(reportedBy(again.store)).toEqual([])
      again.store.close()
      expect(filesBelow(outside).map(({ bytes }) => bytes.toString())).toEqual(['precious', 'precious'])
    }
  })

  it.each(['version', '.lock', 'constitution'])(
    'names what stands in the place of %s, and leaves it to the person',
    async (place) => {
      for (const kind of ['a pipe', 'a dangling link', 'a link to a file'] as const) {
        const root = await withRecords()
        plant(kind, join(root, place), await tempDir('outside'))
        const { findings } = await doctor(root)
        expect(findings).toContainEqual(
          expect.objectContaining({ code: 'MISPLACED', paths: [place], fixable: false }),
        )
        await doctor(root, true).catch((error: unknown) =>
          expect(String(explained(error))).toContain('Look at what it is, and move it away.'),
        )
        expect(existsSync(join(root, place)) || kindAt(join(root, place)) === 'link').toBe(true)
      }
    },
  )
})

describe('E25 a link in the place of a folder', () => {
  it('pending is reported before anything needs it', async () => {
    const root = await withRecords()
    rmSync(join(root, 'pending'), { recursive: true, force: true })
    symlinkSync(await tempDir('outside'), join(root, 'pending'))
    const { store } = await openStore({ root })
    expect(reportedBy(store)).toEqual([
      expect.stringMatching(/^A symbolic link stands where the folder pending should be: .*mnemos doctor$/),
    ])
    store.close()
  })

  it.each(['memories', 'memories/2026'])('%s that leads nowhere is named, with what to do', async (place) => {
    const root = await withRecords()
    rmSync(join(root, place), { recursive: true })
    symlinkSync(join(root, 'nothing'), join(root, place))
    const opened = await openStore({ root })
    const remedy = 'Mount the disk that the link leads to, or put a folder in its place.'
    expect(reportedBy(opened.store)).toEqual([
      `${place} (it is no folder, or a link that leads to none): what lies there is neither shown nor forgotten. ${remedy}`,
    ])
    await expect(remember(opened, 'chair', 'The chair is red')).rejects.toMatchObject({
      problem: `${place} is no folder, or a link that leads nowhere; nothing was changed.`,
      remedy: expect.stringContaining('Mount the disk'),
    })
    opened.store.close()
    expect((await doctor(root)).findings[0]).toMatchObject({ code: 'UNREAD_FOLDER', paths: [place], remedy })
    expect(readdirSync(root)).toContain('memories')
  })

  it.each(['memories/2026', 'memories/2026/11'])(
    '%s that is a file is named by the write that needs it',
    async (place) => {
      const root = await withRecords()
      plant('a file', join(root, place), await tempDir('outside'))
      const opened = await openStore({ root })
      await expect(remember(opened, 'chair', 'The chair is red')).rejects.toMatchObject({
        problem: `${place} is no folder, or a link that leads nowhere; nothing was changed.`,
      })
      opened.store.close()
    },
  )

  it('the index is derived, and a deletion removes no link in its place', async () => {
    const root = await withRecords()
    const path = join(root, 'index', 'index.sqlite')
    plant('a link to a file', path, await tempDir('outside'))
    const { store } = await openStore({ root })
    await store.delete('kettle', person)
    store.close()
    expect(kindAt(path)).toBe('link')
  })
})
