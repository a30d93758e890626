/** What a git remote is called, and when two spellings of remotes mean the same repository. Pure. */
import { resolve } from 'node:path'

/** A remote of a repository, as its config has it. */
export interface ConfiguredRemote {
  /** `origin` */
  name: string
  url: string
}

export interface Remote {
  name: string
  /** As a person reads it, in the remote's own letter case: `github.com/Owner/name`. */
  label: string
  /** The same for every spelling: `github.com/owner/name`; for one on this machine the absolute path. */
  key: string
}

const withoutEnd = (text: string): string =>
  text
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '')

/** `github.com/owner/name` of any spelling of a remote; user, password and port in it are dropped. */
export function remoteName(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url)
  // A password may hold an @ of its own.
  const plain = scp ? `${scp[1]}/${scp[2]}` : url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^/]*@/, '')
  return withoutEnd(plain).replace(/^([^/:]+):\d+\//, '$1/')
}

/** The path of a remote that lies on this machine; undefined for one on another. */
function localPath(url: string, folder: string): string | undefined {
  if (/^file:\/\//i.test(url)) return resolve(folder, url.replace(/^file:\/\/(localhost(?=\/))?/i, ''))
  // As git tells them apart: a colon before the first slash names a host.
  const isLocal = /^[a-z]:[\\/]/i.test(url) || !/^[^/]*:/.test(url)
  return isLocal ? resolve(folder, url) : undefined
}

/**
 * Path segments that some hosts put into one spelling of an address and not into the other: Azure DevOps (`_git` by
 * https, `v3` by ssh), Bitbucket Server (`scm` by https).
 */
const plainPath = (path: string): string =>
  path
    .replace(/^v3\/(?=[^/]+\/[^/]+\/)/, '')
    .replace(/^scm\/(?=[^/]+\/)/, '')
    .replace(/(?<=\/)_git\//, '')

/** @param folder that a relative path starts from: the top folder of the repository. */
export function remoteOf({ name, url }: ConfiguredRemote, folder: string): Remote {
  const label = remoteName(url)
  const local = localPath(url, folder)
  if (local !== undefined) return { name, label, key: withoutEnd(local) || '/' }
  const [host = '', ...path] = label
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  return { name, label, key: [host, plainPath(path.join('/'))].join('/') }
}

const isLocalKey = (key: string): boolean => /^(?:\/|[a-z]:[\\/])/i.test(key)

/** `owner/name` of a remote's key, without the host; of one on this machine its whole path. */
export const pathOfKey = (key: string): string => (isLocalKey(key) ? key : key.slice(key.indexOf('/') + 1))

/**
 * The remotes that say which repository it is: `origin`, or else the first that was added, and its mirrors. Any other
 * may be what the repository was forked or made from, as others were that have nothing to do with it.
 */
export function ownRemotes(remotes: readonly Remote[]): Remote[] {
  const first = remotes.find(({ name }) => name === 'origin') ?? remotes[0]
  if (!first) return []
  return [first, ...remotes.filter((one) => one !== first && pathOfKey(one.key) === pathOfKey(first.key))]
}
