/**
 * Where the tests of a source lie: `src/<room>/<name>.ts` is tested by `tests/unit/<room>/<name>.test.ts`, or the table
 * below names the test that tests it together with others. A source that only declares types and constants needs none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sources } from '../support/architecture.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Together {
  /** Below `tests/`. */
  test: string
  /** Why these have no test of their own. */
  why: string
  /** Below `src/`; one that ends in `/` stands for all below it. */
  sources: readonly string[]
}

const TOGETHER: readonly Together[] = [
  {
    test: 'host/tool-calls.test.ts',
    why: 'needs a running host: all of `tests/host`',
    sources: ['host/', 'plugin.ts'],
  },
  {
    test: 'unit/files/workspace.test.ts',
    why: 'what git says of a folder is what is seen of it',
    sources: ['files/repository.ts'],
  },
  {
    test: 'cases/d-workspaces.test.ts',
    why: 'stories of folders, told through the tools',
    sources: ['store/isolation.ts', 'store/workspaces.ts'],
  },
  {
    test: 'unit/messages/messages.test.ts',
    why: 'one sentence for each code, checked for all of them',
    sources: ['messages/', 'record/fault.ts', 'files/file-fault.ts', 'entries/fault.ts'],
  },
  {
    test: 'unit/answers/commands.test.ts',
    why: 'what a command answers is tested with the command that prints it',
    sources: [
      'answers/candidates.ts',
      'answers/constitution.ts',
      'answers/delete.ts',
      'answers/doctor.ts',
      'answers/edit.ts',
      'answers/export.ts',
      'answers/ledger.ts',
      'answers/rebuild-index.ts',
      'answers/recent.ts',
      'answers/search.ts',
      'answers/show.ts',
      'answers/status.ts',
      'cli/delete.ts',
      'cli/deprecate.ts',
      'cli/ledger.ts',
      'cli/rebuild-index.ts',
      'cli/recent.ts',
      'cli/search.ts',
      'cli/show.ts',
      'cli/status.ts',
      'cli/holdings.ts',
      'store/lookup.ts',
      'store/recent.ts',
      'store/export-format.ts',
    ],
  },
  {
    test: 'unit/cli/init.test.ts',
    why: 'steps and questions of one command',
    sources: [
      'answers/choose-folder.ts',
      'answers/draft-file.ts',
      'answers/init-folder.ts',
      'answers/init.ts',
      'answers/profiles.ts',
      'answers/sharing.ts',
      'cli/init-constitution.ts',
      'cli/init-folder.ts',
      'cli/init-questions.ts',
      'cli/model-work.ts',
      'cli/passphrase.ts',
      'cli/person-only.ts',
      'cli/progress.ts',
      'cli/style.ts',
      'constitution/passphrase.ts',
      'files/profiles.ts',
      'memory/choose.ts',
      'memory/place.ts',
    ],
  },
  {
    test: 'unit/cli/user-memory.test.ts',
    why: 'what the command answers is tested with the command',
    sources: ['answers/user-memory.ts'],
  },
  {
    test: 'cases/b-time.test.ts',
    why: 'one rule over files, order, ages and arguments',
    sources: ['record/day.ts', 'record/instant.ts', 'record/times.ts'],
  },
  {
    test: 'cases/c-derived.test.ts',
    why: 'what a deletion reads, cuts and names, told through the store',
    sources: ['store/made-from.ts', 'store/raw-text.ts'],
  },
  {
    test: 'cases/c-deletion.test.ts',
    why: 'what a deletion clears and names is tested as a whole',
    sources: ['files/deletion-lines.ts', 'record/texts.ts', 'store/other-files.ts'],
  },
  {
    test: 'cases/d-workspaces.test.ts',
    why: 'which folders are one workspace, and what is kept from another',
    sources: ['files/repository.ts', 'store/isolation.ts', 'store/workspaces.ts'],
  },
  {
    test: 'cases/e-disk.test.ts',
    why: 'what a killed process, a link or a failing call leaves',
    sources: ['files/intent.ts', 'files/own-folder.ts', 'files/sweep.ts'],
  },
  {
    test: 'unit/cli/settings.test.ts',
    why: 'a session of the command line is what its commands run in',
    sources: ['cli/session.ts'],
  },
  {
    test: 'unit/cli/user-memory.test.ts',
    why: 'what a command answers is tested with the command that prints it',
    sources: ['answers/user-memory.ts'],
  },
  { test: 'unit/cli/edit.test.ts', why: 'starts an editor', sources: ['cli/editor.ts'] },
  { test: 'unit/cli/constitution.test.ts', why: 'colours of one command', sources: ['cli/colour-diff.ts'] },
  {
    test: 'e2e/cli.test.ts',
    why: 'reads the arguments of a process of its own',
    sources: ['cli/main.ts', 'cli/failure.ts'],
  },
  {
    test: 'unit/cli/named-commands.test.ts',
    why: 'what is named in documents and sentences is compared with the commands',
    sources: ['cli/program.ts'],
  },
  {
    test: 'unit/cli/doctor.test.ts',
    why: 'every finding is tested on a folder that has it',
    sources: ['doctor/', 'search/index/look.ts'],
  },
  {
    test: 'unit/constitution/standing.test.ts',
    why: 'files, pin and audit are judged together',
    sources: [
      'constitution/approval-files.ts',
      'constitution/approve.ts',
      'constitution/approved-text.ts',
      'constitution/constitution-files.ts',
      'constitution/constitution.ts',
      'constitution/faults.ts',
      'constitution/pin.ts',
      'constitution/restore.ts',
      'constitution/text-file.ts',
      'constitution/text-header.ts',
    ],
  },
  {
    test: 'unit/constitution/hostile.test.ts',
    why: 'texts and files that somebody tampered with',
    sources: ['constitution/draft.ts'],
  },
  {
    test: 'unit/constitution/signing.test.ts',
    why: 'keys, signatures and seals go together',
    sources: ['constitution/seal.ts'],
  },
  {
    test: 'unit/base/disk.test.ts',
    why: 'the calls of the disk',
    sources: ['base/node-files.ts', 'base/system-calls.ts'],
  },
  {
    test: 'unit/constitution/template.test.ts',
    why: 'finds the files that the package brings along',
    sources: ['base/package.ts'],
  },
  {
    test: 'unit/files/lock.test.ts',
    why: 'parts of the lock, of no use without it',
    sources: ['files/lock-folder.ts', 'files/lock-owner.ts', 'files/layout.ts'],
  },
  {
    test: 'unit/files/journals.test.ts',
    why: 'journals are read by one reader',
    sources: ['files/jsonl.ts', 'files/tombstones.ts'],
  },
  {
    test: 'unit/store/commit.test.ts',
    why: 'writing is tested as a whole: what is acknowledged is on disk',
    sources: [
      'files/claim.ts',
      'files/intent.ts',
      'files/own-folder.ts',
      'files/sweep.ts',
      'files/pending.ts',
      'files/put.ts',
      'files/put-all.ts',
      'files/record-files.ts',
      'store/assemble.ts',
      'store/correction.ts',
      'store/deletion.ts',
      'store/places.ts',
      'store/plan.ts',
      'store/recovery.ts',
      'store/store.ts',
      'store/turn-context.ts',
    ],
  },
  {
    test: 'cases/e-misplaced.test.ts',
    why: 'what stands in a place is seen by the doctor and by a write',
    sources: ['files/misplaced.ts'],
  },
  {
    test: 'cases/d-unmounted.test.ts',
    why: 'a disk that goes is seen in whole acts',
    sources: ['files/guarded-disk.ts'],
  },
  {
    test: 'unit/store/first-look.test.ts',
    why: 'looking at the folder is tested as a whole',
    sources: [
      'files/stamps.ts',
      'store/catalog.ts',
      'store/file-table.ts',
      'store/index-follower.ts',
      'store/index-keeper.ts',
      'store/known-files.ts',
      'store/open-folder.ts',
      'store/problems.ts',
    ],
  },
  {
    test: 'unit/record/format.test.ts',
    why: 'reading and writing are each other’s proof',
    sources: [
      'record/encoding.ts',
      'record/front-matter.ts',
      'record/parse.ts',
      'record/record.ts',
      'record/values.ts',
    ],
  },
  {
    test: 'unit/store/hostile.test.ts',
    why: 'limits are tested where records are written',
    sources: ['record/limits.ts'],
  },
  {
    test: 'unit/search/index/record-index.test.ts',
    why: 'the index is one file of SQLite',
    sources: [
      'search/index/connection.ts',
      'search/index/driver.ts',
      'search/index/entries.ts',
      'search/index/rows.ts',
      'search/index/statements.ts',
      'search/index/words.ts',
    ],
  },
  {
    test: 'unit/search/recall/recall.test.ts',
    why: 'what is found is asked of recall as a whole',
    sources: [
      'search/index/scope.ts',
      'search/index/stem.ts',
      'search/index/terms.ts',
      'search/recall/explain.ts',
      'search/recall/leave-outs.ts',
      'search/recall/listing.ts',
      'search/recall/query.ts',
      'search/recall/request.ts',
      'search/recall/stop-words.ts',
    ],
  },
  {
    test: 'unit/answers/hit.test.ts',
    why: 'one shape of a hit for tools and commands',
    sources: ['search/recall/hit.ts'],
  },
  {
    test: 'unit/self-history/self-history.test.ts',
    why: 'the line of what waits stands in the self-history',
    sources: ['self-history/waiting.ts', 'self-history/words.ts'],
  },
  {
    test: 'unit/tools/answers.test.ts',
    why: 'what the tools answer, through the list of tools',
    sources: ['tools/', 'memory/open.ts', 'store/isolation.ts', 'store/workspaces.ts'],
  },
  {
    test: 'unit/user-memory/files.test.ts',
    why: 'the files of the user memory, and what is drawn from them',
    sources: ['entries/', 'user-memory/'],
  },
  {
    test: 'unit/memory/constitution.test.ts',
    why: 'parts are a name and a text: drawn in a session',
    sources: ['view/parts.ts', 'view/self-history.ts'],
  },
  {
    test: 'unit/view/shown.test.ts',
    why: 'words by language, and which of them a session shows',
    sources: ['view/words.ts'],
  },
]

const testOf = (path: string) => join('tests', 'unit', path.replace(/\.ts$/, '.test.ts'))
const hasOwn = (path: string) => existsSync(join(ROOT, testOf(path)))

/** Whether anything in it runs: a function or a class, once types and comments are gone. */
function hasLogic(text: string): boolean {
  const code = stripTypeScriptTypes(text)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  return /=>|\bfunction\b|\bclass\b/.test(code)
}

const matches = (pattern: string, path: string) =>
  path === pattern || (pattern.endsWith('/') && path.startsWith(pattern))

const withLogic = sources()
  .filter(({ text }) => hasLogic(text))
  .map(({ path }) => path)

const imports = new Map<string, readonly string[]>()

/** The files that a file imports, by absolute path. */
function importsOf(file: string): readonly string[] {
  const known = imports.get(file)
  if (known) return known
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const found = [...text.matchAll(/(?:from |import |import\()'(\.[^']+\.ts)'/g)].map(([, target = '']) =>
    join(dirname(file), target),
  )
  imports.set(file, found)
  return found
}

/** What a test imports, over any number of steps, as paths below `src/`. */
function reachedBy(test: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [join(ROOT, 'tests', test)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...importsOf(next))
  }
  const src = join(ROOT, 'src', '/')
  const below = [...seen].filter((path) => path.startsWith(src))
  return new Set(below.map((path) => path.slice(src.length).replaceAll('\\', '/')))
}

it('every source with logic has a test that mirrors it, or the table names one', () => {
  const named = TOGETHER.flatMap((one) => one.sources)
  const missing = withLogic
    .filter((path) => !hasOwn(path) && !named.some((pattern) => matches(pattern, path)))
    .map((path) => `src/${path}: write ${testOf(path)}, or name it in the table of tests/unit/mirror.test.ts`)
  expect(missing).toEqual([])
})

it('the table names what is there, needs it, and is loaded by the test', () => {
  const wrong = TOGETHER.flatMap(({ test, sources: patterns }) => {
    if (!existsSync(join(ROOT, 'tests', test))) return [`${test} is not there`]
    const reached = test.startsWith('unit/') ? reachedBy(test) : undefined
    return patterns.flatMap((pattern) => {
      const meant = withLogic.filter((path) => matches(pattern, path) && !hasOwn(path))
      if (meant.length === 0)
        return [`${pattern} (${test}): there is no such source without a test of its own`]
      return meant
        .filter((path) => reached && !reached.has(path))
        .map((path) => `${path} is not loaded by ${test}`)
    })
  })
  expect(wrong).toEqual([])
})
