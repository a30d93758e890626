/** Real git repositories for tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** What git prints. The machine's own configuration has no say in it. */
export const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim()

let commits = 0

/** Commits something that no other repository has. */
export const commit = (folder: string): string =>
  git(folder, 'commit', '-q', '--allow-empty', '-m', `commit ${commits++}`)

/** A repository with one commit, and a remote where one is named. @returns its folder. */
export function repository(folder: string, remote?: string): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q')
  commit(folder)
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote)
  return folder
}
