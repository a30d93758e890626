/** Each command prints the value of its answer, and the keys of that value are what scripts rely on. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerAccept, answerCandidates, answerDismiss } from '../../../src/answers/candidates.ts'
import { answerConstitution, proposeConstitution } from '../../../src/answers/constitution.ts'
import { answerDelete } from '../../../src/answers/delete.ts'
import { answerDeprecate } from '../../../src/answers/deprecate.ts'
import { answerDoctor } from '../../../src/answers/doctor.ts'
import { answerEdit, editable } from '../../../src/answers/edit.ts'
import { exportRecords, writeExport } from '../../../src/answers/export.ts'
import { answerLedger } from '../../../src/answers/ledger.ts'
import { answerRebuildIndex } from '../../../src/answers/rebuild-index.ts'
import { answerRecent } from '../../../src/answers/recent.ts'
import { answerSearch } from '../../../src/answers/search.ts'
import { answerShow } from '../../../src/answers/show.ts'
import { answerStatus } from '../../../src/answers/status.ts'
import { nodeDisk } from '../../../src/base/disk.ts'
import { acceptCommand, candidatesCommand, dismissCommand } from '../../../src/cli/candidates.ts'
import { constitutionShowCommand, constitutionUpdateCommand } from '../../../src/cli/constitution.ts'
import { deleteCommand } from '../../../src/cli/delete.ts'
import { deprecateCommand } from '../../../src/cli/deprecate.ts'
import { doctorCommand } from '../../../src/cli/doctor.ts'
import { editCommand } from '../../../src/cli/edit.ts'
import { exportCommand } from '../../../src/cli/export.ts'
import { init } from '../../../src/cli/init.ts'
import { ledgerCommand } from '../../../src/cli/ledger.ts'
import { rebuildIndexCommand } from '../../../src/cli/rebuild-index.ts'
import { recentCommand } from '../../../src/cli/recent.ts'
import { searchCommand } from '../../../src/cli/search.ts'
import { printer, type Session } from '../../../src/cli/session.ts'
import { showCommand } from '../../../src/cli/show.ts'
import { statusCommand } from '../../../src/cli/status.ts'
import { personContext } from '../../../src/store/turn-context.ts'
import { sources } from '../../support/architecture.ts'
import { waitingFolder } from '../../support/candidates.ts'
import { inProcess } from '../../support/cli.ts'
import { approvedHome, CHEAP, PASSPHRASE } from '../../support/constitution.ts'
import { tempDir } from '../../support/temp.ts'

const person = personContext()
let out = ''
beforeEach(async () => {
  vi.stubEnv('DSH_HOME', await tempDir('home'))
  vi.stubEnv('MNEMOS_DATA', undefined)
  vi.stubEnv('DSH_SHELL', undefined)
  vi.stubEnv('VISUAL', undefined)
  out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

/** Runs one command for scripts. @returns what it printed. */
async function printed(run: () => Promise<void>) {
  out = ''
  await run()
  return JSON.parse(out)
}

/** Of the folder, and of the moment. */
const comparable = (value: unknown, root: string) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(root, '<root>')
      .replace(/"(ms)":\d+/g, '"$1":0')
      .replace(/"at":"2\d{3}[^"]*"/g, '"at":""'),
  )

async function twoFolders() {
  const { root, write } = await waitingFolder()
  write('kettle', 'summary: The kettle whistles\ncreated: 2026-01-07\ntags: [kitchen]', 'At 80 degrees.')
  write('twin', 'summary: another\ncreated: 2026-01-08', 'It says: the kettle whistles at 80 degrees or so.')
  writeFileSync(join(root, 'memories', 'broken.md'), '---\nsummary: x\n')
  const copy = await tempDir('copy')
  cpSync(root, copy, { recursive: true, preserveTimestamps: true })
  return [root, copy] as const
}

interface Case {
  command: string
  run: (session: Session, out: string) => Promise<void>
  answer: (session: Session, out: string) => unknown
  /** Left out where it is a list, or the fields of a record. */
  keys?: string[]
  /** Of the first of its list. */
  inner?: [list: string, keys: string[]]
}

const HIT = ['created', 'id', 'kind', 'matched', 'snippet', 'source', 'status', 'summary', 'tags']
const CASES: Case[] = [
  {
    command: 'status',
    run: (session) => statusCommand(session),
    answer: ({ memory, profiles }) => answerStatus(memory, profiles),
    keys: [
      'constitution',
      'data',
      'notes',
      'problems',
      'profiles',
      'recall',
      'records',
      'skipped',
      'userMemory',
      'waiting',
      'writable',
    ],
  },
  {
    command: 'recent',
    run: (session) => recentCommand(session, { all: true }),
    answer: async ({ store }) => (await answerRecent(store, { all: true })).records,
    inner: ['', ['created', 'id', 'kind', 'source', 'status', 'summary', 'tags', 'updated']],
  },
  {
    command: 'candidates',
    run: (session) => candidatesCommand(session),
    answer: ({ store }) => answerCandidates(store),
    inner: ['', ['author', 'created', 'exposedTo', 'id', 'kind', 'reason', 'source', 'status', 'summary']],
  },
  {
    command: 'accept',
    run: (session) => acceptCommand(session, 'unsure'),
    answer: ({ store }) => answerAccept(store, 'unsure', person),
    keys: ['id', 'layer', 'source', 'status', 'warnings'],
  },
  {
    command: 'dismiss',
    run: (session) => dismissCommand(session, 'unsure', { why: 'no' }),
    answer: ({ store }) => answerDismiss(store, { id: 'unsure', why: 'no' }, person),
    keys: ['id', 'status', 'warnings', 'why'],
  },
  {
    command: 'search',
    run: (session) => searchCommand(session, ['kettle'], {}),
    answer: ({ store }) => answerSearch(store, { phrasings: ['kettle'], filters: {} }),
    keys: ['hints', 'hits', 'leftOut', 'more', 'skipped'],
    inner: ['hits', HIT],
  },
  {
    command: 'show',
    run: (session) => showCommand(session, 'kettle'),
    answer: async ({ store }) => (await answerShow(store, 'kettle')).value,
  },
  {
    command: 'deprecate',
    run: (session) => deprecateCommand(session, 'kettle', { why: 'sold', by: 'twin' }),
    answer: ({ store }) =>
      answerDeprecate(store, { id: 'kettle', why: 'sold', supersededBy: 'twin' }, person),
    keys: ['id', 'status', 'supersededBy', 'warnings'],
  },
  {
    command: 'delete',
    run: (session) => deleteCommand(session, 'kettle', { yes: true }),
    answer: async ({ store }) => (await answerDelete(store, await store.get('kettle'), person)).value,
    keys: ['alike', 'alikeRecords', 'cut', 'deleted', 'erased', 'files', 'id', 'left', 'others'],
  },
  {
    command: 'edit',
    run: (session) => {
      vi.stubEnv('EDITOR', 'sed -i s/80/90/')
      return editCommand(session, 'kettle')
    },
    answer: async ({ store }) => {
      const found = await editable(store, 'kettle')
      return answerEdit(store, found, Buffer.from(found.text.replace('80', '90')), person)
    },
    keys: ['conflicts', 'file', 'id', 'merged', 'rev', 'warnings', 'written'],
  },
  {
    command: 'ledger',
    run: async (session) => {
      await answerDismiss(session.store, { id: 'unsure' }, person)
      return ledgerCommand(session, {})
    },
    answer: async ({ memory, store }) => {
      await answerDismiss(store, { id: 'unsure' }, person)
      return answerLedger(memory, {})
    },
    keys: ['entries', 'more', 'unreadable'],
    inner: ['entries', ['act', 'at', 'by', 'id', 'name', 'rev']],
  },
  {
    command: 'export',
    run: (session, folder) => exportCommand(session, join(folder, 'all.jsonl')),
    answer: async ({ store }, folder) =>
      writeExport(nodeDisk, join(folder, 'all.jsonl'), await exportRecords(store)),
    keys: ['absent', 'file', 'records', 'skipped'],
  },
  {
    command: 'rebuild-index',
    run: (session) => rebuildIndexCommand(session),
    answer: ({ store }) => answerRebuildIndex(store, 0),
    keys: ['absentForgotten', 'ms', 'records'],
  },
]

describe('a command for scripts prints its answer', () => {
  it.each(CASES)('$command', async ({ run, answer, keys, inner }) => {
    const [one, other] = await twoFolders()
    const folder = await tempDir('out')
    const { session } = await inProcess(one)
    const value = await printed(() => run({ ...session, ...printer({ json: true }) }, folder))
    session.store.close()
    const { session: second } = await inProcess(other)
    const answered = await answer(second, folder)
    second.store.close()
    expect(comparable(value, one)).toEqual(comparable(answered, other))
    if (keys) expect(Object.keys(value).sort()).toEqual(keys)
    if (inner) {
      const [list, innerKeys] = inner
      const [first] = list === '' ? value : value[list]
      expect(Object.keys(first).sort()).toEqual(innerKeys)
    }
  })

  it('constitution show and update', async () => {
    const home = await approvedHome('# Mine\n\nBe kind.')
    vi.stubEnv('DSH_HOME', home.dshHome)
    const globals = { data: home.layout.root, json: true }
    const shown = await printed(() => constitutionShowCommand(globals))
    expect(shown).toEqual(answerConstitution(home, 'en').value)
    expect(Object.keys(shown).sort()).toEqual([
      ...['approvedAt', 'file', 'findings', 'hash', 'key', 'language', 'state', 'text', 'version'],
    ])
    const file = join(home.dshHome, 'draft.md')
    writeFileSync(file, '# Mine\n\nBe brief.')
    const { change } = proposeConstitution(home, { text: '# Mine\n\nBe brief.', language: 'en' })
    expect(change).toEqual({
      before: 1,
      language: 'en',
      diff: ['@@ -1,3 +1,3 @@', ' # Mine', ' ', '-Be kind.', '+Be brief.'],
      warnings: [],
    })
    // Colours are for a person at a terminal.
    vi.stubEnv('FORCE_COLOR', '1')
    expect(await printed(() => constitutionUpdateCommand(globals, file, {}))).toEqual({
      applied: false,
      ...change,
    })
    vi.stubEnv('MNEMOS_PASSPHRASE', PASSPHRASE)
    expect(await printed(() => constitutionUpdateCommand(globals, file, { apply: true }))).toEqual({
      applied: true,
      version: 2,
      ...change,
    })
  })

  it('doctor', async () => {
    const [root] = await twoFolders()
    const { session } = await inProcess(root)
    session.store.close()
    const { memory } = session
    const value = await printed(() => doctorCommand({ data: root, json: true }, {}))
    expect(value).toEqual(
      await answerDoctor({ memory, machine: memory.home, profiles: [], looksAtProfiles: false }),
    )
    expect(value.findings).toMatchObject([{ code: 'BAD_FILE' }])
    expect(Object.keys(value).sort()).toEqual([
      ...['data', 'findings', 'forgotten', 'healthy', 'profiles', 'records', 'repaired'],
    ])
  })

  it('init', async () => {
    const dshHome = await tempDir('home')
    const environment = { DSH_HOME: dshHome, MNEMOS_PASSPHRASE: PASSPHRASE }
    const other = join(dshHome, 'mnemos', 'other')
    mkdirSync(join(other, 'memories'), { recursive: true })
    writeFileSync(join(other, 'memories', 'one.md'), 'one')
    writeFileSync(
      join(dshHome, 'mnemos', 'profiles.json'),
      JSON.stringify({ profiles: { other: { dataDir: other } } }),
    )
    const value = await printed(() =>
      init({ profile: 'web', json: true }, { yes: true, share: ['other'] }, undefined, environment, CHEAP),
    )
    expect(Object.keys(value).sort()).toEqual([
      ...['data', 'did', 'file', 'key', 'language', 'modelWork', 'profiles', 'recordsLeft', 'shared'],
      ...['version', 'warnings'],
    ])
    expect(value.recordsLeft).toEqual([
      { profile: 'other', folder: other, files: 1, userMemory: 0, constitution: false },
    ])
  })
})

it('answers print nothing and know no colours', () => {
  for (const { path, text } of sources().filter((one) => one.path.startsWith('answers/')))
    expect([path, /process\.(stdout|stderr|exitCode)|console\.|styleText/.test(text)]).toEqual([path, false])
})
