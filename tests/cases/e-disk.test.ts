/** Part E of issue 11: what a disk does that refuses, forgets, or holds what somebody else put there. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerDoctor } from '../../src/answers/doctor.ts'
import { diskOver, nodeDisk } from '../../src/base/disk.ts'
import { MnemosError } from '../../src/base/errors.ts'
import { placesOn } from '../../src/base/place.ts'
import { nodeCalls } from '../../src/base/system-calls.ts'
import { initialise } from '../../src/constitution/approve.ts'
import { examine } from '../../src/doctor/examine.ts'
import { noteProfile } from '../../src/files/profiles.ts'
import { explained } from '../../src/messages/messages.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { type SeenCall, systemError, watchedCalls } from '../support/calls.ts'
import { CHEAP, PASSPHRASE } from '../support/constitution.ts'
import { reportedBy } from '../support/messages.ts'
import { ACTS, replay } from '../support/replay.ts'
import { openStore, type TestStore } from '../support/store.ts'
import { tempDir } from '../support/temp.ts'

const person = personContext()
const found = async ({ store }: Pick<TestStore, 'store'>, words: string) =>
  (await store.recall({ queries: [words], scope: {}, limit: 20, include: [] })).hits.map(
    ({ record }) => record.id,
  )

/** A data folder with a few records of a person's own. */
async function folderWith(texts: Record<string, string>): Promise<string> {
  const root = await tempDir('disk')
  mkdirSync(join(root, 'memories'), { recursive: true })
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, 'memories', `${name}.md`), text)
  return root
}

describe('E23 a reading that fails once', () => {
  const failing = (code: string, name: SeenCall['name']) => {
    let isBroken = true
    const disk = diskOver(
      watchedCalls((call) =>
        isBroken && call.name === name && call.path.endsWith('kettle.md') ? code : undefined,
      ),
    )
    return { disk, repair: () => (isBroken = false) }
  }

  it.each([
    ['EIO', 'open'],
    ['EMFILE', 'open'],
    ['EACCES', 'open'],
    ['EIO', 'read'],
    ['EIO', 'lstat'],
    ['EIO', 'stats'],
  ] as const)('%s by %s hides the record no longer than it lasts', async (code, name) => {
    const root = await folderWith({ kettle: 'The kettle is blue', lamp: 'The lamp is green' })
    const { disk, repair } = failing(code, name)
    const first = await openStore({ root, disk })
    expect(await found(first, 'kettle lamp')).toEqual(['lamp'])
    expect(reportedBy(first.store).join(' ')).toContain(code)
    repair()
    expect((await found(first, 'kettle lamp')).sort()).toEqual(['kettle', 'lamp'])
    expect(reportedBy(first.store)).toEqual([])
    first.store.close()
  })

  it('is no property of the file in the next process either', async () => {
    const root = await folderWith({ kettle: 'The kettle is blue', lamp: 'The lamp is green' })
    const first = await openStore({ root, disk: failing('EIO', 'open').disk })
    expect(await found(first, 'kettle')).toEqual([])
    first.store.close()
    const second = await openStore({ root })
    expect(await found(second, 'kettle')).toEqual(['kettle'])
    expect(reportedBy(second.store)).toEqual([])
    second.store.close()
  })

  it('leaves a record that was known: its id is not given again, and no line says that it vanished', async () => {
    const root = await folderWith({ kettle: 'The kettle is blue' })
    ;(await openStore({ root })).store.close()
    const { disk, repair } = failing('EIO', 'open')
    const again = await openStore({ root, disk })
    await again.store.refresh()
    await expect(again.store.get('kettle')).rejects.toMatchObject({ code: 'STORAGE' })
    repair()
    expect((await again.store.get('kettle')).record.summary).toBe('The kettle is blue')
    expect(again.store.ledger().entries).toEqual([])
    again.store.close()
  })

  it('while the folder is claimed does not keep it from being written for good', async () => {
    const root = await folderWith({ kettle: 'The kettle is blue' })
    let isBroken = true
    const disk = diskOver(
      watchedCalls(({ path }) => (isBroken && path.endsWith('version') ? 'EMFILE' : undefined)),
    )
    const { store } = await openStore({ root, disk })
    await expect(
      store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person),
    ).rejects.toMatchObject({ code: 'READ_ONLY' })
    isBroken = false
    await store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person)
    expect(store.readOnly).toBeUndefined()
    expect((await found({ store }, 'lamp kettle')).length).toBe(2)
    store.close()
  })
})

describe('E20, E21, E22 cut off at any step, whatever was not fsynced lost or kept', () => {
  it.each(ACTS)('$name is whole or nothing, and in the ledger where it is there', async (act) => {
    expect((await replay(act)).broken).toEqual([])
  })
})

describe('E22 a save to the user memory', () => {
  const entry = { name: 'tea', type: 'user' as const, summary: 'Likes tea', details: '' }

  it('is said to be saved where closing the folder fails after the rename', async () => {
    let renamed = false
    const disk = diskOver(
      watchedCalls(({ name, path }) => {
        if (name === 'rename' && path.includes('user-memory')) renamed = true
        return renamed && path.endsWith('user-memory') && ['close', 'fsync'].includes(name)
          ? 'EIO'
          : undefined
      }),
    )
    const { memory, root } = await openStore({ disk })
    const { userMemory } = memory
    const { warnings } = await userMemory.save(await userMemory.prepare('create', entry, person), person)
    expect([renamed, warnings]).toEqual([true, []])
    expect(readFileSync(join(root, 'user-memory', 'tea.md'), 'utf8')).toContain('Likes tea')
    memory.close()
  })

  it('of which the rename reports a failure and was done is taken back before it is said that nothing was', async () => {
    let isBroken = true
    const real = { ...nodeCalls }
    const disk = diskOver({
      ...real,
      rename: (from, to) => {
        real.rename(from, to)
        if (isBroken && to.endsWith('tea.md')) {
          isBroken = false
          throw systemError('EIO', 'rename')
        }
      },
    })
    const { memory, root } = await openStore({ disk })
    const { userMemory } = memory
    const draft = await userMemory.prepare('create', entry, person)
    await expect(userMemory.save(draft, person)).rejects.toThrow('nothing was changed')
    expect(existsSync(join(root, 'user-memory', 'tea.md'))).toBe(false)
    memory.close()
  })
})

describe.runIf(process.platform === 'linux')('E25 something planted in a place of ours', () => {
  const KINDS = [
    'a link to a file',
    'a dangling link',
    'a link to a folder',
    'a pipe',
    'a socket',
    'a device',
  ] as const
  const PLACES = [
    '.lock',
    '.intent',
    'version',
    'tombstones.jsonl',
    'index',
    'index/index.sqlite',
    'index/index.sqlite-journal',
    'ledger',
    'ledger/2026-11.jsonl',
    'usage',
    'usage/2026-11.jsonl',
    'pending',
    'pending/left.json',
    'constitution',
    'constitution/constitution.md',
    'constitution/audit.jsonl',
    'constitution/key.json',
    'user-memory',
    'user-memory/tea.md',
    'memories/2026/11/lamp.md',
    'HOME/mnemos/profiles.json',
    'HOME/mnemos/.lock',
  ]

  async function plant(kind: (typeof KINDS)[number], path: string, outside: string): Promise<() => void> {
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { recursive: true, force: true })
    if (kind === 'a link to a file') symlinkSync(join(outside, 'file'), path)
    else if (kind === 'a dangling link') symlinkSync(join(outside, 'nothing'), path)
    else if (kind === 'a link to a folder') symlinkSync(join(outside, 'folder'), path)
    else if (kind === 'a pipe') spawnSync('mkfifo', [path])
    else if (kind === 'a device') spawnSync('mknod', [path, 'c', '1', '3'])
    else {
      const server = createServer().listen(path)
      await once(server, 'listening')
      return () => server.close()
    }
    return () => {}
  }

  const seenIn = (folder: string) =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .sort()
      .map((name) => {
        const { mtimeMs, mode, size } = lstatSync(join(folder, name))
        return [name, mtimeMs, mode, size]
      })

  it.each(PLACES)(
    '%s: nothing outside is touched, nothing hangs, and what is said is one sentence',
    async (place) => {
      for (const kind of KINDS) {
        const seeded = await openStore()
        await seeded.store.commit(
          [{ act: 'create', record: { id: 'kettle', summary: 'The kettle' } }],
          person,
        )
        seeded.store.close()
        const { root } = seeded
        const outside = await tempDir('outside')
        mkdirSync(join(outside, 'folder'))
        writeFileSync(join(outside, 'file'), 'precious\n', { mode: 0o644 })
        writeFileSync(join(outside, 'folder', 'inner.md'), 'precious\n', { mode: 0o644 })
        const before = seenIn(outside)
        const path = place.replace(/^HOME/, `${root}-home`)
        const unplant = await plant(kind, path.startsWith('/') ? path : join(root, path), outside)
        const said: unknown[] = []
        const attempt = async (what: () => unknown) => {
          try {
            await what()
          } catch (error) {
            said.push(error)
          }
        }
        const { memory, store } = await openStore({ root, config: { lockTimeoutMs: 300 } })
        await attempt(() => memory.settle())
        await attempt(() => store.commit([{ act: 'create', record: { summary: 'The lamp' } }], person))
        await attempt(() => store.recall({ queries: ['kettle'], scope: {}, limit: 5, include: [] }))
        store.noteOpened('kettle', person)
        await attempt(() => store.delete('kettle', person))
        const entry = { name: 'tea', type: 'user' as const, summary: 'Likes tea', details: '' }
        await attempt(async () =>
          memory.userMemory.save(await memory.userMemory.prepare('create', entry, person), person),
        )
        await attempt(() =>
          initialise(memory.home, { text: 'Be kind.', language: 'en' }, PASSPHRASE, { cost: CHEAP }),
        )
        await attempt(async () => {
          const noted = await noteProfile(nodeDisk, memory.home.dshHome, 'web', { dataDir: root })
          if (noted !== undefined) expect(noted).not.toContain('\n')
        })
        await attempt(() =>
          examine({ disk: nodeDisk, layout: store.layout, place: placesOn(nodeDisk), now: Date.now() }),
        )
        memory.examine()
        for (const error of said) {
          expect(error, `${kind} at ${place}`).toBeInstanceOf(MnemosError)
          expect(String((explained(error) as Error).message)).not.toContain('\n')
        }
        store.close()
        unplant()
        expect(seenIn(outside), `${kind} at ${place}`).toEqual(before)
        rmSync(`${root}-home`, { recursive: true, force: true })
      }
    },
  )
})

describe('E24 a folder of records that is a link', () => {
  it('is followed: what lies there is found, and what is written there is found again', async () => {
    const root = await folderWith({ lamp: 'The lamp is green' })
    const elsewhere = await tempDir('elsewhere')
    mkdirSync(join(elsewhere, '11'), { recursive: true })
    writeFileSync(join(elsewhere, '11', 'kettle.md'), 'The kettle is blue')
    symlinkSync(elsewhere, join(root, 'memories', '2026'))
    const first = await openStore({ root })
    expect((await found(first, 'kettle lamp')).sort()).toEqual(['kettle', 'lamp'])
    await first.store.commit(
      [{ act: 'create', record: { id: 'chair', summary: 'The chair is red' } }],
      person,
    )
    first.store.close()
    expect(readdirSync(join(elsewhere, '11')).sort()).toEqual(['chair.md', 'kettle.md'])
    const second = await openStore({ root })
    expect(await found(second, 'chair')).toEqual(['chair'])
    expect((await second.store.delete('kettle', person)).left).toEqual([])
    expect(readdirSync(join(elsewhere, '11'))).toEqual(['chair.md'])
    expect(reportedBy(second.store)).toEqual([])
    second.store.close()
  })

  it('that leads nowhere is reported, and what was known of it is not forgotten', async () => {
    const root = await folderWith({ lamp: 'The lamp is green' })
    const elsewhere = await tempDir('elsewhere')
    writeFileSync(join(elsewhere, 'kettle.md'), 'The kettle is blue')
    symlinkSync(elsewhere, join(root, 'memories', 'old'))
    ;(await openStore({ root })).store.close()
    renameSync(elsewhere, `${elsewhere}-away`)
    const { store } = await openStore({ root })
    expect(reportedBy(store)).toEqual([
      expect.stringMatching(/^memories\/old \(it is no folder, or a link that leads to none\)/),
    ])
    expect(store.ledger().entries).toEqual([])
    renameSync(`${elsewhere}-away`, elsewhere)
    expect(await found({ store }, 'kettle')).toEqual(['kettle'])
    expect(reportedBy(store)).toEqual([])
    store.close()
  })

  it('that leads back is reported and not followed', async () => {
    const root = await folderWith({ lamp: 'The lamp is green' })
    symlinkSync(root, join(root, 'memories', 'up'))
    symlinkSync('.', join(root, 'memories', 'self'))
    const { store } = await openStore({ root })
    expect(store.bad().map(({ path, fault }) => [path, fault.code])).toEqual([['up', 'LINKED_TWICE']])
    expect(await found({ store }, 'lamp')).toEqual(['lamp'])
    store.close()
  })
})

describe('E22, F31 a folder of ours that cannot be looked at', () => {
  const TEA = { name: 'tea', type: 'user' as const, summary: 'Likes tea', details: '' }
  const failing = (code: string, calls: readonly SeenCall['name'][], folder: string) => {
    let isBroken = false
    const disk = diskOver(
      watchedCalls(({ name, path }) =>
        isBroken && calls.includes(name) && path.includes(`/${folder}`) ? code : undefined,
      ),
    )
    return {
      disk,
      break: () => {
        isBroken = true
      },
    }
  }

  it.each(
    [
      'pending',
      'user-memory',
      'memories',
      'ledger',
      'tombstones.jsonl',
      '.intent',
      '.lock',
      'version',
    ].flatMap((folder) => (['EIO', 'EACCES', 'EMFILE'] as const).map((code) => [folder, code] as const)),
  )(
    '%s with %s: one sentence of ours with a remedy, nothing said twice, no absolute path',
    async (folder, code) => {
      const { disk, break: fail } = failing(
        code,
        ['lstat', 'stat', 'list', 'open', 'mkdir', 'rename'],
        folder,
      )
      const { memory, store, root } = await openStore({ disk, config: { lockTimeoutMs: 200 } })
      await store.commit([{ act: 'create', record: { id: 'kettle', summary: 'The kettle is blue' } }], person)
      await memory.userMemory.save(await memory.userMemory.prepare('create', TEA, person), person)
      fail()
      const said: string[] = []
      const attempt = async (what: () => unknown) => {
        try {
          await what()
        } catch (thrown) {
          const error = explained(thrown)
          expect(error, `${folder} ${code}`).toBeInstanceOf(MnemosError)
          if (!(error instanceof MnemosError)) return
          expect(error.remedy, error.message).not.toBe('')
          said.push(error.message)
        }
      }
      await attempt(() => store.commit([{ act: 'create', record: { summary: 'A lamp' } }], person))
      await attempt(() => store.get('kettle'))
      await attempt(() => store.ledger())
      await attempt(() => memory.userMemory.view('tea'))
      const next = { ...TEA, summary: 'Likes green tea' }
      await attempt(async () =>
        memory.userMemory.save(await memory.userMemory.prepare('overwrite', next, person), person),
      )
      await attempt(async () =>
        said.push(...(await store.delete('kettle', person)).left.map(({ reason = '' }) => reason)),
      )
      await attempt(() => memory.atTurnStart())
      const machine = { disk, dshHome: `${root}-home` }
      await attempt(async () => {
        const { findings } = await answerDoctor({ memory, machine, profiles: [], looksAtProfiles: false })
        said.push(...findings.map(({ sentence }) => sentence))
      })
      said.push(...reportedBy(store))
      expect(said.length).toBeGreaterThan(0)
      for (const sentence of said) {
        expect(sentence).not.toContain(root)
        expect(sentence.toLowerCase().split('nothing was changed').length, sentence).toBeLessThanOrEqual(2)
      }
      store.close()
    },
  )
})
