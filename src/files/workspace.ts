/** The name of a workspace, the same on every machine: its git remote, else its root commit, else the folder's name. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const GIT_TIMEOUT_MS = 2_000

async function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', args, { cwd, timeout: GIT_TIMEOUT_MS, windowsHide: true })
    return stdout.trim() || undefined
  } catch {
    // No git, no repository, no such remote: the next name serves.
    return undefined
  }
}

/** `github.com/owner/name` of any spelling of a remote; credentials in it are dropped. */
export function remoteName(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url)
  const plain = scp ? `${scp[1]}/${scp[2]}` : url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  return plain
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^([^/:]+):\d+\//, '$1/')
}

const known = new Map<string, Promise<string | undefined>>()

/** To start git takes longer than the rest of a turn's start: it is not asked where there is no repository. */
function inRepository(folder: string): boolean {
  if (process.env.GIT_DIR) return true
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

async function find(folder: string): Promise<string | undefined> {
  if (!inRepository(folder)) return basename(folder) || undefined
  const remote = await git(folder, 'config', '--get', 'remote.origin.url')
  if (remote) return remoteName(remote)
  const roots = await git(folder, 'rev-list', '--max-parents=0', 'HEAD')
  return roots?.split('\n').at(-1) ?? (basename(folder) || undefined)
}

/** The workspace of a folder; the answer is kept for the life of the process. Never rejects. */
export function workspaceOf(folder: string | undefined): Promise<string | undefined> {
  if (!folder) return Promise.resolve(undefined)
  let name = known.get(folder)
  if (!name) {
    name = find(folder)
    known.set(folder, name)
  }
  return name
}
