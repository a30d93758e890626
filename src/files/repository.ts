/** The git repository that a folder lies in, and what git says of it. Nothing here rejects: what fails says nothing. */
import { execFile } from 'node:child_process'
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ConfiguredRemote } from './remote.ts'

const run = promisify(execFile)
const GIT_TIMEOUT_MS = 2_000

/** What makes git look at another repository than that of the folder it is asked in, as inside a hook. */
const REDIRECTING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_CONFIG',
]

export interface Repository {
  /** The top folder of the working tree; of a linked worktree that of the repository which it belongs to. */
  top: string
  /** The top folder of the working tree itself. */
  workTree: string
  /** What is this working tree's own: HEAD. */
  gitDir: string
  /** What all its working trees share: config, objects. */
  commonDir: string
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch {
    // Not there, or not to be looked at: both say nothing.
    return undefined
  }
}

async function outputOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    return undefined
  }
}

/** The folder with HEAD and config that `.git` is, or leads to; undefined where there is none. */
async function gitDirAt(folder: string): Promise<string | undefined> {
  const entry = join(folder, '.git')
  const stats = await statsOf(entry)
  if (!stats) return undefined
  const leads = stats.isFile() ? /^gitdir: (.+)$/m.exec((await outputOf(entry)) ?? '')?.[1] : undefined
  const gitDir = leads === undefined ? entry : resolve(folder, leads.trim())
  return (await statsOf(join(gitDir, 'HEAD'))) ? gitDir : undefined
}

/** The repository of a folder, found without git: to start that takes longer than the rest of a turn's start. */
export async function repositoryOf(folder: string): Promise<Repository | undefined> {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = await gitDirAt(top)
    if (gitDir !== undefined) {
      const shared = await outputOf(join(gitDir, 'commondir'))
      const commonDir = shared === undefined ? gitDir : resolve(gitDir, shared)
      const isLinked = commonDir !== gitDir && basename(commonDir) === '.git'
      return { top: isLinked ? dirname(commonDir) : top, workTree: top, gitDir, commonDir }
    }
    if (dirname(top) === top) return undefined
  }
}

/** What changes when a remote, the first commit or another repository comes: while it is the same, git need not be asked. */
export async function fingerprintOf({ gitDir, commonDir }: Repository): Promise<string> {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree'), join(gitDir, 'HEAD')]
  const stats = await Promise.all(files.map(statsOf))
  const hasCommits = (await statsOf(join(gitDir, 'logs', 'HEAD'))) !== undefined
  return JSON.stringify([...stats.map((one) => one && [one.ino, one.size, one.mtimeMs]), hasCommits])
}

/** What git prints; undefined where it fails. */
async function git(
  { workTree }: Repository,
  args: string[],
  timeout = GIT_TIMEOUT_MS,
): Promise<{ text?: string; tookTooLong: boolean }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !REDIRECTING.includes(key)))
  try {
    const { stdout } = await run('git', args, {
      cwd: workTree,
      env,
      timeout,
      windowsHide: true,
    })
    return { text: stdout, tookTooLong: false }
  } catch (error) {
    // No git, a repository that it does not trust, no commit: none of it is evidence.
    return { tookTooLong: error instanceof Error && 'killed' in error && error.killed === true }
  }
}

/** The remotes of a repository, in the order in which its config has them. */
export async function remotesOf(repository: Repository): Promise<ConfiguredRemote[]> {
  const pattern = String.raw`^remote\..*\.url$`
  const args = ['config', '--local', '--includes', '--null', '--get-regexp', pattern]
  const { text = '' } = await git(repository, args)
  return text.split('\0').flatMap((entry) => {
    const [key = '', ...url] = entry.split('\n')
    const name = /^remote\.(.*)\.url$/s.exec(key)?.[1]
    return name === undefined || url.join('').trim() === '' ? [] : [{ name, url: url.join('').trim() }]
  })
}

/** Repositories whose history takes too long to walk; they are not asked again. */
const slow = new Set<string>()

/**
 * The root commits of the present branch, as git lists them; none where history was cut off, where they are no roots.
 * @param timeout milliseconds that git is given.
 */
export async function rootsOf(repository: Repository, timeout?: number): Promise<string[]> {
  const { commonDir } = repository
  if (slow.has(commonDir) || (await statsOf(join(commonDir, 'shallow')))) return []
  const { text = '', tookTooLong } = await git(
    repository,
    ['rev-list', '--max-parents=0', 'HEAD', '--'],
    timeout,
  )
  if (tookTooLong) slow.add(commonDir)
  return text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line))
}
