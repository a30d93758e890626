/** Case E25 of issue 11: whose files the doctor touches, and that status and doctor say the same. */
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { answerStatus } from '../../src/answers/status.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { openStore } from '../support/store.ts'

const person = personContext()
const modeOf = (path: string) => lstatSync(path).mode & 0o777

async function wideFolder(records: number): Promise<string> {
  const { store, root } = await openStore()
  for (let n = 0; n < records; n++)
    await store.commit(
      [{ act: 'create', record: { id: `note-${n}`, summary: `The lighthouse ${n}` } }],
      person,
    )
  store.close()
  for (const path of [
    root,
    join(root, 'memories'),
    join(root, 'memories', '2026'),
    join(root, 'memories', '2026', '11'),
  ])
    chmodSync(path, 0o755)
  for (let n = 0; n < records; n++) chmodSync(join(root, 'memories', '2026', '11', `note-${n}.md`), 0o644)
  return root
}

async function doctor(root: string, fix = false) {
  const { memory } = await openStore({ root })
  const machine = { disk: nodeDisk, dshHome: `${root}-home` }
  const answer = await answerDoctor({ memory, machine, profiles: [], looksAtProfiles: false, fix })
  memory.close()
  return answer
}

async function status(root: string) {
  const { memory } = await openStore({ root })
  const { problems } = await answerStatus({ ...memory, language: 'en' }, [])
  memory.close()
  return problems
}

describe.skipIf(process.platform === 'win32')('E25 permissions', () => {
  it('only our own files and folders are looked at and changed', async () => {
    const root = await wideFolder(2)
    const theirs = [
      'picture.png',
      'memories/2026/11/picture.png',
      'memories/attachments/scan.pdf',
      'notes/mine.md',
      'index/mine.txt',
    ]
    for (const path of theirs) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), 'mine')
      chmodSync(join(root, path), 0o644)
    }
    const folders = ['memories/attachments', 'notes']
    for (const path of folders) chmodSync(join(root, path), 0o755)
    const [found] = (await doctor(root)).findings.filter(({ code }) => code === 'PERMISSIONS')
    expect(found?.paths.filter((path) => [...theirs, ...folders].includes(path))).toEqual([])
    await doctor(root, true)
    expect(theirs.map((path) => modeOf(join(root, path)))).toEqual(theirs.map(() => 0o644))
    expect(folders.map((path) => modeOf(join(root, path)))).toEqual([0o755, 0o755])
    expect(modeOf(join(root, 'memories', '2026', '11', 'note-1.md'))).toBe(0o600)
    expect(modeOf(join(root, 'memories'))).toBe(0o700)
  })

  it('are one sentence with a count and a few names, and status says it as well', async () => {
    const root = await wideFolder(20)
    const sentences = (await doctor(root)).findings.map(({ sentence }) => sentence)
    const said = sentences.filter((sentence) => sentence.startsWith('Other users'))
    expect(said).toEqual([
      expect.stringMatching(
        /^Other users of this machine may get at the data folder itself, .*, .* and 21 more: /,
      ),
    ])
    expect(await status(root)).toEqual(said)
    expect((await doctor(root, true)).healthy).toBe(true)
    expect(await status(root)).toEqual([])
  })

  it('are no problem where nobody else gets at the folder', async () => {
    const root = await wideFolder(2)
    chmodSync(root, 0o700)
    expect((await doctor(root)).healthy).toBe(true)
    expect(await status(root)).toEqual([])
  })
})
